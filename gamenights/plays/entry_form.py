"""The form in which a play is entered: what to show in it, and how to read it."""

import contextlib
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from django.http import QueryDict
from django.utils import timezone

from gamenights.nights.models import Night
from gamenights.plays.models import Play
from gamenights.plays.selectors import load_facts, recent_games
from gamenights.plays.services import find_or_add_game, prepare
from gamenights.plays.values import (
    PlayerResult,
    PlayFacts,
    Scoring,
    Variant,
    day_of,
    format_score,
    is_rated_by_default,
    new_uuid,
)
from gamenights.shelf.models import Game, scoring_choices
from groups.models import Group
from groups.selectors import people_of
from pages.number_parsing import parse_int
from people import guests as guests_services
from people.models import Person
from people.name_validation import clean_name, clean_text, shorten_name
from people.requester import Who
from refusal import Refusal

OTHER = "other"
NEW = "new:"
MAX_PRESELECTED = 6
VARIANTS = {"family": "Family rules", "brisk": "Brisk game", "bots": "With bots", "roles": "With roles"}


@dataclass(slots=True)
class EntryRow:
    """One person in the form."""

    person: Person
    plays: bool
    score: str = ""
    won: bool = False
    team: str = ""
    role: str = ""
    place: str = ""
    error: str = ""

    @property
    def pk(self) -> int:
        return self.person.pk


@dataclass(slots=True)
class EntryForm:
    """What the page shows: values as they were typed, and a sentence at each field that is wrong."""

    group: Group
    night: Night | None
    uuid: str
    day: str
    games: Sequence[Game]
    rows: list[EntryRow]
    game: str = ""
    other: str = ""
    scoring: str = Scoring.HIGH.value
    together: str = ""
    minutes: str = ""
    begun: str = ""
    started: str = ""
    notes: str = ""
    new_name: str = ""
    deck: str = ""
    variant: dict[str, bool] = field(default_factory=dict)
    rated: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def scorings(self) -> list[tuple[str, str]]:
        return scoring_choices()

    @property
    def variants(self) -> list[tuple[str, str, bool]]:
        return [(key, label, self.variant.get(key, False)) for key, label in VARIANTS.items()]

    @property
    def playing(self) -> list[EntryRow]:
        return [row for row in self.rows if row.plays]

    def refuse(self, refusal: Refusal, order: Sequence[int] = ()) -> None:
        """Put the sentence at its field. Fields of players are numbered in the order of ``order``."""
        name = refusal.field or ""
        what, _, at = name.rpartition("-")
        if what in ("score", "name", "team", "role", "place") and at.isdigit() and int(at) < len(order):
            row = next((row for row in self.rows if row.pk == order[int(at)]), None)
            if row is not None:
                row.error = refusal.sentence
                return
        known = ("game", "players", "day", "minutes", "notes", "new_name")
        self.errors[name if name in known else "form"] = refusal.sentence


# ── What to show ─────────────────────────────────────────────────────────────────────────────────────────


def empty_form(group: Group, night: Night | None, same_as: Play | None = None) -> EntryForm:
    """A new play: everybody who is here, with the game and players of the play before if it is "same again"."""
    people, here = _people(group, night)
    day = day_of(timezone.now(), group.tzinfo)
    if night is not None and night.day is not None and night.is_over():
        day = night.day  # what is logged afterwards was played that night
    games = recent_games(group)
    form = EntryForm(group, night, new_uuid(), day.isoformat(), games, [])
    chosen = set(here) if len(here) <= MAX_PRESELECTED else set()
    if same_as is not None:
        before = load_facts(Play.objects.filter(pk=same_as.pk))[0]
        chosen = {int(player.person) for player in before.players if player.person}
        _use_game(form, before)
        form.scoring = before.scoring.value
    elif games:
        form.game, form.scoring = str(games[0].pk), games[0].scoring
    else:
        form.game = OTHER
    form.rows = [EntryRow(person, person.pk in chosen) for person in people]
    form.rows.sort(key=lambda row: (not row.plays, row.pk not in here))
    return form


def form_of_play(play: Play) -> EntryForm:
    """An existing play, to be changed."""
    facts = load_facts(Play.objects.filter(pk=play.pk))[0]
    people, _ = _people(play.group, play.night)
    results = {int(player.person): player for player in facts.players if player.person}
    people += list(Person.objects.filter(pk__in=set(results) - {person.pk for person in people}))
    form = EntryForm(play.group, play.night, play.uuid, facts.day.isoformat(), recent_games(play.group), [])
    _use_game(form, facts)
    form.scoring, form.notes = facts.scoring.value, facts.notes
    form.minutes = "" if facts.minutes is None else str(facts.minutes)
    form.deck = facts.variant.deck
    form.variant = {key: getattr(facts.variant, key) for key in VARIANTS}
    form.rated = "yes" if facts.rated else "no"
    form.together = "yes" if facts.scoring is Scoring.COOPERATIVE and facts.winners else "no"
    form.started = next((player.person for player in facts.players if player.started), "")
    marked = _is_marked(facts)
    for person in people:
        row = EntryRow(person, person.pk in results)
        if result := results.get(person.pk):
            row.score = result.score_text or format_score(result.score)
            row.team, row.role = result.team, result.role
            row.won = result.won and marked
        form.rows.append(row)
    order = [int(player.person) for player in facts.players if player.person]
    form.rows.sort(key=lambda row: order.index(row.pk) if row.pk in order else len(order))
    return form


def _is_marked(facts: PlayFacts) -> bool:
    """Somebody was named the winner, not only worked out from the points."""
    return facts.scoring not in (Scoring.HIGH, Scoring.LOW) or all(player.score is None for player in facts.players)


