"""A client of an arena server, for the command line: finds it, calls it, tells what it said.

Whatever a server refuses is raised as an ArenaError whose text is the server's own sentence, and an
answer comes as the records that a store would give. Only this room knows of calls, tokens and
tries; it must not know how anything is shown.
"""
