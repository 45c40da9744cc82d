"""Writes plays: log, change, remove, restore, move to another night. Each is an entry in the group's log.

The rows are worked out from the entries by ``apply_entry`` alone, so ``rebuild_plays`` gives the same rows again.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from gamenights.nights.models import Night
from gamenights.notices import occasions
from gamenights.plays.entries import (
    ENTRIES,
    ChangeProposed,
    ChangeRejected,
    PlayChanged,
    PlayEntry,
    PlayLogged,
    PlayMoved,
    PlayRemoved,
    PlayRestored,
    Settleable,
    SettleChange,
    SourceWord,
)
from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.permissions import WHO_AGREES, can_agree, needs_consent, require_edit
from gamenights.plays.values import PlayFacts, check_play, complete_play, play_from_json
from gamenights.shelf.models import Game
from gamenights.standings import services as standings_services
from groups.entries import Body, load_sent, write_body
from groups.models import Group
from log import services as log_services
from log.models import Entry
from people.requester import Who
from refusal import Refusal

ACTS = tuple(kind.key for kind in ENTRIES)
# Fields of a player that are stored as they are.
SAME_IN_ROW = ("score", "score_text", "team", "role", "place", "won", "started", "new", "bot")
NOT_WAITING = "This change no longer waits for consent. Reload the page."
FROM_ELSEWHERE = {
    Play.Source.RESULT: "This play comes from a card table. Its result cannot be changed here.",
    Play.Source.BATTLE: "This play comes from a battle. Correct the battle's result instead.",
}


def prepare(group: Group, facts: PlayFacts) -> PlayFacts:
    """The play with places and winners worked out, or a refusal at the field concerned."""
    facts = complete_play(facts)
    # After midnight the calendar is a day ahead of the evening, and either day is right.
    check_play(facts, timezone.now().astimezone(group.tzinfo).date())
    return facts


def log_play(group: Group, who: Who, *, key: str, facts: PlayFacts, night: Night | None = None) -> Play:
    """Log a play, once per key and once per uuid: a draft that is sent again is answered, not logged again."""
    facts = prepare(group, replace(facts, logged_at=facts.logged_at or timezone.now()))
    logged = PlayLogged(facts.uuid, night.pk if night else None, without_names(facts))

    def work(writer: log_services.LogWriter) -> log_services.Answer:
        if Play.objects.filter(group=group, uuid=facts.uuid).exists():
            return {"play": facts.uuid}
        return {"play": facts.uuid, "entry": append_play(group, writer, logged, _actor_id(who), facts.day)}

    # The moment it arrived is not part of what was sent.
    sent = _sent_body(replace(logged, facts=replace(logged.facts, logged_at=None)))
    answer = log_services.write(group.log_id, who=who.ref, key=key, body=sent, act=work)
    return Play.objects.get(group=group, uuid=answer["play"])


def append_play(group: Group, writer: log_services.LogWriter, entry: PlayEntry, actor: int | None, day: dt.date) -> int:
    """One entry about a play, and its rows. Returns the number of the entry."""
    written = writer.append(entry.key, actor=actor, body=write_body(entry.key, entry), played_on=day)
    apply_entry(group, written, entry)
    return written.number


def _actor_id(who: Who) -> int | None:
    return who.person.pk if who.person else None


def _sent_body(entry: PlayEntry) -> log_services.Answer:
    return {"act": entry.key, **write_body(entry.key, entry)}


def without_names(facts: PlayFacts) -> PlayFacts:
    """Names of people are left out: only their ids are stored in a log."""
    return replace(
        facts, players=tuple(replace(player, name="") if player.person else player for player in facts.players)
    )


def change_play(play: Play, who: Who, *, key: str, facts: PlayFacts) -> Play:
    require_edit(play, who)
    if play.source in FROM_ELSEWHERE:
        raise Refusal(FROM_ELSEWHERE[Play.Source(play.source)], status=409)
    facts = prepare(play.group, replace(facts, uuid=play.uuid, logged_at=play.logged_at))
    return _write_or_propose(play, who, key, PlayChanged(play.uuid, without_names(facts)))


def remove_play(play: Play, who: Who, *, key: str) -> Play:
    require_edit(play, who)
    return _write_or_propose(play, who, key, PlayRemoved(play.uuid))


def restore_play(play: Play, who: Who, *, key: str) -> Play:
    require_edit(play, who)
    return _write_or_propose(play, who, key, PlayRestored(play.uuid))


def move_play(play: Play, who: Who, *, key: str, night: Night | None) -> Play:
    """To another night of the same group, or to none."""
    require_edit(play, who)
    if night is not None and night.group_id != play.group_id:
        raise Refusal("Choose a night of the same group.", field="night")
    return _write(play, who, key, PlayMoved(play.uuid, night.pk if night else None))


def _write(play: Play, who: Who, key: str, sent: PlayEntry, decide: Callable[[], PlayEntry] | None = None) -> Play:
    """One entry about a play. ``decide``, called with the log locked, can make another entry of what was sent."""

    def work(writer: log_services.LogWriter) -> log_services.Answer:
        entry = decide() if decide else sent
        return {"entry": append_play(play.group, writer, entry, _actor_id(who), play.day)}

    log_services.write(play.group.log_id, who=who.ref, key=key, body=_sent_body(sent), act=work)
    play.refresh_from_db()
    return play


# ── Consent ──────────────────────────────────────────────────────────────────────────────────────────────


def _write_or_propose(play: Play, who: Who, key: str, wanted: Settleable) -> Play:
    """Change the play; or, where the group wants someone else to agree, propose the change."""
    proposes = needs_consent(play, who)

    def decide() -> PlayEntry:
        waiting = Play.objects.values_list("waiting_entry", flat=True).get(pk=play.pk)
        if not proposes:
            return replace(wanted, settles=waiting)
        if waiting is not None:
            raise Refusal("A change of this play is already waiting. Agree to it or reject it first.", status=409)
        occasions.notify_of_proposal(play, who)
        return ChangeProposed.of(wanted)

    return _write(play, who, key, wanted, decide)


def find_proposal(play: Play) -> Entry | None:
    """The entry of the change that waits for consent."""
    if play.waiting_entry is None:
        return None
    return Entry.objects.select_related("actor__merged_into").get(log=play.group.log_id, number=play.waiting_entry)


def settle_change(play: Play, who: Who, *, key: str, proposal: int, agree: bool) -> Play:
    """Agree to the change that this entry proposed, reject it, or withdraw your own."""
    rows = Entry.objects.filter(log=play.group.log_id, number=proposal, act=ChangeProposed.key)
    entry = rows.filter(body__play=play.uuid).first()
    if entry is None:
        raise Refusal(NOT_WAITING, status=409)
    change = load_play_entry(entry)
    assert isinstance(change, ChangeProposed)
    is_own = who.person is not None and entry.actor_id in who.person.all_ids()
    if not can_agree(play, who, entry.actor_id) and (agree or not is_own):
        raise Refusal(WHO_AGREES[Group.Consent(play.group.consent)], status=403)

    def decide() -> PlayEntry:
        if Play.objects.values_list("waiting_entry", flat=True).get(pk=play.pk) != proposal:
            raise Refusal(NOT_WAITING, status=409)
        return change.settled_by(proposal) if agree else ChangeRejected(play.uuid, proposal)

    return _write(play, who, key, SettleChange(play.uuid, proposal, agree), decide)


@dataclass(frozen=True, slots=True)
class NewPlay:
    """A play with places and winners worked out, and the body of the entry that logs it."""

    facts: PlayFacts
    body: Body
    source: SourceWord


def prepare_many(plays: Iterable[PlayFacts], source: SourceWord) -> list[NewPlay]:
    """All the work that needs no lock."""
    now = timezone.now()
    prepared = []
    for play in plays:
        facts = complete_play(replace(play, logged_at=play.logged_at or now))
        logged = PlayLogged(facts.uuid, None, without_names(facts), source)
        prepared.append(NewPlay(facts, write_body(logged.key, logged), source))
    return prepared


def append_plays(group: Group, writer: log_services.LogWriter, actor: int, plays: Sequence[NewPlay]) -> None:
    """Many new plays at once, each an entry of its own. Part of the caller's write to the group's log."""
    entries = writer.append_many(PlayLogged.key, ((play.body, play.facts.day) for play in plays), actor=actor)
    rows = []
    for new, entry in zip(plays, entries, strict=True):
        row = Play(group=group, uuid=new.facts.uuid, logged_by_id=actor, source=new.source, entries=[entry.number])
        _set_fields(row, new.facts, entry.entered_at)
        rows.append(row)
    Play.objects.bulk_create(rows, batch_size=500)
    players = [player for row, new in zip(rows, plays, strict=True) for player in player_rows(row, new.facts)]
    PlayPlayer.objects.bulk_create(players, batch_size=500)
    if plays:
        standings_services.forget_since(group.pk, min(play.facts.day for play in plays))


# ── From entries to rows ─────────────────────────────────────────────────────────────────────────────────


def apply_entry(group: Group, row: Entry, entry: PlayEntry) -> None:
    """Bring the rows in line with one entry about a play."""
    play = Play.objects.filter(group=group, uuid=entry.play).first()
    if play is not None:
        standings_services.forget_play(play)
    if isinstance(entry, PlayLogged):
        play = play or Play(group=group, uuid=entry.play)
        play.entries = []
        play.logged_by_id, play.removed_at, play.waiting_entry = row.actor_id, None, None
        play.source, play.result_id, play.battle_id = entry.source, entry.result, entry.battle
    assert play is not None
    match entry:
        case PlayLogged() | PlayMoved():
            play.night_id = entry.night
        case ChangeProposed():
            play.waiting_entry = row.number
        case PlayRemoved():
            play.removed_at = row.entered_at
        case PlayRestored():
            play.removed_at = None
    if isinstance(entry, Settleable | ChangeRejected) and entry.settles == play.waiting_entry:
        play.waiting_entry = None
    facts = entry.facts if isinstance(entry, (PlayLogged, PlayChanged)) else None
    if facts is not None:
        _set_fields(play, facts, row.entered_at)
    play.entries = [*play.entries, row.number]
    play.save()
    standings_services.forget_play(play)
    if facts is not None:
        play.players.all().delete()
        PlayPlayer.objects.bulk_create(player_rows(play, facts))


def load_play_entry(row: Entry) -> PlayEntry:
    """The entry in a row of the group's log that is about a play."""
    entry = load_sent(row.act, row.body)
    assert isinstance(entry, PlayEntry)
    return entry


