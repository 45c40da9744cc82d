"""Who may do what under /print/: rows for tests/site/test_roles.py, and pages for tests/site/test_every_page.py."""

from __future__ import annotations

from typing import Any

# route  method  nobody stranger guest player master owner
TABLE = """
/print/                                        GET       200    200    200    200    200    200
/print/is/<slug:fingerprint>/                  GET       404    404    200    200    200    404
/print/made/<job:ref>/                          GET       404    404    302    302    302    404
/print/made/<job:ref>/file/                     GET       404    404    200    200    200    404
/print/made/<job:ref>/<int:page>.png            GET       404    404    200    200    200    404
/print/<slug:sheet>/                           GET       404    404    404    404    404    404
/print/<slug:sheet>/<slug:subject>/            GET       404    404    200    200    200    404
/api/v1/print/                                 GET       200    200    200    200    200    200
/api/v1/print/is/<slug:fingerprint>/           GET       404    404    200    200    200    404
/api/v1/print/<job:ref>/                        GET       404    404    200    200    200    404
/api/v1/print/of/<slug:sheet>/                 GET     200    200    200    200    200    200
/api/v1/print/<job:ref>/file/                  GET     404    404    200    200    200    404
/api/v1/print/<job:ref>/<int:page>.png         GET     404    404    200    200    200    404
"""

# Addresses that answer with no page of their own: fragments, files.
NOT_PAGES: tuple[str, ...] = (
    "/print/made/<job:ref>/",
    "/print/made/<job:ref>/file/",
    "/print/made/<job:ref>/<int:page>.png",
)


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    """A print of the campaign map ordered by its game master: everyone who sees the campaign sees the print."""
    from pathlib import Path

    from django.conf import settings

    from jobs.models import Job
    from people.requester import Who
    from printing import orders
    from printing.models import Edition
    from printing.sheet_registry import PaperSetting

    asked = orders.build_order(Who.of(cast["master"]), "campaign-map", campaign.code, PaperSetting())
    facts = {"fingerprint": asked.fingerprint[:12], "key": asked.key, "pages": 1}
    folder = Path(settings.MEDIA_ROOT) / "jobs" / "roles-print"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("sheet.pdf", "1.png"):
        (folder / name).write_bytes(b"a leaf")
    job = Job.objects.create(
        kind=orders.KIND,
        args=asked.args(Who.of(cast["master"])),
        owner=cast["master"],
        state="done",
        key=asked.key,
        result=facts,
        file="jobs/roles-print/sheet.pdf",
        saved_as="map.pdf",
    )
    edition = Edition.objects.create(fingerprint=facts["fingerprint"], sheet="campaign-map", subject=campaign.code)
    return {
        "fingerprint": edition.fingerprint,
        "ref": job.token,
        "page": 1,
        "sheet": "campaign-map",
        "subject": campaign.code,
    }


def demo_addresses(hall: Any) -> list[str]:
    """Demo pages whose addresses contain a name."""
    return [
        "/print/quick-reference/",
        f"/print/campaign-map/{hall.code}/",
        f"/print/chronicle/{hall.code}-1/",
        "/print/deck/menagerie/",
    ]
