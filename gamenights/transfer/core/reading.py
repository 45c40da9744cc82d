"""Read a file of plays, whatever its format: the first character tells."""

from __future__ import annotations

import datetime as dt

from gamenights.transfer.core.bg_stats_import import read_bg_stats
from gamenights.transfer.core.bgg_xml_import import read_bgg_xml
from gamenights.transfer.core.csv_import import read_csv
from gamenights.transfer.core.plays_file import LARGEST_FILE, PlaysFile
from refusal import Refusal


def read_plays_file(data: bytes, today: dt.date, zone: dt.tzinfo) -> PlaysFile:
    """What the file holds. A file that cannot be read at all is refused."""
    if len(data) > LARGEST_FILE:
        raise Refusal("The file is larger than 20 MB. Export a shorter period.", field="file")
    if not data.strip():
        raise Refusal("The file is empty.", field="file")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return read_bgg_xml(data, today, zone)
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal("The file is not text in UTF-8. Save it as UTF-8 and send it again.", field="file") from None
    if text.lstrip().startswith(("{", "[")):
        return read_bg_stats(text, today, zone)
    return read_csv(text, today, zone)
