"""Scoring a battle: from the report to the winner and the VP, each with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from refusal import Refusal
from rulebook.campaign.vp_spending import LoyaltyChange, loyalty_after
from rulebook.data import scenario_goals
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenario_goals import Track, count_units
from rulebook.data.scenarios import SCENARIO, SIDES, Scenario, SideKey, opposite_side, scenario_of, scenarios_with
from rulebook.input_checks import check_count, check_one_of, quote_value

SILENT_KILL_VP = 1
SILENT_WIN_VP = 2
T = TypeVar("T", bound=Track)

How = Literal["destroyed", "routed", "yielded", "goal", "held out", "points", "drawn", "stopped"]


@dataclass(frozen=True, slots=True)
class SideReport:
    fielded: int  # units at the start: King, houses, and in a siege garrison, train and rebels
    removed: int = 0  # last model lost, scattered, fled off the table, crushed; escaping in Break Free is not removal
    fleeing: int = 0  # units still on the table at the end, under a flee token
    escaped: int = 0
    yielded: bool = False

    @property
    def left(self) -> int:
        return self.fielded - self.removed - self.escaped

    @property
    def standing(self) -> int:
        return self.left - self.fleeing


@dataclass(frozen=True, slots=True)
class Report:
    """A battle as reported. Counts are named as in ``Track.field``; what the scenario does not count stays empty."""

    scenario: str
    a: SideReport
    b: SideReport
    rounds: int | None = None  # None: played to the end
    crossings: Mapping[str, int] = field(default_factory=dict)
    mounds: tuple[Mapping[str, int], ...] = ()  # per round, mounds held by each side
    ablaze: int = 0
    holder: SideKey | None = None  # who occupies the fortress, or stands alone in the castle
    stopped: bool = False  # the players left it undecided before its end
    # Worked out once: a report travels from the form to the log, and each room asks who won.
    _scored: "dict[Options, Score]" = field(default_factory=dict, init=False, repr=False, compare=False)

    def score(self, options: Options = BY_THE_BOOK) -> "Score":
        if options not in self._scored:
            self._scored[options] = score_report(self, options)
        return self._scored[options]

    def side(self, key: str) -> SideReport:
        return self.a if key == "A" else self.b

    def __post_init__(self) -> None:
        _check_report(self)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    side: str  # A or B; further letters where more than two armies fought
    key: str
    number: int
    vp: int
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    scenario: str
    winner: str | None
    how: How
    reason: str
    lines: tuple[ScoreLine, ...]
    notes: tuple[str, ...]

    def vp(self, side: str) -> int:
        return sum(line.vp for line in self.lines if line.side == side)

    def result(self, side: str) -> Literal["won", "lost", "drawn"]:
        if self.winner is None:
            return "drawn"
        return "won" if self.winner == side else "lost"

    def loyalty(self, side: str, before: int, options: Options = BY_THE_BOOK) -> LoyaltyChange:
        return loyalty_after(before, self.result(side), options=options)


# --- what cannot have happened -------------------------------------------------------------------------------


def _check_report(report: Report) -> None:
    scenario = scenario_of(report.scenario)
    for key in SIDES:
        _check_side(report.side(key), scenario, key)
    if report.rounds is not None:
        check_count(report.rounds, "rounds played", least=1, most=scenario.rounds)
    if at_end := _track_of(scenario_goals.HeldAtEnd, report.crossings, scenario):
        _check_held(report.crossings, at_end)
        for side, number in report.crossings.items():
            if number > report.side(side).standing:
                raise Refusal(
                    f"Side {side} cannot hold {number} {at_end.noun} with {report.side(side).standing} "
                    "units that are not fleeing.",
                    field=at_end.field,
                )
    if each_round := _track_of(scenario_goals.HeldEachRound, report.mounds, scenario):
        _check_rounds(report, each_round)
    burning = _track_of(scenario_goals.SetAblaze, report.ablaze, scenario)
    check_count(report.ablaze, "buildings ablaze", most=burning.most if burning else 0)
    if report.holder is not None:
        _track_of(scenario_goals.Holds, report.holder, scenario)
        check_one_of(report.holder, SIDES, "holder")
        if report.side(report.holder).standing < 1:
            raise Refusal(
                f"Side {report.holder} has no unit left to hold it. A fleeing unit holds nothing.", field="holder"
            )


def _track_of(way: type[T], counted: object, scenario: Scenario, side: SideKey | None = None) -> T | None:
    """What the scenario counts in this way. Where it counts nothing, or not for this side, nothing may be counted."""
    track = scenario.track(way)
    if counted and (track is None or (side and track.side not in (side, "both"))):
        raise Refusal(way.absent.format(name=scenario.name, only=scenarios_with(way)), field=way.field)
    return track


def _check_side(side: SideReport, scenario: Scenario, key: SideKey) -> None:
    check_count(side.fielded, f"units side {key} fielded", least=1)
    check_count(side.removed, f"units of side {key} removed", most=side.fielded)
    _track_of(scenario_goals.Escapes, side.escaped, scenario, key)
    check_count(side.escaped, f"units of side {key} that escaped", most=side.fielded - side.removed)
    check_count(side.fleeing, f"fleeing units of side {key}", most=side.left)
    if type(side.yielded) is not bool:
        raise Refusal(f"Whether side {key} yielded is {quote_value(side.yielded)}. Use true or false.", field="yielded")


def _check_rounds(report: Report, track: Track) -> None:
    for held in report.mounds:
        _check_held(held, track)
        for key, number in held.items():
            if number > report.side(key).fielded:
                raise Refusal(
                    f"Side {key} cannot hold {number} {track.noun} with {report.side(key).fielded} units.",
                    field=track.field,
                )
    if report.mounds and report.rounds is not None and len(report.mounds) != report.rounds:
        raise Refusal(
            f"You entered {track.noun} for {len(report.mounds)} rounds, but {report.rounds} were played.",
            field=track.field,
        )


def _check_held(held: Mapping[str, int], track: Track) -> None:
    for key, number in held.items():
        check_one_of(key, SIDES, "side")
        check_count(number, f"{track.noun} of side {key}", most=track.most)
    if sum(held.values()) > track.most:
        raise Refusal(f"There are only {track.most} {track.noun}, not {sum(held.values())}.", field=track.field)


# --- who won -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Who has won, how, and why in a sentence."""

    winner: SideKey | None
    how: How
    reason: str


