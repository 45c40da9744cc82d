"""A play ready to draw: a row of a list, its page, and the form with what was entered."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from dataclass_json import Ask, stored_as
from gamenights.plays.entries import (
    ChangeProposed,
    ChangeRejected,
    PlayChanged,
    PlayEntry,
    PlayLogged,
    PlayMoved,
    PlayRemoved,
    PlayRestored,
    Settleable,
)
from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.permissions import can_agree
from gamenights.plays.selectors import load_facts, names_of
from gamenights.plays.services import find_proposal, load_play_entry
from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, format_day, format_score
from groups.models import Group
from heraldry import Arms
from log.models import Entry
from pages.cached_parts import PagePart
from pages.home_items import HomeItem
from people.models import Person
from people.name_validation import inline_name
from people.requester import Who
from prepared_queries import prepared_query
from text import join_list

MAX_PLAYS = 5  # on the group's page


@dataclass(frozen=True, slots=True)
class PlayerRow:
    name: str
    arms: Arms | None
    score: str
    place: str
    won: bool
    team: str
    role: str
    started: bool


@dataclass(frozen=True, slots=True)
class PlayRow:
    url: str
    title: str
    variant: str
    text: str
    at: dt.datetime | None
    day: dt.date
    minutes: int | None
    winners: tuple[PlayerRow, ...]
    players: tuple[PlayerRow, ...]
    ending: str
    notes: str


def build_play_rows(plays: QuerySet[Play], group: Group) -> list[PlayRow]:
    """Rows in the order of play."""
    facts = load_facts(plays)
    arms = arms_of({int(player.person) for play in facts for player in play.players if player.person})
    return [build_play_row(play, group, arms) for play in facts]


def plays_part(request: HttpRequest, group: Group, role: str) -> PagePart:
    """The last plays, on the group's page."""
    last = Play.objects.filter(group=group).standing().order_by("-day", "-logged_at").values("pk")[:MAX_PLAYS]
    rows = build_play_rows(Play.objects.filter(pk__in=list(last.values_list("pk", flat=True))), group)
    return PagePart("gamenights/plays/_of_group.html", {"plays": rows[::-1]})


def arms_of(ids: Iterable[int]) -> dict[int, Arms]:
    return {person.pk: person.arms for person in Person.objects.filter(pk__in=set(ids))}


def build_play_row(play: PlayFacts, group: Group, arms: dict[int, Arms]) -> PlayRow:
    players = tuple(_player_row(player, play, arms) for player in in_order(play))
    words = [f"{inline_name(row.name)} {row.score}".strip() for row in players]
    return PlayRow(
        url=reverse("gamenights:play", args=[group.code, play.uuid]),
        title=play.game_name,
        variant=play.variant.label,
        text=", ".join(words) + (f", {play.minutes} min" if play.minutes else ""),
        at=play.started_at or play.logged_at,
        day=play.day,
        minutes=play.minutes,
        winners=tuple(row for row in players if row.won),
        players=players,
        ending=describe_ending(play),
        notes=play.notes,
    )


def in_order(play: PlayFacts) -> list[PlayerResult]:
    """Winners first, then by place."""
    return sorted(play.players, key=lambda one: (not one.won, one.place or len(play.players) + 1))


def _player_row(player: PlayerResult, play: PlayFacts, arms: dict[int, Arms]) -> PlayerRow:
    return PlayerRow(
        name=player.name,
        arms=arms.get(int(player.person)) if player.person else None,
        score=format_score(player.score) or player.score_text,
        place=ordinal(player.place) if player.place else "",
        won=player.won,
        team=player.team,
        role=player.role,
        started=player.started,
    )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th … 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def describe_ending(play: PlayFacts) -> str:
    """Who won, in a sentence."""
    if play.scoring is Scoring.COOPERATIVE:
        return "Won together." if play.winners else "Lost together."
    if play.is_solo and play.players and not play.winners:
        score = format_score(play.players[0].score)
        return f"{inline_name(play.players[0].name)} scored {score}." if score else "Played solo."
    names = [inline_name(player.name) for player in play.winners]
    if not names:
        return "Nobody won."
    best = play.winners[0].score
    points = f" with {format_score(best)}" if best is not None and not play.has_teams else ""
    return f"{join_list(names)} won{points}."


# ── History ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HistoryRow:
    api_name = "PlayHistory"

    at: dt.datetime
    text: str
    detail: Annotated[str, Ask("Result", "As it was entered then.")] = field(metadata=stored_as("result"))


WHAT: dict[str, str] = {
    PlayLogged.key: "logged it",
    PlayChanged.key: "changed it",
    PlayMoved.key: "moved it to another night",
    PlayRemoved.key: "removed it",
    PlayRestored.key: "restored it",
    ChangeRejected.key: "rejected the change",
}
PROPOSALS: dict[str, str] = {
    PlayChanged.key: "wants to change it",
    PlayRemoved.key: "wants to remove it",
    PlayRestored.key: "wants to restore it",
}


