"""What a battle's link preview shows, and its picture of 1200 by 630 for chats: shields, place, winner, losses."""

from dataclasses import dataclass

from django.urls import reverse

from art.link_preview import WIDTH, Words, draw_leaf, draw_symbol
from battles.display import BattleDisplay, SideResult
from battles.models import Battle
from campaign.models import Campaign
from heraldry import Arms, draw_arms_at
from pages.site_address_for_guests import LinkPreview, make_link_preview


def card_of(display: BattleDisplay) -> "BattleCard":
    scenario = display.scenario.name if display.scenario else ""
    campaign = f"{display.campaign_name}, battle {display.number}" if display.number else ""
    sides = tuple(CardSide(s.row.name, s.row.arms, s.result == "won", _figures(s)) for s in display.sides)
    ending = display.story[-2:] if len(display.story) > 1 else ()
    sentences = tuple(sentence for paragraph in ending for sentence in paragraph)[:1]
    return BattleCard(display.heading, ", ".join(filter(None, (campaign, scenario))), display.lead, sides, sentences)


def _figures(side: SideResult) -> str:
    figures = []
    if side.vp is not None:
        figures.append(f"{side.vp} VP")
    if side.removed is not None and side.fielded:
        figures.append(f"{side.removed} of {side.fielded} units removed")
    return ", ".join(figures)


def link_preview_of(battle: Battle, display: BattleDisplay) -> LinkPreview | None:
    """Only battles of public campaigns have a link preview."""
    if battle.campaign is None or battle.campaign.visibility != Campaign.Visibility.PUBLIC:
        return None
    picture = f"{reverse('battles:share', args=[battle.code])}?v={battle.log.version}.{battle.campaign.log.version}"
    return make_link_preview(
        display.heading, display.lead, battle.get_absolute_url(), picture, f"{display.heading}: {display.lead}"
    )


# ── The picture ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CardSide:
    name: str
    arms: Arms
    won: bool
    figures: str  # "7 VP, 1 of 5 units removed"


@dataclass(frozen=True, slots=True)
class BattleCard:
    title: str
    under: str
    verdict: str
    sides: tuple[CardSide, ...]
    sentences: tuple[str, ...]


def draw_card(card: BattleCard) -> bytes:
    drawing = draw_symbol("c-battle", WIDTH / 2, 240, 84, "rubric")
    words = [Words(card.verdict, WIDTH / 2, 486, 34, WIDTH - 160, align="middle", italic=True)]
    for x, side in zip((WIDTH / 4, WIDTH * 3 / 4), card.sides[:2], strict=False):
        drawing += draw_arms_at(side.arms, x - 65, 204, 130)
        words += [
            Words(side.name, x, 392, 34, 440, "rubric" if side.won else "ink", "middle", bold=True),
            Words(side.figures, x, 430, 22, 440, "ink-2", "middle"),
        ]
    for at, sentence in enumerate(card.sentences[:2]):
        words.append(Words(sentence, WIDTH / 2, 530 + at * 28, 20, WIDTH - 180, "ink-2", "middle"))
    return draw_leaf(card.title, card.under, drawing, words)
