"""How the cards favoured each seat.

Results from before keep none: it isn't known, which is something else than 0.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make room for it."""
    op.add_column("seats", sa.Column("luck", sa.Double(), nullable=True))
