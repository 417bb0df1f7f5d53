"""Results by when they came: to count them, and to see which there were at some moment."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Lay them out so."""
    op.create_index(
        "ix_results_tournament_id_recorded_at", "results", ["tournament_id", "recorded_at"]
    )
