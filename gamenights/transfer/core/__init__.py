"""Files of plays, in and out. Knows no Django: bytes in, values and a list of what was left out."""

from gamenights.transfer.core.bg_stats_export import write_bg_stats
from gamenights.transfer.core.bgg_xml_export import write_bgg_xml
from gamenights.transfer.core.csv_export import write_csv
from gamenights.transfer.core.plays_file import FileGame, FilePerson, LeftOut, PlaysFile
from gamenights.transfer.core.reading import read_plays_file

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
