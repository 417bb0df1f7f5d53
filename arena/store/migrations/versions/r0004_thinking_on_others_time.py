"""What is done about bots that think on others' time.

Tournaments from before keep none: nobody looked, and they are played to their end as they began.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make room for it."""
    op.add_column("tournaments", sa.Column("ponder", sa.String(), nullable=True))