def build_history(play: Play) -> list[HistoryRow]:
    """Everything that was done with this play, newest first, with the result as it was entered."""
    entries = Entry.objects.filter(log=play.group.log_id, number__in=play.entries).select_related("actor__merged_into")
    rows = [(row, load_play_entry(row)) for row in entries.order_by("-number")]
    proposers = {row.number: row.actor for row, entry in rows if isinstance(entry, ChangeProposed)}
    facts = {row.pk: then for row, entry in rows if (then := _facts_in(entry))}
    names = names_of({int(player.person) for then in facts.values() for player in then.players if player.person})
    history: list[HistoryRow] = []
    for row, entry in rows:
        text = f"{_actor_name(row.actor)} {describe_entry(entry)}."
        settles = entry.settles if isinstance(entry, Settleable) else None
        if settles is not None and (proposer := proposers.get(settles)):
            text = f"{_actor_name(row.actor)} agreed: {_actor_name(proposer)} {WHAT[entry.key]}."
        history.append(HistoryRow(row.entered_at, text, describe_scores(facts.get(row.pk), names)))
    return history


def describe_entry(entry: PlayEntry) -> str:
    return PROPOSALS[entry.proposes] if isinstance(entry, ChangeProposed) else WHAT[entry.key]


def _facts_in(entry: PlayEntry) -> PlayFacts | None:
    match entry:
        case PlayLogged() | PlayChanged():
            return entry.facts
        case ChangeProposed():
            return entry.proposed.facts
    return None


def _actor_name(actor: Person | None) -> str:
    return inline_name(actor.root.name) if actor else "The site"


def describe_scores(play: PlayFacts | None, names: dict[int, str]) -> str:
    return ", ".join(
        f"{inline_name(names.get(int(player.person), 'Someone') if player.person else player.name)} "
        f"{format_score(player.score) or player.score_text}".strip()
        for player in (in_order(play) if play else ())
    )


@dataclass(frozen=True, slots=True)
class ProposalDisplay:
    """A change that waits for consent."""

    api_name = "Proposal"

    entry: Annotated[int, Ask("Id", "Agree to it or reject it with this id.")] = field(metadata=stored_as("id"))
    text: str
    game: Annotated[str, Ask("Game", "The new game, if it is another.")]
    detail: Annotated[str, Ask("Result", "As it would be.")] = field(metadata=stored_as("result"))
    can_agree: bool = field(metadata=stored_as("may_settle"))
    is_own: bool = field(metadata=stored_as("is_mine"))


def build_proposal(play: Play, who: Who) -> ProposalDisplay | None:
    entry = find_proposal(play)
    if entry is None:
        return None
    proposed = load_play_entry(entry)
    facts = _facts_in(proposed)
    names = names_of({int(player.person) for player in facts.players if player.person}) if facts else {}
    return ProposalDisplay(
        entry=entry.number,
        text=f"{_actor_name(entry.actor)} {describe_entry(proposed)}.",
        game=facts.game_name if facts and facts.game != str(play.game_id) else "",
        detail=describe_scores(facts, names),
        can_agree=can_agree(play, who, entry.actor_id),
        is_own=who.person is not None and entry.actor_id in who.person.all_ids(),
    )


# ── On the home page ─────────────────────────────────────────────────────────────────────────────────────

MAX_HOME_ITEMS = 6


def plays_with_proposals(who: Who, since: dt.datetime | None = None) -> QuerySet[Play]:
    mine = PlayPlayer.objects.filter(person__in=who.person.all_ids() if who.person else ()).values("play")
    hosted = Group.objects.hosted_by(who).values("pk")
    asked = (Q(pk__in=mine) & ~Q(group__consent=Group.Consent.HOST)) | Q(group__in=hosted)
    return Play.objects.filter(asked, waiting_entry__isnull=False).select_related("group", "game")


@prepared_query
def _first_plays_with_proposals(who: Who) -> QuerySet[Play]:
    return plays_with_proposals(who)[:MAX_HOME_ITEMS]


def proposal_items(request: HttpRequest) -> Iterator[HomeItem]:
    """Changes of plays that wait for this person's consent."""
    if request.who.person is None:
        return
    for play in _first_plays_with_proposals(request.who):
        proposal = build_proposal(play, request.who)
        if proposal and proposal.can_agree:
            title = f"{play.game.name}, {format_day(play.day)}"
            yield HomeItem(
                "me", title, f"{proposal.text} {proposal.detail}".strip(), play.get_absolute_url(), "Decide", "c-hand"
            )
