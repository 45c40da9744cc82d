"""What apps above show on a group's page: built with the request, the group and the viewer's role."""

from __future__ import annotations

from pages.drawn_parts import PageParts

GROUP_PAGE = PageParts()
