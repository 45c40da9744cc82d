"""What apps above show on a group's page: built with the request, the group and the viewer's role."""

from __future__ import annotations

from pages.parts_added_by_apps import PageParts

GROUP_PAGE = PageParts()
