"""What a person can ask of an arena, as functions: submit, create, run, rank, play, verify.

The rooms below know little of each other; here, and only here, they are put together: a folder
becomes a submission, an image, an entry, a schedule, jobs, results and a ranking.  Command line,
server and pages call this room and add nothing but a way to ask and to show.  It must not print,
prompt or parse arguments.
"""