def _defeat_of(report: Report, side: SideKey, options: Options) -> _Verdict | None:
    """How a side has lost by force of arms, if it has: of side A with no unit left, ``B, destroyed``."""
    what, winner = report.side(side), opposite_side(side)
    if what.yielded:
        return _Verdict(winner, "yielded", f"Side {side} yielded.")
    if what.left == 0 and what.escaped == 0:
        return _Verdict(winner, "destroyed", f"Side {side} has no unit left.")
    if options.rout_ends_battle and what.left > 0 and what.standing == 0 and what.escaped == 0:
        return _Verdict(winner, "routed", f"Every unit side {side} has left is fleeing.")
    return None


def _verdict_by_defeat(report: Report, options: Options) -> _Verdict | None:
    """Destroyed, routed or yielding; both at once is a draw."""
    a, b = _defeat_of(report, "A", options), _defeat_of(report, "B", options)
    if a and b:
        return _Verdict(None, "drawn", f"{a.reason} {b.reason} Nobody wins.")
    return a or b


def _verdict_undecided(report: Report, scenario: Scenario) -> _Verdict:
    if report.stopped:
        return _Verdict(None, "stopped", "The battle was left undecided: a draw.")
    raise Refusal(
        f"{scenario.name} is not decided: both sides have units that are not fleeing. Play on, or call it a draw.",
        field="stopped",
    )


def _is_cut_short(report: Report, scenario: Scenario) -> bool:
    """Whether a battle of fixed length was broken off before its end (R-94)."""
    if report.stopped:
        return True
    return scenario.rounds is not None and report.rounds is not None and report.rounds < scenario.rounds


def _find_verdict(report: Report, scenario: Scenario, options: Options) -> _Verdict:
    """By the goal, where the scenario has one; otherwise by force of arms."""
    for track in scenario.tracks:
        match track:
            case scenario_goals.StandsAtEnd():
                return _last_stand(report, scenario, options)
            case scenario_goals.HeldAtEnd():
                return _most_held(report, scenario, options, track)
            case scenario_goals.Escapes():
                return _break_free(report, scenario, options)
            case scenario_goals.HoldsAfterKills() if winner := _winner_by_holding(report, track):
                return winner
            case scenario_goals.AloneInCastle() if options.siege_win == "sole_occupant" and report.holder == "A":
                return _Verdict("A", "goal", f"Only attackers are in the {track.place}.")
            case scenario_goals.SetAblaze() if report.ablaze == track.most:
                return _Verdict("A", "goal", f"All {track.most} {track.noun} are ablaze.")
    return _verdict_by_defeat(report, options) or _verdict_undecided(report, scenario)


def _last_stand(report: Report, scenario: Scenario, options: Options) -> _Verdict:
    a = _defeat_of(report, "A", options)
    if a and a.how != "yielded" and _defeat_of(report, "B", options):
        # Side A needs a unit that stands, so side B does not have to outlast it.
        return replace(a, reason=f"{a.reason} Side A did not hold out.")
    if fallen := _verdict_by_defeat(report, options):
        return fallen
    if _is_cut_short(report, scenario):
        return _verdict_undecided(report, scenario)
    if report.a.standing:
        standing = count_units(report.a.standing)
        return _Verdict("A", "held out", f"Side A holds out for {scenario.rounds} rounds with {standing} not fleeing.")
    return _Verdict("B", "goal", f"After {scenario.rounds} rounds all units of side A are fleeing or gone.")