def _use_game(form: EntryForm, facts: PlayFacts) -> None:
    if facts.game not in {str(game.pk) for game in form.games}:
        form.games = [Game.objects.get(pk=facts.game), *form.games]
    form.game = facts.game


def _people(group: Group, night: Night | None) -> tuple[list[Person], list[int]]:
    """Everybody of the night and the group, and who of them is here."""
    here: list[Person] = []
    others: dict[int, Person] = {}
    if night is not None:
        for row in night.attendances.select_related("person__merged_into"):
            if row.is_here or (row.here_at and night.is_over()):
                here.append(row.person.root)
            else:
                others[row.person.root.pk] = row.person.root
    others |= {person.pk: person for person in people_of(group)}
    unique = {person.pk: person for person in here}
    rest = [person for pk, person in others.items() if pk not in unique]
    return [*unique.values(), *rest], list(unique)


# ── How to read it ───────────────────────────────────────────────────────────────────────────────────────


def fill_form(form: EntryForm, data: QueryDict) -> EntryForm:
    """The form with what was sent, however wrong it is."""
    form.uuid = data.get("play", "")[:80] or form.uuid
    for name in ("game", "other", "scoring", "together", "minutes", "begun", "started", "notes", "new_name", "deck"):
        setattr(form, name, data.get(name, ""))
    form.rated = data.get("rated", "")
    form.day = data.get("day", "") or form.day
    form.variant = {key: key in data for key in VARIANTS}
    chosen = data.getlist("player")
    for row in form.rows:
        row.plays = str(row.pk) in chosen
        row.score = data.get(f"score-{row.pk}", "")
        row.team, row.role = data.get(f"team-{row.pk}", ""), data.get(f"role-{row.pk}", "")
        row.place, row.won = data.get(f"place-{row.pk}", ""), f"won-{row.pk}" in data
    position = {pk: at for at, pk in enumerate(chosen)}
    form.rows.sort(key=lambda row: position.get(str(row.pk), len(position)))
    return form


def read_form(form: EntryForm, who: Who, key: str) -> PlayFacts:
    """The play that was entered, or a refusal at the field that is wrong.

    A new game and new people are added only once everything else is right.
    """
    scoring = Scoring(form.scoring) if form.scoring in [choice.value for choice in Scoring] else Scoring.HIGH
    minutes, started_at = _read_length(form)
    players = [_read_player(row, at, form, scoring) for at, row in enumerate(form.playing)]
    players += [PlayerResult(f"{NEW}{name}", name) for name in _read_new_names(form)]
    if scoring is Scoring.COOPERATIVE:
        players = [replace(player, won=form.together == "yes") for player in players]
    variant = Variant(solo=len(players) == 1, deck=clean_text(form.deck)[:80], **form.variant)
    known_game = _find_game(form)
    facts = prepare(
        form.group,
        PlayFacts(
            uuid=form.uuid,
            game=str(known_game.pk) if known_game else "",
            game_name=known_game.name if known_game else clean_text(form.other),
            day=_read_day(form.day),
            players=tuple(players),
            scoring=scoring,
            variant=variant,
            started_at=started_at,
            minutes=minutes,
            rated={"yes": True, "no": False}.get(form.rated, is_rated_by_default(variant, scoring, players)),
            location=(form.night.place if form.night else "")[:80],
            notes=form.notes.strip(),
        ),
    )
    game = known_game or find_or_add_game(form.group, facts.game_name, {"scoring": scoring.value})
    joined = tuple(_add_newcomer(player, who, key) for player in facts.players)
    return replace(facts, game=str(game.pk), game_name=game.name, players=joined)


def _read_new_names(form: EntryForm) -> list[str]:
    """Names of newcomers, separated by commas. Someone already on the list is not new."""
    names = [shorten_name(clean_name(name)) for name in form.new_name.split(",") if name.strip()]
    known = {row.person.name.casefold() for row in form.rows}
    for name in names:
        if name.casefold() in known:
            raise Refusal(f"{name} is already on the list. Tap their name, or add a letter.", field="new_name")
    return names


def _read_day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError:
        raise Refusal("Enter a valid date.", field="day") from None


def _read_length(form: EntryForm) -> tuple[int | None, dt.datetime | None]:
    """Minutes as entered, or since the moment the clock was started."""
    begun = None
    with contextlib.suppress(ValueError, OverflowError, OSError):
        begun = dt.datetime.fromtimestamp(int(form.begun) / 1000, tz=dt.UTC)
    minutes = parse_int(form.minutes)
    if minutes is None and form.minutes.strip():
        raise Refusal("Enter the length in minutes, such as 45.", field="minutes")
    return minutes, begun


def _read_player(row: EntryRow, at: int, form: EntryForm, scoring: Scoring) -> PlayerResult:
    place = parse_int(row.place) if row.place.strip() else None
    if row.place.strip() and not place:
        raise Refusal("A place is a number such as 1.", field=f"place-{at}")
    return PlayerResult(
        person=str(row.pk),
        name=shorten_name(row.person.name),
        score_text=row.score.strip() if scoring is not Scoring.NONE else "",
        team=clean_text(row.team),
        role=clean_text(row.role),
        place=place,
        won=row.won,
        started=form.started == str(row.pk),
    )


def _find_game(form: EntryForm) -> Game | None:
    """The game that was chosen, or None for another one by name."""
    if not form.game or form.game == OTHER:
        return None
    return Game.objects.filter(group=form.group, pk=parse_int(form.game) or 0).first()


def _add_newcomer(player: PlayerResult, who: Who, key: str) -> PlayerResult:
    if not player.person.startswith(NEW):
        return player
    mark = sha256(player.name.encode()).hexdigest()[:12]
    person = guests_services.add_guest(who, player.name, key=f"{key[:60]}-{mark}")
    return replace(player, person=str(person.pk), new=True)
