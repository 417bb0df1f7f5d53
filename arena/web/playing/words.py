"""What a person at the table is told and asked, by language, beside the viewer's words.

English, and Romanian for Claim!; in the marks of `arena.web.viewer.words`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.web.viewer import words as viewer

_ENGLISH: Final[Mapping[str, str]] = {
    "you": "you",
    "your turn": "Your turn",
    # What is asked.
    "ask turn.claims": "Burn a card, or several of one rank.",
    "ask turn.claim": "Discard a card, or several of one rank.",
    "ask turn.claro": "Play a card that fits.",
    "ask lead": "You lead: play any card.",
    "ask discard": "Discard what you like: you draw up to five.",
    "ask ready": "Ready for the next round?",
    "waits for": "Waiting for %(names)s.",
    "waits": "Waiting for the others.",
    "on top": "%(card)s will lie on top, where it can be taken.",
    # What can be answered.
    "do deck.claims": "Burn, draw",
    "do deck.claim": "Discard, draw",
    "from the deck": "from the deck",
    "do pile.claims": "Burn, take",
    "do pile.claim": "Discard, take",
    "from the pile": "from the pile",
    "do take.claims": "Burn, take %(card)s",
    "do take.claim": "Discard, take %(card)s",
    "do claim": "Claim",
    "do claim with": "Claim with %(cost)s",
    "do play": "Play a card",
    "do play card": "Play %(card)s",
    "do discard none": "Discard nothing",
    "do discard one": "Discard 1 card",
    "do discard some": "Discard %(count)s cards",
    "do ready": "Ready",
    "choose first": "Choose a card first.",
    # Whether one may claim.
    "claims later.claims": "Claim from lap %(lap)s on, with 10 or less",
    "claims now.claims": "Claim with 10 or less",
    "claims later.claim": "Claim from lap %(lap)s on",
    "claims now.claim": "Claim is open",
    # The timer.
    "seconds": "seconds left",
    "hurry": "%(count)s seconds left",
    "or else turn.claims": "If time runs out, a random card is burned and you draw from the deck.",
    "or else turn.claim": "If time runs out, a random card goes and you draw from the deck.",
    "or else turn.claro": "If time runs out, a random card that fits is played.",
    "or else discard": "If time runs out, nothing is discarded.",
    "or else ready": "If time runs out, the next round begins all the same.",
    "too late": "Your time ran out. This was played for you:",
    "began without you": "Your time ran out: the next round has begun.",
    "not allowed": "This was played for you:",
    "you pass": "No card of yours fits: you pass until the next round.",
    "you are out": "From here on your seat plays default moves: %(why)s.",
    # What goes wrong.
    "lost": "The connection is lost: trying again.",
    "no answer": "The arena could not be reached: try again.",
    # The arena is drained, or stops.
    "drains": "The arena begins no more matches for now: this one can be played to its end.",
    "stops": "The arena is being stopped. You can play on until %(time)s: a match that is not over "
    "by then is interrupted and does not count.",
    "stopped": "The connection is lost, and the arena was to stop: once it is back, this page says "
    "what became of the match.",
    "back": "You can play again once the arena begins matches again.",
    # Around the table.
    "made ready": "The bots are being made ready.",
    "your seat": "Your seat",
    "your hand": "Your cards",
    "table": "The table",
    "happened": "What happened",
    "leave": "Leave the match",
    "leave sure": "Leave this match?",
    "leave then": "Your seat plays default moves to the end. You can't come back to it.",
    "leave yes": "Leave it",
    "leave no": "Keep playing",
    # The end.
    "you win": "You win!",
    "you share": "You share the win!",
    "you came": "You came in at rank %(rank)s of %(seats)s.",
    "spoilt": "Sorry, this match was interrupted and does not count:",
    "again": "Play again",
    "matches": "All your matches",
}

_ROMANIAN: Final[Mapping[str, str]] = {
    "you": "tu",
    "your turn": "E rândul tău",
    "ask turn.claim": "Aruncă o carte sau mai multe de același rang.",
    "ask ready": "Ești gata pentru runda următoare?",
    "waits for": "Se așteaptă după %(names)s.",
    "waits": "Se așteaptă după ceilalți.",
    "on top": "%(card)s va fi deasupra, de unde poate fi luată.",
    "do deck.claim": "Aruncă, trage",
    "from the deck": "din pachet",
    "do pile.claim": "Aruncă, ia",
    "from the pile": "din stivă",
    "do take.claim": "Aruncă, ia %(card)s",
    "do claim": "CLAIM!",
    "do claim with": "CLAIM! cu %(cost)s",
    "do ready": "Gata",
    "choose first": "Alege întâi o carte.",
    "claims later.claim": "Claim din turul %(lap)s",
    "claims now.claim": "Claim e deschis",
    "seconds": "secunde rămase",
    "hurry": "Mai sunt %(count)s secunde",
    "or else turn.claim": "Dacă timpul expiră, pleacă o carte la întâmplare și tragi din pachet.",
    "or else ready": "Dacă timpul expiră, runda următoare începe oricum.",
    "too late": "Timpul a expirat. S-a jucat pentru tine:",
    "began without you": "Timpul a expirat: runda următoare a început.",
    "not allowed": "S-a jucat pentru tine:",
    "you are out": "De acum locul tău joacă mutări implicite: %(why)s.",
    "lost": "Legătura s-a întrerupt: se încearcă din nou.",
    "no answer": "Arena nu răspunde: încearcă din nou.",
    "drains": "Arena nu mai începe meciuri deocamdată: acesta poate fi jucat până la capăt.",
    "stops": "Arena se oprește. Poți juca până la %(time)s: un meci care nu s-a terminat până "
    "atunci este întrerupt și nu se pune.",
    "stopped": "Legătura s-a întrerupt, iar arena urma să se oprească: când revine, pagina aceasta "
    "spune ce s-a întâmplat cu meciul.",
    "back": "Poți juca din nou când arena începe iar meciuri.",
    "made ready": "Boții se pregătesc.",
    "your seat": "Locul tău",
    "your hand": "Cărțile tale",
    "table": "Masa",
    "happened": "Ce s-a întâmplat",
    "leave": "Părăsește meciul",
    "leave sure": "Părăsești meciul?",
    "leave then": "Locul tău joacă mutări implicite până la sfârșit. Nu te mai poți întoarce.",
    "leave yes": "Părăsește-l",
    "leave no": "Joacă mai departe",
    "you win": "Ai câștigat!",
    "you share": "Ai împărțit victoria!",
    "you came": "Ai terminat pe locul %(rank)s din %(seats)s.",
    "spoilt": "Ne pare rău, meciul a fost întrerupt și nu se pune:",
    "again": "Joacă din nou",
    "matches": "Toate meciurile tale",
}


def words(language: str, game: str) -> Mapping[str, str]:
    """The viewer's words and these."""
    spoken = {**viewer.words(language, game), **_ENGLISH}
    return {**spoken, **_ROMANIAN} if language == "ro" and game == "claim" else spoken
