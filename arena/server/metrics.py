"""What is counted, in the words of Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram


class Metrics:
    """One server's counters, in a registry of their own."""

    def __init__(self) -> None:
        """Count from 0."""
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "arena_calls_total",
            "Calls by method and the status that they ended with.",
            ("method", "code"),
            registry=self.registry,
        )
        self.call_seconds = Histogram(
            "arena_call_seconds",
            "How long calls took; streams until they ended.",
            ("method",),
            buckets=(0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600),
            registry=self.registry,
        )
