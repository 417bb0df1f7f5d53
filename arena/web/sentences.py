"""What the arena answers whoever plays, in other languages: refusals, and what went wrong.

They are raised as sentences in English, by rooms that know of no reader; here they are known again
by their text, with what was filled into it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

_ROMANIAN: Final[Mapping[str, str]] = {
    # Why there is no match.
    "there is no such match, or it is not for you to see": "nu există acest meci sau nu ai voie "
    "să-l vezi",
    "there is no match {}": "nu există meciul {}",
    "the arena begins no matches at the moment: try again later": "arena nu începe meciuri "
    "deocamdată: încearcă mai târziu",
    "{} people are playing, which is as many as can at a time: try again later": "se joacă deja {} "
    "meciuri, câte pot fi deodată: încearcă mai târziu",
    "the match that you left goes on without you: sit down again once it has ended": "meciul pe "
    "care l-ai părăsit continuă fără tine: ia loc din nou după ce se termină",
    "on this arena nobody plays against bots: its settings say so": "pe această arenă nu se joacă "
    "împotriva boților: așa spun setările ei",
    "you are playing a match already: play it to its end, or leave it": "joci deja un meci: "
    "joacă-l până la capăt sau părăsește-l",
    "Nothing plays here: start the arena with `arena serve`.": "Aici nu se joacă: pornește arena "
    "cu `arena serve`.",
    # What was filled in.
    "{} is played by {} to {}: choose {} to {} bots": "{} se joacă în {} până la {}: alege de la "
    "{} la {} boți",
    "there is no seat {}: they are 0 to {}": "nu există locul {}: sunt de la 0 la {}",
    "{} is no bot that you can play against": "{} nu e un bot împotriva căruia poți juca",
    "bot {} is retired: a version of it is named like {}": "botul {} e retras: o versiune a lui se "
    "numește ca {}",
    "{} is {}, but must be a whole number from {} to {}": "{} e {}, dar trebuie să fie un număr "
    "întreg de la {} la {}",
    "{} is a whole number, not {}": "{} e un număr întreg, nu {}",
    # Why it was interrupted.
    "the arena was stopped while it was being played": "arena a fost oprită în timpul jocului",
    "the arena failed while it was being played: nobody at the table is to blame": "arena s-a "
    "defectat în timpul jocului: nimeni de la masă nu e de vină",
    "it was played, but the arena could not keep it": "s-a jucat, dar arena nu l-a putut păstra",
    "you left before it began": "ai plecat înainte să înceapă",
    "another program plays this tournament": "alt program joacă acest turneu",
    "no space is left on the arena's disk": "pe discul arenei nu mai e loc",
    "the arena's database can't be used at the moment": "baza de date a arenei nu poate fi "
    "folosită deocamdată",
    "no match worker can be started": "nu poate fi pornit niciun proces care să joace meciuri",
    "the container engine does not answer, or can't start bots": "motorul de containere nu "
    "răspunde sau nu poate porni boți",
    "the arena's machine refuses something that it needs": "calculatorul arenei îi refuză ceva de "
    "care are nevoie",
    "a defect of the arena: its log has more": "un defect al arenei: jurnalul ei spune mai mult",
    # An answer at the table.
    "this isn't asked any more": "asta nu se mai întreabă",
    "this is answered already": "la asta s-a răspuns deja",
    "the time was over": "timpul se terminase",
    "this is no answer to a {} here": "acesta nu e un răspuns la ce se întreabă acum",
    "no claim is open now": "acum nu se poate striga Claim",
    "choose at least one card": "alege cel puțin o carte",
    "cards of different ranks never go together": "cărți de ranguri diferite nu merg împreună",
    "no card can be drawn from there now": "de acolo nu se poate lua acum o carte",
    "this card can't be played now": "cartea aceasta nu poate fi jucată acum",
    "cards are named in a list": "cărțile se numesc într-o listă",
    "a card is named twice": "o carte e numită de două ori",
    "this card is not in your hand": "cartea aceasta nu e în mâna ta",
    "An answer has the number of its question.": "Un răspuns are numărul întrebării sale.",
    "This is no answer.": "Acesta nu e un răspuns.",
    "This match is not being played any more.": "Meciul acesta nu se mai joacă.",
    "match {} has no replay: it is {}": "meciul {} nu are replay",
    "There is no replay of this match.": "Meciul acesta nu are replay.",
    # At the door.
    "There is no such page, or it is not for you to see.": "Nu există această pagină sau nu ai "
    "voie s-o vezi.",
    "So many pages were asked for from your address: try again in a moment.": "De la adresa ta "
    "s-au cerut foarte multe pagini: încearcă din nou peste o clipă.",
    "Too many pages follow what happens already.": "Prea multe pagini urmăresc deja ce se "
    "întâmplă.",
    "This needs the role {}: an admin can give it.": "Pentru asta trebuie rolul {}: îl poate da un "
    "admin.",
    "The form's length is missing.": "Lipsește lungimea formularului.",
    "This is more than the {} bytes that may be sent.": "E mai mult decât cei {} octeți care pot "
    "fi trimiși.",
    "This form was sent from another site.": "Formularul a fost trimis de pe alt site.",
    "This form cannot be read.": "Formularul nu poate fi citit.",
    "This form is out of date: go back, load its page again, and send it anew.": "Formularul nu "
    "mai e valabil: mergi înapoi, încarcă-i pagina din nou și trimite-l iar.",
    "You are not signed in: sign in, and load this page again.": "Nu ești autentificat: intră, "
    "apoi încarcă pagina din nou.",
    # What is ours.
    "The arena cannot do this just now: try again later. Its log has more: {}.": "Arena nu poate "
    "face asta acum: încearcă mai târziu. Jurnalul ei spune mai mult: {}.",
    "This is a defect of the arena. Report it with {}.": "E un defect al arenei. Semnalează-l "
    "cu {}.",
}
"""By what is said in English, where `{}` stands for whatever is filled in, in the same order."""

_FILLED_IN: Final[Mapping[str, str]] = {
    "target": "pragul",
    "claim_laps": "numărul de ture până la Claim",
    "claim laps": "numărul de ture până la Claim",
    "max_rounds": "numărul de runde",
    "max rounds": "numărul de runde",
    "seat": "locul",
}
"""Names of fields, which stand in sentences, in Romanian."""


def told(language: str, sentence: str) -> str:
    """A sentence in a language; in English where nobody has put it into that."""
    if language != "ro":
        return sentence
    for pattern, romanian in _known():
        if found := pattern.fullmatch(sentence):
            return romanian.format(*(_FILLED_IN.get(part, part) for part in found.groups()))
    return sentence


@cache
def _known() -> Sequence[tuple[re.Pattern[str], str]]:
    return [
        (re.compile("(.*)".join(map(re.escape, english.split("{}"))), re.DOTALL), romanian)
        for english, romanian in _ROMANIAN.items()
    ]
