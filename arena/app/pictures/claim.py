"""The five pictures of Claim!'s rules, in English and Romanian."""

from __future__ import annotations

from arena.app.pictures import positions
from arena.app.pictures.cards import GAP, WIDTH, card, pile, row, row_width
from arena.app.pictures.svg import (
    FAINT,
    GOLD,
    GREEN,
    INK,
    LINE,
    RED,
    arrow,
    box,
    moved,
    picture,
    text,
)
from arenabot.cards import Card, points

#: The pictures' names, in the order of the rules.
PICTURES = ("deal", "turn", "claim", "scoring", "end")
LANGUAGES = ("en", "ro")

_W, _H = 640, 360

_WORDS = {
    "en": {
        "deal": "The deal: four cards each, and the trump",
        "trump": "trump: its rank costs 0",
        "draw pile": "draw pile",
        "your hand": "your hand",
        "costs": "costs {0}",
        "turn": "A turn: throw cards of one rank, then take one card",
        "throw": "throw the pair",
        "take unseen": "take one unseen",
        "or this": "or what the player before you threw last",
        "claim": "Claiming opens after two turns of your own",
        "lap": "lap {0}",
        "player": "player {0}",
        "turns": "your turn",
        "now": "now you may call CLAIM!",
        "scoring": "After a claim all hands are compared",
        "right": "right: strictly the lowest adds 0",
        "wrong": "wrong: someone has as little or less, so 50",
        "adds": "+{0}",
        "claims": "claims",
        "end": "The match ends at {0}: the fewest points win",
        "wins": "wins",
    },
    "ro": {
        "deal": "Împărțirea: patru cărți fiecare și atuul",
        "trump": "atu: rangul lui costă 0",
        "draw pile": "pachetul de tras",
        "your hand": "mâna ta",
        "costs": "costă {0}",
        "turn": "O tură: arunci cărți de același rang, apoi iei o carte",
        "throw": "arunci perechea",
        "take unseen": "iei una fără să o vezi",
        "or this": "sau ultima carte aruncată de jucătorul dinainte",
        "claim": "Poți striga după două ture ale tale",
        "lap": "tura {0}",
        "player": "jucătorul {0}",
        "turns": "rândul tău",
        "now": "acum poți striga CLAIM!",
        "scoring": "După un Claim se compară toate mâinile",
        "right": "corect: strict cea mai mică mână adaugă 0",
        "wrong": "greșit: cineva are la fel sau mai puțin, deci 50",
        "adds": "+{0}",
        "claims": "strigă",
        "end": "Meciul se termină la {0}: câștigă totalul cel mai mic",
        "wins": "câștigă",
    },
}


def claim_pictures(language: str) -> dict[str, str]:
    """Each picture's SVG by its name; ``KeyError`` for a language that there is not."""
    words = _WORDS[language]
    return {
        "deal": _deal(words),
        "turn": _turn(words),
        "claim": _claim(words),
        "scoring": _scoring(words),
        "end": _end(words),
    }


def _titled(title: str, description: str, parts: list[str]) -> str:
    heading = text(_W / 2, 36, title, size=20, weight="bold")
    return picture(_W, _H, title, description, [heading, *parts])


