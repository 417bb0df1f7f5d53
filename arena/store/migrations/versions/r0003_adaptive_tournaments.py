"""Tournaments whose schedule grows with their results.

Those from before have none of these rows: their schedule was whole when they were created.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "adaptive",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("until_clear", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_adaptive_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_adaptive"),
        sqlite_with_rowid=False,
    )
