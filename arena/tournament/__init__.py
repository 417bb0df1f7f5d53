"""Turns a schedule into results: jobs, the workers that play them, the runner that records them.

A job is one match to be played; it goes to a worker process, which opens the seats' sandboxes,
plays, and hands back an outcome: a record, or a void with its reason.  The runner writes outcomes
to the store and asks for what is still pending, so a tournament can be stopped anywhere and run on.
This room must not know who asks for it (command line, server, pages).
"""
