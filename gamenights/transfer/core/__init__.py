"""Files of plays, in and out. Knows no Django: bytes in, values and a list of what was left out."""

import datetime as dt

from gamenights.transfer.core.bg_stats import read_bg_stats, write_bg_stats
from gamenights.transfer.core.bgg_xml import read_bgg_xml, write_bgg_xml
from gamenights.transfer.core.csv_table import read_csv, write_csv
from gamenights.transfer.core.parsed_plays import FileGame, FilePerson, LeftOut, PlaysFile, check_size
from refusal import Refusal

__all__ = [
    "FileGame",
    "FilePerson",
    "LeftOut",
    "PlaysFile",
    "read_plays_file",
    "write_bg_stats",
    "write_bgg_xml",
    "write_csv",
]


def read_plays_file(data: bytes, today: dt.date, zone: dt.tzinfo) -> PlaysFile:
    """What the file holds; its first character tells the format. A file that cannot be read at all is refused."""
    check_size(data)
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
