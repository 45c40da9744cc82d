"""The content of a sheet: its fingerprint, and the JSON that the template reads, with shields and maps drawn.

A picture stands in the JSON once, however often it is shown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from campaign.map.sheet import MapSheet
from heraldry import Arms, standalone
from jobs.kinds import Progress
from printing.realm import Realm


def fingerprint(sheet: str, data: Any) -> str:
    """Says what a print says: two prints agree exactly if their fingerprints do, whatever paper and ink."""
    text = json.dumps([sheet, data], default=_plain, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def shown(digest: str) -> str:
    """The first twelve digits, in three groups."""
    return "·".join(digest[at : at + 4] for at in (0, 4, 8))


def _plain(thing: object) -> object:
    if isinstance(thing, Arms):
        return thing.to_dict()
    if isinstance(thing, MapSheet):
        crowns = [(c.id, c.number, c.name, c.arms, c.livery.tincture, c.livery.difference) for c in thing.crowns]
        return [thing.seed, crowns, [(g.key, g.name, g.holder, g.contested) for g in thing.grounds]]
    raise TypeError(f"{type(thing).__name__} cannot stand on a sheet")


def maps_in(data: object) -> Iterator[MapSheet]:
    if isinstance(data, MapSheet):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from maps_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from maps_in(value)


def drawn(data: dict[str, Any], *, saves_ink: bool, progress: Progress) -> str:
    """The JSON for the template."""
    maps = sum(1 for _ in maps_in(data))
    pictures: dict[str, str] = {}
    realm = Realm(pictures, saves_ink=saves_ink)
    done = 0

    def default(thing: object) -> object:
        nonlocal done
        if isinstance(thing, Arms):
            return shield(thing, pictures, saves_ink)
        if isinstance(thing, MapSheet):
            done += 1
            progress("Drawing maps", done, maps)
            return realm.draw(thing, lambda arms: shield(arms, pictures, saves_ink))
        raise TypeError(f"{type(thing).__name__} cannot stand on a sheet")

    body = json.dumps(data, default=default, ensure_ascii=False)
    return f'{{"pictures":{json.dumps(pictures)},"sheet":{body}}}'


def shield(arms: Arms, pictures: dict[str, str], saves_ink: bool) -> dict[str, str]:
    blazon = arms.blazon()
    key = f"arms: {blazon}"
    if key not in pictures:
        pictures[key] = standalone(arms, ink=saves_ink)
    return {"picture": key, "alt": f"Arms: {blazon}"}
