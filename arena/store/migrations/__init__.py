"""How the tables came to be, one step a file in `versions/`, run by Alembic.

A step that was released is never changed: a new one follows it, and `schema.REVISION` names the
newest. A test compares what the steps make with what `schema` declares.
"""
