"""Pictures of the games, drawn by code as SVG: cards, and the five diagrams of Claim!'s rules.

What they show are real positions: a match is played by the engine until one comes up that shows
the rule.  Every picture has a title and a description for those who cannot see it, uses no style
sheet, no script and no font of its own, and needs nothing from anywhere.
"""

from arena.app.pictures.claim import LANGUAGES, PICTURES, claim_pictures

__all__ = ["LANGUAGES", "PICTURES", "claim_pictures"]