def last_facts(play: Play) -> PlayFacts | None:
    """What the log says of this play now."""
    rows = Entry.objects.filter(log=play.group.log_id, number__in=play.entries, body__has_key="facts")
    facts = rows.order_by("number").values_list("body__facts", flat=True).last()
    return play_from_json(facts) if facts else None


def _set_fields(play: Play, facts: PlayFacts, entered_at: dt.datetime) -> None:
    play.game_id = int(facts.game)
    play.day, play.started_at, play.minutes = facts.day, facts.started_at, facts.minutes
    play.logged_at = facts.logged_at or entered_at
    play.scoring, play.variant = facts.scoring.value, facts.variant.key
    play.rated, play.counted = facts.rated, facts.counted
    play.location, play.board, play.notes = facts.location, facts.board, facts.notes


def player_rows(play: Play, facts: PlayFacts) -> list[PlayPlayer]:
    return [
        PlayPlayer(
            play=play,
            number=number,
            person_id=int(player.person) if player.person else None,
            label="" if player.person else player.name,
            **{name: getattr(player, name) for name in SAME_IN_ROW},
        )
        for number, player in enumerate(facts.players)
    ]


def rebuild_plays(group: Group) -> int:
    """Work out every play of the group again from its log."""
    rows = Entry.objects.filter(log=group.log_id, act__in=ACTS).order_by("number")
    for row in rows.iterator():
        apply_entry(group, row, load_play_entry(row))
    return rows.count()


# ── Games by name ────────────────────────────────────────────────────────────────────────────────────────


def find_or_add_game(group: Group, name: str, defaults: Mapping[str, Any] | None = None) -> Game:
    """The group's game of this name, whatever the capitals, or a new one."""
    return Game.objects.get_or_create(
        group=group, name_key=name.casefold(), defaults={"name": name, **(defaults or {})}
    )[0]


def with_game(facts: PlayFacts, game: Game) -> PlayFacts:
    return replace(facts, game=str(game.pk), game_name=game.name)
