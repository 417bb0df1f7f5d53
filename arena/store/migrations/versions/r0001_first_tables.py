"""The first tables.

There is no way down: to go back to an older program, put a backup in the store's place.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.UniqueConstraint("name", name="uq_bots_name"),
    )
    op.create_table(
        "store",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_store"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed_hash", sa.String(), nullable=False),
        sa.Column("timers", sa.JSON(), nullable=False),
        sa.Column("max_faults", sa.Integer(), nullable=False),
        sa.Column("sandbox", sa.String(), nullable=False),
        sa.Column("isolation", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_index("ix_tournaments_game", "tournaments", ["game"])
    op.create_table(
        "matches",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("seating", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_matches_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "block", "rotation", name="pk_matches"),
        sa.UniqueConstraint("tournament_id", "id", name="uq_matches_tournament_id_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("runtime", sa.String(), nullable=False),
        sa.Column("entrypoint", sa.String(), nullable=False),
        sa.Column("archive", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_versions_bot_id"),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.UniqueConstraint("bot_id", "digest", name="uq_versions_bot_id_digest"),
        sa.UniqueConstraint("bot_id", "number", name="uq_versions_bot_id_number"),
    )
    op.create_table(
        "entries",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_entries_tournament_id"
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_entries_version_id"),
        sa.PrimaryKeyConstraint("tournament_id", "position", name="pk_entries"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entries_version_id", "entries", ["version_id"])
    op.create_table(
        "results",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("replay", sa.String(), nullable=False),
        sa.Column("replay_digest", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("measured", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "block", "rotation"],
            ["matches.tournament_id", "matches.block", "matches.rotation"],
            name="fk_results_tournament_id",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "block", "rotation", name="pk_results"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "voids",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "block", "rotation"],
            ["matches.tournament_id", "matches.block", "matches.rotation"],
            name="fk_voids_tournament_id",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "block", "rotation", "attempt", name="pk_voids"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seats",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("charged_ms", sa.Double(), nullable=False),
        sa.Column("peak_memory", sa.BigInteger(), nullable=True),
        sa.Column("log", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id", "block", "rotation"],
            ["results.tournament_id", "results.block", "results.rotation"],
            name="fk_seats_tournament_id",
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id", "entry"],
            ["entries.tournament_id", "entries.position"],
            name="fk_seats_entry",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "block", "rotation", "seat", name="pk_seats"),
        sqlite_with_rowid=False,
    )
