"""The end of a game ready to draw: who won and why, roles, points line by line, records, and who plays again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Q

from cardgames.drawing import DeckPictures, deck_pictures_of
from cardgames.engine import Ending, EndingLine, RunningTable, ScoreLine, SentenceBuilder
from cardgames.models import Result, ResultSeat, Seat, Table
from cardgames.results.services import revealed_roles
from cardgames.tables import load_from_log
from cardgames.tables.display import TableDisplay
from log.services import new_key
from people.name_validation import inline_name
from text import join_list


@dataclass(frozen=True, slots=True)
class FinaleSeat:
    number: int
    name: str
    arms: Any
    points: int
    won: bool
    role: str  # the id of its card, if the game has roles
    role_name: str


@dataclass(frozen=True, slots=True)
class FinaleSide:
    label: str
    seats: list[FinaleSeat]
    won: bool

    @property
    def points(self) -> int:
        return sum(seat.points for seat in self.seats)

    @property
    def sum_text(self) -> str:
        return " + ".join(str(seat.points) for seat in self.seats)


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """One line of the score with what each seat has of it, in words and points."""

    label: str
    cells: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class FinaleDisplay:
    headline: str
    reasons: list[tuple[str, bool]]
    seats: list[FinaleSeat]
    sides: list[FinaleSide]
    rows: list[BreakdownRow]
    records: list[str]
    # Who already sits at the table of the next game.
    coming: list[FinaleSeat]
    pack: DeckPictures
    has_points: bool

    @property
    def coming_text(self) -> str:
        """Such as "Pim and Oda want to play again"."""
        names = join_list([seat.name for seat in self.coming])
        return f"{names} {'wants' if len(self.coming) == 1 else 'want'} to play again"


def build_finale(running: RunningTable, display: TableDisplay) -> FinaleDisplay:
    """The same for everybody: names instead of "you", and nothing left to hide."""
    ended, game = running.result, running.game
    assert ended is not None
    names = SentenceBuilder(display.names, {}, None, game.labels)
    ending = game.explain_ending(ended, running.record.options) if game.explain_ending else None
    if ending is None:
        values = {**ended.facts, "winners": list(ended.winners), "scores": list(ended.scores)}
        ending = Ending(EndingLine(game.text_of_outcome(ended), values))
    roles = revealed_roles(running)
    faces = {face.id: face.name for face in game.faces(running.record.deck)}
    seats = [
        FinaleSeat(
            row.number,
            row.name,
            row.arms,
            ended.scores[row.number],
            row.number in ended.winners and len(ended.scores) > 1,
            roles.get(row.number, ""),
            faces.get(roles.get(row.number, ""), ""),
        )
        for row in display.seats
    ]
    return FinaleDisplay(
        names.fill(ending.headline.text, ending.headline.values),
        [(names.fill(line.text, line.values), line.is_decisive) for line in ending.reasons],
        seats,
        [
            FinaleSide(
                side.label, [seats[number] for number in side.seats], not set(side.seats).isdisjoint(ended.winners)
            )
            for side in ending.sides
        ],
        _breakdown(ended.lines),
        _records(display.table) if game.has_points and (display.mine or display.is_host) else [],
        [seats[number] for number in _seats_of_rematch(display.rematch) if number < len(seats)],
        deck_pictures_of(running.record.deck),
        game.has_points,
    )


def _breakdown(lines: Sequence[Sequence[ScoreLine]]) -> list[BreakdownRow]:
    """The lines of all seats side by side, without those that gave nobody points, unless nobody has any."""
    rows: dict[str, BreakdownRow] = {}
    for seat, own in enumerate(lines):
        for line in own:
            row = rows.setdefault(line.key, BreakdownRow(line.label, [("", 0) for _ in lines]))
            row.cells[seat] = (line.detail, line.points)
    return [row for row in rows.values() if any(points for _, points in row.cells)] or list(rows.values())


def _records(table: Table) -> list[str]:
    """Best scores in games like this one: the same game, number of seats, options and kind of deck, bots or none."""
    result = getattr(table, "result", None)
    if result is None:
        return []
    now = {place.person_id: place for place in result.places.select_related("person__merged_into") if place.person_id}
    with_bots = Result.objects.filter(place__bot__gt="").values("pk")
    has_bots = result.places.exclude(bot="").exists()
    before = (
        ResultSeat.objects.filter(
            Q(result__in=with_bots) if has_bots else ~Q(result__in=with_bots),
            person__in=now,
            result__game=table.game,
            result__options=table.options,
            result__own_deck=result.own_deck,
            result__table__seats=table.seats,
            bot="",
        )
        .exclude(result=result)
        .values_list("person")
        .annotate(best=Max("score"))
    )
    return [
        f"{inline_name(now[person].person.root.name)} has a new best score: {now[person].score}; it was {best}."
        for person, best in before
        if now[person].score > best and not now[person].bot
    ]


def _seats_of_rematch(rematch: Table | None) -> list[int]:
    """Seats whose phones have come to the rematch."""
    if rematch is None:
        return []
    arrived = Seat.objects.filter(table=rematch, token__used_at__isnull=False)
    return list(arrived.order_by("number").values_list("number", flat=True))


def finale_context(table: Table, display: TableDisplay) -> dict[str, object]:
    """What the page and the part of a finished table are drawn with."""
    finale = build_finale(load_from_log.load_running_table(table), display)
    return {"display": display, "finale": finale, "key": new_key()}
