"""Matches in which a person played against bots."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "person_matches",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bots", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("ended", _TIME, nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("replay", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_person_matches"),
        sa.UniqueConstraint("id", name="uq_person_matches_id"),
    )
    for column in ("author", "state"):
        op.create_index(f"ix_person_matches_{column}", "person_matches", [column])