def _names(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _deal(words: dict[str, str]) -> str:
    shown = positions.deal()
    left = (_W - row_width(len(shown.hand))) / 2
    costs = [
        text(
            left + at * (WIDTH + GAP) + WIDTH / 2,
            325,
            str(points((held,), shown.zero)),
            size=18,
            weight="bold",
            fill=GOLD if held.rank == shown.zero.rank else INK,
        )
        for at, held in enumerate(shown.hand)
    ]
    parts = [
        moved(190, 75, pile(shown.deck_size)),
        text(221, 185, f"{words['draw pile']} ({shown.deck_size})", size=14, fill=FAINT),
        moved(390, 75, card(shown.zero, zero=True)),
        text(421, 185, words["trump"], size=14, fill=FAINT),
        moved(left, 215, row(shown.hand, shown.zero.rank)),
        *costs,
        text(
            _W / 2,
            348,
            f"{words['your hand']}: {words['costs'].format(points(shown.hand, shown.zero))}",
            size=14,
            fill=FAINT,
        ),
    ]
    return _titled(words["deal"], f"{_names(shown.hand)}; {words['trump']}: {shown.zero}", parts)


def _turn(words: dict[str, str]) -> str:
    shown = positions.choice()
    left = 40.0
    first = min(shown.hand.index(held) for held in shown.pair)
    last = max(shown.hand.index(held) for held in shown.pair)
    middle = left + (first + last) / 2 * (WIDTH + GAP) + WIDTH / 2
    parts = [
        moved(left, 215, row(shown.hand, shown.zero.rank, raised=shown.pair)),
        text(left + row_width(len(shown.hand)) / 2, 330, words["your hand"], size=14, fill=FAINT),
        arrow(middle, 188, middle, 130),
        text(middle, 115, f"1. {words['throw']}", size=15, weight="bold"),
        moved(400, 85, pile(shown.deck_size)),
        text(431, 195, f"2. {words['take unseen']}", size=15, weight="bold"),
        moved(530, 85, card(shown.takeable, zero=shown.takeable.rank == shown.zero.rank)),
        text(_W - 20, 222, words["or this"], size=14, anchor="end"),
        moved(530, 240, card(shown.zero, zero=True)),
        text(520, 290, words["trump"], size=14, fill=FAINT, anchor="end"),
    ]
    description = f"{_names(shown.hand)}: {_names(shown.pair)}; {shown.takeable}"
    return _titled(words["turn"], description, parts)


def _claim(words: dict[str, str]) -> str:
    shown = positions.claim(success=True)
    seats, claimer = positions.SEATS, shown.end.claimer or 0
    parts = []
    for lap in range(3):
        y = 78 + lap * 66
        parts.append(text(90, y + 32, words["lap"].format(lap + 1), size=15, fill=FAINT))
        for seat in range(seats):
            x = 150 + seat * 150
            mine = seat == claimer
            opens = mine and lap == 2
            parts.append(box(x, y, 130, 50, stroke=GREEN if opens else GOLD if mine else LINE))
            label = "CLAIM!" if opens else words["turns"] if mine else words["player"].format(seat)
            parts.append(
                text(
                    x + 65,
                    y + 31,
                    label,
                    size=18 if opens else 14,
                    fill=GREEN if opens else INK if mine else FAINT,
                    weight="bold" if opens else "normal",
                )
            )
    hand = shown.end.hands[claimer]
    cost = words["costs"].format(points(hand, shown.zero))
    parts += [text(_W / 2, 310, words["now"], size=17, weight="bold", fill=GREEN)]
    parts += [text(_W / 2, 338, f"{words['your hand']}: {cost}", size=14, fill=FAINT)]
    return _titled(words["claim"], f"{words['now']} {_names(hand)}", parts)


def _scoring(words: dict[str, str]) -> str:
    right, wrong = positions.claim(success=True), positions.claim(success=False)
    parts = []
    for at, (shown, caption, colour) in enumerate(
        [(right, words["right"], GREEN), (wrong, words["wrong"], RED)]
    ):
        y = 60 + at * 150
        parts.append(text(20, y + 12, caption, size=15, anchor="start", weight="bold", fill=colour))
        parts += _hands(shown, y + 24, words, colour)
    told = f"{words['right']}: {right.end.points}; {words['wrong']}: {wrong.end.points}"
    return _titled(words["scoring"], told, parts)


def _hands(shown: positions.Ending, y: float, words: dict[str, str], colour: str) -> list[str]:
    """Every seat's hand in a row, half size, with what it adds."""
    parts = []
    for seat, hand in enumerate(shown.end.hands):
        x = 20 + seat * 205
        claimer = seat == shown.end.claimer
        cost = points(hand, shown.zero)
        parts += [
            box(x, y, 195, 112, stroke=colour if claimer else LINE),
            (
                f'<g transform="translate({x + 12:g} {y + 10:g}) scale(0.6)">'
                f"{row(hand, shown.zero.rank)}</g>"
            ),
            text(x + 12, y + 98, words["costs"].format(cost), size=14, anchor="start"),
            text(
                x + 183,
                y + 98,
                words["adds"].format(shown.end.points[seat]),
                size=18,
                anchor="end",
                weight="bold",
                fill=colour if claimer else INK,
            ),
        ]
        if claimer:
            parts.append(text(x + 183, y + 76, words["claims"], size=13, anchor="end", fill=colour))
    return parts


def _end(words: dict[str, str]) -> str:
    shown = positions.match_end()
    totals, title = shown.end.totals, words["end"].format(shown.target)
    best = min(totals)
    left, width, most = 130, 420, max(*totals, shown.target)
    line = left + width * shown.target / most
    parts = []
    for seat, total in enumerate(totals):
        y = 80 + seat * 76
        long = width * total / most
        winner = total == best
        colour = GREEN if winner else RED if total >= shown.target else FAINT
        parts += [
            text(left - 14, y + 31, words["player"].format(seat), size=15, anchor="end"),
            f'<rect x="{left}" y="{y}" width="{long:g}" height="48" rx="6" fill="{colour}"/>',
            text(
                left + 14,
                y + 31,
                str(total),
                size=18,
                weight="bold",
                fill="#ffffff" if long > 60 else INK,
                anchor="start",
            ),
        ]
        if winner:
            parts.append(
                text(
                    left + long + 14,
                    y + 31,
                    words["wins"],
                    size=16,
                    weight="bold",
                    fill=GREEN,
                    anchor="start",
                )
            )
    parts.append(
        f'<line x1="{line:g}" y1="64" x2="{line:g}" y2="{_H - 40}" stroke="{INK}"'
        ' stroke-width="2" stroke-dasharray="6 5"/>'
    )
    parts.append(text(line, _H - 18, str(shown.target), size=15))
    return _titled(title, ", ".join(map(str, totals)), parts)
