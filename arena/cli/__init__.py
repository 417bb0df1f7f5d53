"""The ``arena`` command: how a person asks, and how the answer looks in a terminal.

Each command reads its arguments, calls ``arena.app`` and shows what came of it: a table, or with
``--json`` a document whose keys are a contract (docs/4-running-tournaments.md).  Nothing is decided
here.  It must not know the database, gRPC or containers.
"""
