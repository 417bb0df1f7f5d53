"""Authors and their tokens, submissions on their way, tournaments that bots enter by themselves.

What was there before belongs to nobody in particular, is public, and has its schedule drawn.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make room for them."""
    op.add_column("versions", sa.Column("retired_at", _TIME, nullable=True))
    op.add_column("versions", sa.Column("provenance", sa.JSON(), nullable=True))
    op.add_column("tournaments", sa.Column("organiser", sa.String(), nullable=True))
    op.add_column("tournaments", _no("private"))
    op.add_column("tournaments", _no("entry_open"))
    op.add_column("tournaments", sa.Column("wanted_at", _TIME, nullable=True))
    op.add_column("entries", sa.Column("withdrawn_at", _TIME, nullable=True))
    op.add_column("entries", sa.Column("withdrawn_why", sa.String(), nullable=True))
    op.add_column("entries", sa.Column("withdrawn_from", sa.Integer(), nullable=True))
    op.add_column("entries", sa.Column("annulled_from", sa.Integer(), nullable=True))
    op.create_index(
        "ix_seats_tournament_id_entry_block_rotation",
        "seats",
        ["tournament_id", "entry", "block", "rotation"],
    )
    _make_authors()
    _make_records()
    _make_submissions()


def _no(name: str) -> "sa.Column[bool]":
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())


def _make_authors() -> None:
    op.create_table(
        "authors",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("locked_at", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_authors"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("last_used", _TIME, nullable=True),
        sa.Column("revoked_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(["author"], ["authors.name"], name="fk_tokens_author"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
    )
    op.create_index("ix_tokens_author", "tokens", ["author"])


def _make_records() -> None:
    """Of what was asked for and by whom."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("author", sa.String(), nullable=True),
        sa.Column("token_id", sa.Integer(), nullable=True),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("peer", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_author", "audit", ["author"])
    op.create_table(
        "requests",
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("author", "id", name="pk_requests"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_requests_at", "requests", ["at"])
    op.create_table(
        "pruned",
        sa.Column("blob", sa.String(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("blob", name="pk_pruned"),
        sqlite_with_rowid=False,
    )


def _make_submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("advice", sa.JSON(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=False),
        sa.Column("spoilt", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("archive", sa.String(), nullable=False),
        sa.Column("log", sa.String(), nullable=True),
        sa.Column("version_id", sa.Integer(), nullable=True),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("updated", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_submissions_version_id"),
        sa.PrimaryKeyConstraint("number", name="pk_submissions"),
        sa.UniqueConstraint("id", name="uq_submissions_id"),
    )
    for column in ("author", "bot", "state"):
        op.create_index(f"ix_submissions_{column}", "submissions", [column])
