"""A campaign's map on other pages: the address of its outlines, link previews, and their 1200 by 630 picture."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

from django.urls import reverse

from art.link_preview import HEIGHT, WIDTH, Words, draw_png, replace_undrawable
from cached_reverse import cached_reverse
from campaign.chronicle.seasons.standings import StandingsRow
from campaign.map.display import MapDisplay
from campaign.map.labels import PICTURE, letter_size
from campaign.map.svg import draw_lands, draw_map
from campaign.models import Campaign
from heraldry import draw_arms_at
from pages.site_address_for_guests import LinkPreview, make_link_preview
from text import format_signed

LEFT, RIGHT = HEIGHT + 14, WIDTH - 40


def draw_share_card(title: str, under: str, display: MapDisplay, ranks: Sequence[StandingsRow]) -> bytes:
    """``ranks``: the leader first."""
    drawing = _draw_map(display)
    columns = (RIGHT - 150, RIGHT - 78, RIGHT)
    words = [
        Words(title, LEFT, 68, 46, RIGHT - LEFT, bold=True),
        Words(under, LEFT, 116, 24, RIGHT - LEFT, "ink-2"),
        Words("loyalty", columns[0], 174, 19, 90, "ink-2", "end", caps=True),
        Words("VP", columns[1], 174, 19, 90, "ink-2", "end"),
        Words("holds", columns[2], 174, 19, 90, "ink-2", "end", caps=True),
        Words("Mice-at-Arms", RIGHT, HEIGHT - 24, 19, 200, "rubric", "end", caps=True),
    ]
    drawing += f'<path d="M{LEFT} 148.5H{RIGHT}M{LEFT} 151.5H{RIGHT}" stroke="var(--line)"/>'
    most = 7 if len(ranks) <= 7 else 6
    for at, rank in enumerate(ranks[:most]):
        y = 216 + at * 55
        kingdom = display.kingdom(rank.kingdom)
        drawing += draw_arms_at(kingdom.arms, LEFT, y - 20, 34)
        drawing += f'<path d="M{LEFT} {y + 27.5}H{RIGHT}" stroke="var(--rule)"/>'
        ink = "good" if rank.loyalty > 0 else "bad" if rank.loyalty < 0 else "ink"
        words += [
            Words(kingdom.name, LEFT + 48, y - 11, 26, columns[0] - LEFT - 128, bold=True),
            Words(f"{rank.holds} held, {rank.sworn} houses", LEFT + 48, y + 14, 18, columns[0] - LEFT - 128, "ink-2"),
            Words(format_signed(rank.loyalty), columns[0], y, 26, 70, ink, "end", bold=True),
            Words(str(rank.vp), columns[1], y, 26, 70, align="end", bold=True),
            Words(str(rank.holds), columns[2], y, 26, 70, align="end", bold=True),
        ]
    if len(ranks) > most:
        more = f"and {len(ranks) - most} more"
        words.append(Words(more, LEFT, 216 + most * 55, 22, 300, "ink-2", italic=True))
    return draw_png(drawing, words)


def _draw_map(display: MapDisplay) -> str:
    """The map of the page, with letters large enough for a small preview."""
    # Before names are fitted into their places: a code point is wider than its sign.
    shown = replace(
        display,
        kingdoms=tuple(replace(row, name=replace_undrawable(row.name)) for row in display.kingdoms),
        territories=tuple(replace(row, name=replace_undrawable(row.name)) for row in display.territories),
    )
    sizes = (
        (css, letter_size(len(display.kingdoms), PICTURE, of_kingdom=css == "realm"))
        for css in ("lbl", "realm", "lean")
    )
    styles = "".join(f".map .{css}{{font-size:{size}px;stroke-width:{size / 4}px}}" for css, size in sizes)
    side = f'width="{HEIGHT}" height="{HEIGHT}"'
    return f"<style>{styles}</style>" + draw_map(shown, tiers=(PICTURE,)).replace("<svg", f"<svg {side}", 1)


def campaign_link_preview(campaign: Campaign, words: str, *, title: str = "", path: str = "") -> LinkPreview | None:
    """Only public campaigns have one."""
    if campaign.visibility != Campaign.Visibility.PUBLIC:
        return None
    card = f"{reverse('campaign:share_picture', args=[campaign.code])}?v={campaign.log.version}"
    address = path or campaign.get_absolute_url()
    return make_link_preview(title or campaign.name, words, address, card, f"Map and standings of {campaign.name}")


def lands_address(display: MapDisplay) -> str:
    """For a map whose seed is the code of its campaign. What is in the file is in the address: it never changes."""
    kingdoms = tuple(kingdom.id for kingdom in display.kingdoms)
    address = cached_reverse("campaign:lands", display.seed, ".".join(kingdoms))
    return f"{address}?v={_digest(kingdoms, display.seed)}"


@lru_cache(maxsize=1024)
def _digest(kingdoms: tuple[str, ...], seed: str) -> str:
    return blake2b(draw_lands(kingdoms, seed).encode(), digest_size=6).hexdigest()
