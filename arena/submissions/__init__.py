"""From a stranger's folder or archive to a digest, a checked tree of files and an image.

    read_submission / read_archive -> Submission       names, types and sizes checked, manifest read
    examine / check                -> Report           what else its author should know
    build_base                     -> BaseImage        the organiser's: Python, arenabot, the rules
    build_bot                      -> BotImage         base + the submission's files below /bot

What is unpacked or put into an image has been checked here before, and nothing of a submission runs
here, at build time or while it is checked. Qualifying (a first match under real limits) belongs
to whoever runs matches: it takes a Submission and its BotImage and adds to the Report.

This room must not know matches, tournaments, the store or who submits: names that are taken and
versions that are there already are the store's business.
"""
