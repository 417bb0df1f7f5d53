"""Leagues: series of tournaments. None from before is part of one."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "leagues",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("organiser", sa.String(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
        sa.UniqueConstraint("name", name="uq_leagues_name"),
    )
    op.create_table(
        "league_tournaments",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_league_tournaments_tournament_id"
        ),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name="fk_league_tournaments_league_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_league_tournaments"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_league_tournaments_league_id", "league_tournaments", ["league_id"])
