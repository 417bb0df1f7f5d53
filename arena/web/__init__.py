"""The pages: rankings, bots, tournaments, matches, rules, and forms for authors and organisers.

A page asks `arena.app` and the store and shows what they say; it decides nothing about games,
ratings or matches, and knows nothing of gRPC. Whoever serves it hands everything in: `make_pages`
knows no settings of its own. Whatever only shows works without scripts, nothing comes from another
address, and every name is a stranger's text until a template has escaped it.
"""

from arena.web.pages import make_pages
from arena.web.visits import Slowing

__all__ = ["Slowing", "make_pages"]
