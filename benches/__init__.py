"""Measures speed; prints tables: ``python -m benches [--json] [NAME...]``.

One file a bench, found by name: a module here with a function ``bench() -> Iterator[Table]`` is
a bench, all others are tools (their names begin with an underscore).  What is compared runs in
one run, by turns, so that a busy neighbour slows both sides; a number without that is worth
little on a shared machine.  Nothing here is a test: no bench fails for being slow.
"""
