"""The plays of a group as a file to download, with keys of people and games that stay the same."""

import tempfile
import zipfile
from collections import Counter
from dataclasses import replace
from typing import IO

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.text import slugify

from gamenights.plays.models import Play
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import Scoring
from gamenights.shelf.models import Game
from gamenights.transfer.core import FileGame, FilePerson, PlaysFile, write_bg_stats, write_bgg_xml, write_csv
from gamenights.transfer.core.parsed_plays import read_key
from gamenights.transfer.models import PersonKey, own_game_key, own_key
from groups.models import Group
from photos.models import Photo

MAX_PHOTOS = 500
FORMS = {
    "bgstats": (write_bg_stats, "application/json", "json"),
    "bgg": (write_bgg_xml, "application/xml", "xml"),
    "csv": (write_csv, "text/csv; charset=utf-8", "csv"),
}


def export_response(group: Group, form: str) -> HttpResponseBase:
    if form == "photos":
        return FileResponse(write_archive(group), content_type="application/zip", headers=_download(group, "zip"))
    if form not in FORMS:
        raise Http404
    write, content_type, ending = FORMS[form]
    content = write(load_as_file(group), group.tzinfo)
    return HttpResponse(content, content_type=content_type, headers=_download(group, ending))


def _download(group: Group, ending: str) -> dict[str, str]:
    name = f"plays-{slugify(group.name)[:60] or group.code}-{timezone.localdate():%Y-%m-%d}.{ending}"
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def load_as_file(group: Group) -> PlaysFile:
    """All plays of the group, with keys that stay the same."""
    plays = load_facts(plays_of_group(group))
    keys: dict[str, str] = {}
    for row in PersonKey.objects.filter(group=group).select_related("person").order_by("-pk"):
        keys[str(row.person.merged_into_id or row.person_id)] = row.key
    names = {player.person: player.name for play in plays for player in play.players if player.person}
    person_keys = {person: keys.get(person) or own_key(group, int(person)) for person in names}
    wanted = {int(play.game) for play in plays}
    games = {str(game.pk): game for game in Game.objects.filter(group=group, pk__in=wanted)}
    game_keys = {pk: read_key("game", game.uuid) or own_game_key(group, game.pk) for pk, game in games.items()}
    return PlaysFile(
        people=tuple(FilePerson(person_keys[person], name) for person, name in names.items()),
        games=tuple(
            FileGame(
                game_keys[pk],
                game.name,
                Scoring(game.scoring),
                game.bgg_id,
                game.players_min,
                game.players_max,
                game.minutes,
            )
            for pk, game in games.items()
        ),
        plays=tuple(
            replace(
                play,
                uuid=read_key("play", play.uuid),
                game=game_keys[play.game],
                players=tuple(replace(player, person=person_keys.get(player.person, "")) for player in play.players),
            )
            for play in plays
        ),
    )


def write_archive(group: Group) -> IO[bytes]:
    """``plays.json`` for BG Stats, and the newest photos, named by the uuid of their play; none that was reported."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  (the answer to the request closes it)
    plays = dict(Play.objects.filter(group=group).standing().values_list("pk", "uuid"))
    photos = Photo.objects.filter(kind="play", target__in=list(plays)).shown().order_by("-pk")[:MAX_PHOTOS]
    numbers: Counter[int] = Counter()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "plays.json", write_bg_stats(load_as_file(group), group.tzinfo), compress_type=zipfile.ZIP_DEFLATED
        )
        for photo in sorted(photos, key=lambda row: row.pk):
            numbers[photo.target] += 1
            if photo.path.exists():
                name = f"photos/{read_key('play', plays[photo.target])}-{numbers[photo.target]}.jpg"
                archive.write(photo.path, name)
    file.seek(0)
    return file
