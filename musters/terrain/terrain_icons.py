"""An icon for each kind of terrain, centred on the piece: 60 units are 3 inches."""

from __future__ import annotations

# Path data within a circle of radius 26; the middle is for a number.
TERRAIN_ICONS: dict[str, str] = {
    "clear": "",
    "mound": "M-22 0a22 22 0 1 0 44 0a22 22 0 1 0-44 0M-15 0a15 15 0 1 0 30 0a15 15 0 1 0-30 0",
    "tall_patch": (
        "M-20 4c0-7 3-10 6-12c1 6-1 10-6 12zm0 0c-5-2-6-6-5-11M20 4c0-7-3-10-6-12c-1 6 1 10 6 12zm0 0c5-2 6-6 5-11"
        "M-6-15c0-6 3-8 6-10c3 2 6 4 6 10M0-14v-8M-8 24c0-6 3-8 6-9c1 5-1 8-6 9zm16 0c0-6-3-8-6-9c-1 5 1 8 6 9z"
    ),
    "barrier": (
        "M-25-4c3-5 8-5 10 0M-25 4c3-5 8-5 10 0M25-4c-3-5-8-5-10 0M25 4c-3-5-8-5-10 0M-10-19c3-5 8-5 10 0c2-5 7-5 10 0"
        "M-10 21c3-5 8-5 10 0c2-5 7-5 10 0"
    ),
    "bad_goings": "M-23-3h6m2 7h4M17-3h6m-12 7h4M-8-19h6m3 4h7M-9 19h7m2 4h6M-17-13h3M14 13h4",
    "fortress": "M-22-22h8v5h6v-5h16v5h6v-5h8v8h-5v6h5v16h-5v6h5v8h-8v-5h-6v5h-16v-5h-6v5h-8v-8h5v-6h-5v-16h5v-6h-5z",
    "obstacle": "M-16-18L2-25L19-16L25 3L16 20L-4 25L-21 16L-25-3zM-16-18L-9-12M19-16L12-11M16 20L11 13M-21 16L-13 11",
    "building": "M-19 23V-6L0-24L19-6V23zM-24-1L0-24L24-1",
    "impassable": (
        "M-24-6c4-5 8-5 11 0M13-6c4-5 8-5 11 0M-12-17c4-5 8-5 12 0c4 5 8 5 12 0M-12 17c4-5 8-5 12 0c4 5 8 5 12 0"
        "M-24 6c4-5 8-5 11 0M13 6c4-5 8-5 11 0"
    ),
}
