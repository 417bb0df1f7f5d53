"""How a server logs: one line for each thing that happened, with the ids that join them.

Whatever happens on behalf of a call has its `request` and `author`; what plays and builds adds its
`tournament`, `match` or `submission`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import structlog

from arena.server.settings import Settings

if TYPE_CHECKING:
    from structlog.typing import Processor


@contextmanager
def logging_to(stream: TextIO, settings: Settings) -> Iterator[None]:
    """Log to `stream` as the settings say, also what libraries have to tell."""
    before = structlog.get_config()
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # A traceback alone: what variables held may be a secret, and is too much to read.
    last: list[Processor] = [
        structlog.dev.ConsoleRenderer(
            colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    ]
    if settings.log_format == "json":
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream),
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    old = root.level
    root.addHandler(handler)
    root.setLevel(max(level, logging.WARNING))  # libraries: only what is wrong
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(old)
        structlog.configure(**before)
