"""A won war ready to draw: who won it and how, the standings on that day, titles, and the wreath round the arms."""

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from campaign import selectors
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.seasons.cut_into_seasons import SeasonRecord, gather_war
from campaign.chronicle.seasons.standings import StandingsRow, WarRecord, list_wars, rank_kingdoms
from campaign.chronicle.seasons.titles import AwardedTitle, award_titles
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from campaign.display import MEMBER_RELATIONS, names_for
from campaign.models import Campaign
from dataclass_json import PageOnly
from heraldry import Arms
from text import SafeMarkup


@dataclass(frozen=True, slots=True)
class FinalRank:
    rank: PageOnly[StandingsRow]
    kingdom: str
    arms: PageOnly[Arms]
    words: Annotated[str, "Who ruled it, and what became of it."]
    is_winner: bool


@dataclass(frozen=True, slots=True)
class WarTitle:
    title: AwardedTitle
    arms: tuple[Arms, ...]


@dataclass(frozen=True, slots=True)
class WarFact:
    number: int
    words: str


@dataclass(frozen=True, slots=True)
class VictoryDisplay:
    api_name = "WonWar"

    war: int
    winner: str
    arms: PageOnly[Arms]
    lead: str
    won_on: dt.date
    entry: int
    season: int
    facts: PageOnly[tuple[WarFact, ...]]
    ranks: tuple[FinalRank, ...]
    titles: PageOnly[tuple[WarTitle, ...]]
    state: PageOnly[State]  # as it was when the war was won, for the map


def build_victory_display(campaign: Campaign, war: int) -> VictoryDisplay | None:
    """The victory in this war; nothing if it is still being fought, or never was."""
    order = effective_entries(selectors.entries_of(campaign))
    won = next((record for record in list_wars(order) if record.number == war and record.winner), None)
    record = gather_war(order, war, won.entry) if won else None
    if won is None or record is None:
        return None
    state = record.after
    names = names_for(campaign, state, campaign.members.select_related(*MEMBER_RELATIONS))
    arms = {key: Arms.from_dict(kingdom.arms) for key, kingdom in state.kingdoms.items()}
    ranks = rank_kingdoms(state, record.entries)
    return VictoryDisplay(
        war=war,
        winner=names.kingdom(won.winner),
        arms=arms[won.winner],
        lead=describe_entry(record.entries[-1], names),
        won_on=dt.date.fromisoformat(won.won_on),
        entry=won.entry,
        season=record.number,
        facts=tuple(_list_facts(won, record, ranks)),
        ranks=tuple(
            FinalRank(
                rank,
                rank.kingdom,
                arms[rank.kingdom],
                _describe_rank(state, rank.kingdom, names, won.winner),
                rank.kingdom == won.winner,
            )
            for rank in ranks
        ),
        titles=tuple(
            WarTitle(title, tuple(arms[key] for key in title.kingdoms if key in arms)) for title in award_titles(record)
        ),
        state=state,
    )


def _list_facts(won: WarRecord, record: SeasonRecord, ranks: Sequence[StandingsRow]) -> Iterator[WarFact]:
    battles = record.battles()
    yield WarFact(len(battles), "battle" if len(battles) == 1 else "battles")
    days = (dt.date.fromisoformat(won.won_on) - dt.date.fromisoformat(won.began_on)).days + 1
    yield WarFact(days, "day" if days == 1 else "days") if days < 21 else WarFact(days // 7, "weeks")
    if lost := sum(sum(battle.removed.values()) for battle in battles):
        yield WarFact(lost, "unit lost" if lost == 1 else "units lost")
    castles = sum(rank.record.castles for rank in ranks)
    yield WarFact(castles, "castle taken" if castles == 1 else "castles taken")


def _describe_rank(state: State, kingdom: str, names: Names, winner: str) -> str:
    ruler = state.kingdoms[kingdom].ruler
    words = [names.person(ruler)] if ruler else []
    if kingdom == winner:
        words.append("won the war")
    elif not state.holds_own_castle(kingdom):
        words.append("castle fallen")
    return ", ".join(words)


# --- The wreath: rays, two branches, a crown and a ribbon ----------------------------------------------------


# The left branch as a cubic curve from the ribbon to its tip.
BRANCH = ((200, 352), (96, 340), (40, 236), (84, 108))
LEAF = "M0 0C8 -13 26 -13 36 0C26 9 9 10 0 0z"
CROWN = "M-44 22L-52 -14L-30 4L-19 -26L0 0L19 -26L30 4L52 -14L44 22z"
MOTTO = "Victoria et Caseum"


def draw_wreath() -> SafeMarkup:
    """Decoration only: what it says stands beside it in words."""
    branch = _draw_branch()
    parts = (
        f'<path class="ray" d="{_rays()}"/>',
        f'<g>{branch}</g><g transform="matrix(-1 0 0 1 400 0)">{branch}</g>',
        '<g transform="translate(200 57)"><path class="cap-in" d="M-34 8C-36 -18 -18 -30 0 -30C18 -30 36 -18 34 8z"/>',
        f'<path class="gold" d="{CROWN}"/><path class="gold" d="M-46 18H46V34H-46z"/></g>',
        '<path class="rib-back" d="M58 352L30 338V372L58 386zM342 352L370 338V372L342 386z"/>',
        '<path class="rib" d="M58 344Q200 384 342 344V378Q200 418 58 378z"/>',
        '<path id="motto-line" class="line" d="M58 369Q200 409 342 369"/>',
        f'<text class="motto"><textPath href="#motto-line" startOffset="50%">{MOTTO}</textPath></text>',
    )
    return SafeMarkup(f'<svg class="wreath" viewBox="0 0 400 404" aria-hidden="true">{"".join(parts)}</svg>')


def _rays() -> str:
    """From a circle round the middle outwards, every second one longer."""
    lines = []
    for number in range(72):
        turn = math.radians(number * 5)
        far = 206 if number % 2 else 190
        (x1, y1), (x2, y2) = ((200 + r * math.cos(turn), 196 + r * math.sin(turn)) for r in (100, far))
        lines.append(f"M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}")
    return "".join(lines)


def _draw_branch() -> str:
    """The left one: twelve pairs of leaves along its stem, smaller towards the tip, and a berry at every third."""
    drawn = ['<path class="stem" d="M200 352C96 340 40 236 84 108"/>']
    for number in range(12):
        at = 0.18 + number * 0.068
        x, y = _point(at)
        ahead = _point(at + 0.01)
        turn = math.degrees(math.atan2(ahead[1] - y, ahead[0] - x))
        size = 1.14 - number * 0.04
        for side in (-46, 46):
            place = f"translate({x:.1f} {y:.1f}) rotate({turn + side:.1f}) scale({size:.2f})"
            drawn.append(f'<path class="leafs" transform="{place}" d="{LEAF}"/>')
        if number % 3 == 1:
            drawn.append(f'<circle class="berry" cx="{x + 8:.1f}" cy="{y - 3:.1f}" r="4.6"/>')
    return "".join(drawn)


def _point(at: float) -> tuple[float, float]:
    """Where the branch is after this share of its way: (200, 352) at 0, the ribbon, and (84, 108) at 1, its tip."""
    weights = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3)
    x, y = (sum(w * p for w, p in zip(weights, axis, strict=True)) for axis in zip(*BRANCH, strict=True))
    return x, y
