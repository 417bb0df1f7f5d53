"""What Alembic runs: it works inside the transaction of the connection that it is given."""

from alembic import context

from arena.store.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