def _most_held(report: Report, scenario: Scenario, options: Options, track: Track) -> _Verdict:
    if fallen := _verdict_by_defeat(report, options):
        return fallen
    if _is_cut_short(report, scenario):
        return _verdict_undecided(report, scenario)
    a, b = (report.crossings.get(key, 0) for key in SIDES)
    if a == b:
        return _Verdict(None, "drawn", f"Both sides hold {a} {track.noun}: a draw.")
    winner: SideKey = "A" if a > b else "B"
    return _Verdict(winner, "points", f"Side {winner} holds {max(a, b)} {track.noun} against {min(a, b)}.")


def _break_free(report: Report, scenario: Scenario, options: Options) -> _Verdict:
    if report.a.yielded and report.b.yielded:
        return _Verdict(None, "drawn", "Both sides yielded. Nobody wins.")
    if report.a.yielded:
        return _Verdict("B", "yielded", "Side A yielded.")
    through = _is_blockade_beaten(report, options)
    if not through and report.a.left:
        return _verdict_undecided(report, scenario)
    escaped = _count_escaped(report, options)
    if options.break_free_winner == "majority":
        if escaped == report.a.removed:
            return _Verdict(None, "drawn", f"{count_units(escaped)} escaped and as many were removed: a draw.")
        winner: SideKey = "A" if escaped > report.a.removed else "B"
        return _Verdict(winner, "points", f"{count_units(escaped)} escaped, {report.a.removed} removed.")
    if escaped:
        return _Verdict("A", "goal", f"{count_units(escaped)} of side A escaped.")
    return _Verdict("B", "goal", "No unit of side A escaped.")


def _is_blockade_beaten(report: Report, options: Options) -> bool:
    """Whether nobody is left to stop side A: its units on the table then count as escaped (R-61)."""
    return _defeat_of(report, "B", options) is not None


def _count_escaped(report: Report, options: Options) -> int:
    through = _is_blockade_beaten(report, options) and not report.a.yielded
    return report.a.escaped + (report.a.left if through else 0)


def _winner_by_holding(report: Report, track: scenario_goals.HoldsAfterKills) -> _Verdict | None:
    holder = report.holder
    if holder is None:
        return None
    enemy = report.side(opposite_side(holder))
    if enemy.removed < min(track.kills, enemy.fielded):
        return None
    return _Verdict(holder, "goal", f"Side {holder} removed {count_units(enemy.removed)} and holds the {track.place}.")


# --- what it pays --------------------------------------------------------------------------------------------


def score_report(report: Report, options: Options = BY_THE_BOOK) -> Score:
    """The winner and every point of both sides, by the scenario's own list (R-53)."""
    scenario = SCENARIO[report.scenario]
    verdict = _find_verdict(report, scenario, options)
    winner, how = verdict.winner, verdict.how
    lines: list[ScoreLine] = []
    for side in SIDES:
        lines += _side_lines(report, scenario, side, winner, options, undecided=how == "stopped")
    notes = []
    if report.a.yielded or report.b.yielded:
        notes.append("Units still on the table when their side yields are not scored.")
    if how == "routed":
        notes.append("Fleeing units still on the table are not kills.")
    if report.stopped and how != "stopped":
        notes.append("The battle was decided before it was stopped, so that changes nothing.")
    if winner is None:
        notes.append("In a draw there are no points for winning, and loyalty and territory do not change.")
    return Score(scenario.key, winner, how, verdict.reason, tuple(lines), tuple(notes))


def _side_lines(
    report: Report, scenario: Scenario, side: SideKey, winner: SideKey | None, options: Options, *, undecided: bool
) -> list[ScoreLine]:
    lines: list[ScoreLine] = []

    def add(key: str, number: int, each: int, what: str) -> None:
        if number and each:
            lines.append(ScoreLine(side, key, number, number * each, what))

    silent = options.base_vp_when_silent
    removed = report.side(opposite_side(side)).removed
    kill = scenario.pays("kill", side) or (SILENT_KILL_VP if silent else 0)
    add("kill", removed, kill, f"{count_units(removed)} of the enemy removed.")
    for track in scenario.tracks:
        number = _count(track, report, side, options, undecided=undecided)
        add(track.key, number, scenario.pays(track.key, side), track.earned(number))
    if side == winner:
        add("win", 1, scenario.pays("win", side) or (SILENT_WIN_VP if silent else 0), "Won the battle.")
    return lines


def _count(track: Track, report: Report, side: SideKey, options: Options, *, undecided: bool) -> int:
    """What a side reached of a goal."""
    if track.side not in (side, "both"):
        return 0
    match track:
        case scenario_goals.HeldAtEnd():
            # Counted only at the end, which a battle left undecided never reached.
            return 0 if undecided else report.crossings.get(side, 0)
        case scenario_goals.HeldEachRound():
            return sum(held.get(side, 0) for held in report.mounds)
        case scenario_goals.Escapes():
            return _count_escaped(report, options)
        case scenario_goals.SetAblaze():
            return report.ablaze
    return 0
