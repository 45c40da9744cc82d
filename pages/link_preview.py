"""Open Graph tags, which messengers show for a link to a public page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.site_address_for_guests import base_url

PICTURE_SIZE = (1200, 630)  # works in every messenger


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """Drawn by templates/_share.html, with full addresses."""

    title: str
    description: str
    url: str
    picture: str
    picture_alt: str
    width: int = PICTURE_SIZE[0]
    height: int = PICTURE_SIZE[1]


def make_link_preview(title: str, description: str, path: str, picture: str, picture_alt: str) -> LinkPreview:
    base = base_url()
    return LinkPreview(title, description, base + path, base + picture, picture_alt)
