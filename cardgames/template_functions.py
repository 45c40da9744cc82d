"""Cards in templates: {{ card(pack, "mammoth", "s") }} and {{ card_back(pack, "role") }}."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from cardgames.drawing import Badge, DeckPictures, LegendSign, badge_svg, sign_svg
from cardgames.engine.printed_game import FigurePart
from pages import jinja


def card(pack: DeckPictures, face: str, size: str = "s", decorative: bool = False) -> SafeString:
    """A card face by its id. Decorative if its name is beside it; otherwise screen readers read its label."""
    return mark_safe(pack.svg(face, size, decorative))  # pack.svg escapes all deck texts


def card_back(pack: DeckPictures, kind: str = "", size: str = "s", decorative: bool = False) -> SafeString:
    return mark_safe(pack.back(kind, size, decorative))


def card_name(pack: DeckPictures, face: str) -> str:
    return pack.picture(face).name


def picture(pack: DeckPictures, face: str) -> object:
    """The card's picture and texts, for templates that lay it out themselves."""
    return pack.picture(face)


def card_text(pack: DeckPictures, face: str) -> str:
    return pack.picture(face).text


def card_pile(pack: DeckPictures, face: str) -> str:
    """The pile whose back this card has."""
    return pack.pile_of(face)


def game_styles(game: str) -> str:
    """The address of a game's own stylesheet, or nothing."""
    path = f"css/games/{game}.css"
    return static(path) if (settings.BASE_DIR / "static" / path).is_file() else ""


def badge(tincture: str, shape: str) -> SafeString:
    return mark_safe(badge_svg(tincture, shape))


def legend_sign(sign: LegendSign) -> SafeString:
    """A sign of the cards, to be shown beside its meaning."""
    return mark_safe(badge_svg(sign.tincture, sign.shape) if isinstance(sign, Badge) else sign_svg(sign))


def chosen_option(options: Mapping[str, Any], key: str) -> Any:
    """What the players chose for this option."""
    return options.get(key)


def asked_parts(parts: Sequence[FigurePart], options: Mapping[str, Any]) -> list[FigurePart]:
    """The numbers of a figure that are asked for under what the players agreed."""
    return [part for part in parts if not part.option or options.get(part.option)]


def register() -> None:
    jinja.add_functions(
        {
            "badge": badge,
            "card": card,
            "card_back": card_back,
            "game_styles": game_styles,
            "legend_sign": legend_sign,
        }
    )
    jinja.add_filters(
        {
            "card_pile": card_pile,
            "asked_parts": asked_parts,
            "card_name": card_name,
            "card_text": card_text,
            "chosen_option": chosen_option,
            "picture": picture,
        }
    )
