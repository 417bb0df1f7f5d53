"""The players that a match can be handed: bots in this process, and bots behind an address.

``local`` drives a trusted bot's object in this process.  ``remote`` speaks the protocol of
docs/2-protocol.md with a bot that listens somewhere; ``stream`` is its one gRPC stream,
``channel`` how it is reached, ``blame`` what its end is called.

This room turns what the match asks into messages or calls, and what comes back into actions and
faults.  It must not know the rules (an action may be illegal: not its business), nor where a bot
runs: a sandbox says why a bot died through the hook ``Diagnose``.
"""

from arenabot.transport import use_polling

use_polling()  # before any module of this room imports gRPC
