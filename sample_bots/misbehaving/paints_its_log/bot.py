"""Prints what moves cursors, renames windows, hides text, and lines without end."""

import os

from calm import CalmAtFirst

from arenabot import serve


class PaintsItsLog(CalmAtFirst):
    def misbehave(self) -> None:
        os.write(1, b"\x1b[2J\x1b]0;owned\x07 \0 \xff\xfe \r\x08 \xe2\x80\xae \x9b31m\n")
        os.write(2, b"an endless line " * 5000)


if __name__ == "__main__":
    serve(PaintsItsLog)
