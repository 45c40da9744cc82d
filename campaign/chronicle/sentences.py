"""A plain sentence for each entry, a name for each effect and change, numbers in words. Only facts from the log."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.chronicle.corrections import StateChange
from campaign.chronicle.effects import (
    BattleDeclared,
    Effect,
    FealtyChanged,
    LoyaltyChanged,
    SeasonTurned,
    TerritoryTaken,
    VpChanged,
    WarWon,
)
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.state import State, describe_term_value, term_title
from rulebook.campaign.conquest import REASON
from rulebook.campaign.vp_spending import PRICE
from rulebook.data.house_rules import OPTION
from rulebook.data.scenarios import SCENARIO, SCENARIOS
from text import format_signed, join_list

SOMEBODY = "Somebody"


@dataclass(slots=True)
class Names:
    """Today's names for ids: kingdoms and places from the state, people as given."""

    state: State
    people: Mapping[int, str] = field(default_factory=dict)

    def kingdom(self, key: object) -> str:
        kingdom = self.state.kingdoms.get(str(key))
        return kingdom.name if kingdom else "An unknown kingdom"

    def place(self, key: object) -> str:
        return self.state.place_name(str(key))

    def house(self, key: object, number: int) -> str:
        kingdom = self.state.kingdoms.get(str(key))
        return kingdom.houses[number - 1].name if kingdom else f"House {number}"

    def person(self, key: object) -> str:
        return self.people.get(key, SOMEBODY) if isinstance(key, int) else "nobody"


def describe_entry(entry: ChronicleEntry, names: Names) -> str:
    describe = SENTENCES.get(entry.act)
    return describe(entry, names) if describe else entry.act.replace("_", " ").capitalize() + "."


def _describe_joining(entry: ChronicleEntry, names: Names) -> str:
    ruler = entry.body.get("ruler")
    rule = f" under {names.person(ruler)}" if ruler else ""
    return f"{names.kingdom(entry.body['kingdom'])} joined the war{rule}."


def _describe_status(entry: ChronicleEntry, names: Names) -> str:
    name = names.kingdom(entry.body["kingdom"])
    return {
        "playing": f"{name} is back in play.",
        "frozen": f"{name} is frozen for now.",
        "solo": f"{name} now plays by the solo rules.",
        "gone": f"{name} was dissolved.",
    }[entry.body["to"]]


def _describe_ruler(entry: ChronicleEntry, names: Names) -> str:
    person = entry.body.get("person")
    name = names.kingdom(entry.body["kingdom"])
    return f"{names.person(person)} now rules {name}." if person else f"{name} has no ruler."


def _describe_regent(entry: ChronicleEntry, names: Names) -> str:
    person = entry.body.get("person")
    name = names.kingdom(entry.body["kingdom"])
    return f"{names.person(person)} acts for {name} as regent." if person else f"The ruler of {name} is back."


def _describe_master_leaving(entry: ChronicleEntry, names: Names) -> str:
    to = entry.body.get("to")
    gone = names.person(entry.body["person"])
    return f"{gone} handed the campaign over to {names.person(to)}." if to else f"{gone} is no longer game master."


def _describe_house_rules(entry: ChronicleEntry, names: Names) -> str:
    options, terms = entry.body.get("options") or {}, entry.body.get("terms") or {}
    rules = [(OPTION[key], value) for key, value in options.items() if key in OPTION]
    parts = [f"{row.title}: {row.format_value(row.read(value))}" for row, value in rules]
    parts += [f"{term_title(key)}: {describe_term_value(key, value)}" for key, value in terms.items()]
    return "House rules changed. " + ("; ".join(parts) + "." if parts else "")


def _describe_roll_off(entry: ChronicleEntry, names: Names) -> str:
    dice = ", ".join(f"{names.kingdom(t['kingdom'])} {t['roll']}" for t in entry.body.get("throws", []))
    winner = entry.body.get("winner")
    rolled = f"{names.kingdom(winner)} attacks. Dice: {dice}." if winner else f"Roll-off: {dice}."
    is_bought = entry.body.get("again") and entry.body["throws"][0].get("bought")
    return f"Re-roll for 1 VP. {rolled}" if is_bought else rolled


def _describe_declaration(entry: ChronicleEntry, names: Names) -> str:
    declared = next((effect for effect in entry.effects if isinstance(effect, BattleDeclared)), None)
    scenario = entry.body.get("scenario")
    how = f" The scenario is {SCENARIO[scenario].name}." if scenario in SCENARIO else ""
    place = names.place(entry.body["target"])
    by = names.kingdom(declared.defender if declared else entry.body.get("defender", ""))
    aside = " The game master overruled the roll-off." if entry.body.get("overrule") else ""
    return f"{names.kingdom(entry.body['attacker'])} attacks {place}, held by {by}.{how}{aside}"


def _describe_result(entry: ChronicleEntry, names: Names) -> str:
    body = entry.body
    attacker, place = names.kingdom(body["attacker"]), names.place(body["target"])
    loyalty = {e.kingdom: e.by for e in entry.effects if isinstance(e, LoyaltyChanged)}
    other = next((k for k in loyalty if k != body["attacker"]), None) or body.get("defender")
    defender = names.kingdom(other) if other else "the defender"
    scenario = body.get("scenario") or (body.get("report") or {}).get("scenario")
    at = f" at {place}" + (f" ({SCENARIO[scenario].name})" if scenario in SCENARIO else "")
    if body.get("outcome") == "draw":
        return f"{attacker} and {defender} fought to a draw{at}."
    if body.get("outcome") == "defender":
        return f"{defender} held off {attacker}{at}."
    taken = [e for e in entry.effects if isinstance(e, TerritoryTaken)]
    if any(e.territory.endswith(".castle") for e in taken):
        return f"{attacker} stormed {place}, the castle of {defender}."
    return f"{attacker} beat {defender} and took {place}." if taken else f"{attacker} beat {defender}{at}."


def _describe_spending(entry: ChronicleEntry, names: Names) -> str:
    name, what = names.kingdom(entry.body["kingdom"]), entry.body.get("what", "")
    if what == "regain":
        return f"{name} won back the fealty of {names.house(entry.body['kingdom'], entry.body['house'])}."
    bought = PRICE[what].name.lower() if what in PRICE else what
    return f"{name} spent VP: {bought}."


def _describe_note(entry: ChronicleEntry, names: Names) -> str:
    text = str(entry.body["text"])
    return f"Battle {entry.body['battle']}: {text}" if entry.body.get("battle") else text


def _describe_founding(entry: ChronicleEntry, names: Names) -> str:
    season = f" Season 1, {entry.body['season']}, opened." if entry.body.get("season") else ""
    return f"{names.person(entry.actor)} founded {entry.body['name']}.{season}"


def _describe_season_opening(entry: ChronicleEntry, names: Names) -> str:
    fresh = " and a new war began" if entry.body.get("new_war") else ""
    number = next((e.season for e in entry.effects if isinstance(e, SeasonTurned)), "")
    return f"Season {number}, {entry.body['name']}, opened{fresh}."


SENTENCES: dict[str, Callable[[ChronicleEntry, Names], str]] = {
    "founded": _describe_founding,
    "renamed": lambda entry, names: f"{entry.body['from']} is now called {entry.body['to']}.",
    "note": _describe_note,
    "joined": lambda entry, names: f"{names.person(entry.actor)} joined the campaign.",
    "kingdom_joins": _describe_joining,
    "standing": lambda entry, names: "The starting position was set.",
    "map_set": lambda entry, names: "The starting map was set.",
    "kingdom_status": _describe_status,
    "ruler_changed": _describe_ruler,
    "throne_taken": _describe_ruler,
    "regent_named": _describe_regent,
    "kingdom_looks": lambda entry, names: f"{names.kingdom(entry.body['kingdom'])} changed its names or arms.",
    "master_shared": lambda entry, names: f"{names.person(entry.body['person'])} is now a game master too.",
    "master_left": _describe_master_leaving,
    "house_rules": _describe_house_rules,
    "season_opened": _describe_season_opening,
    "season_closed": lambda entry, names: "The season closed.",
    "roll_off": _describe_roll_off,
    "battle_declared": _describe_declaration,
    "battle_called_off": lambda entry, names: f"Battle {entry.body['battle']} was called off.",
    "result": _describe_result,
    "vp_spent": _describe_spending,
    "agreed_change": lambda entry, names: f"Agreed: {entry.body.get('why', '')}",
    "campaign_won": lambda entry, names: (
        f"{names.kingdom(entry.body['kingdom'])} won the war: {entry.body.get('why', '')}"
    ),
    "strike": lambda entry, names: f"Entry {entry.body['target']} was struck: {entry.body.get('why', '')}",
    "amend": lambda entry, names: f"Entry {entry.body['target']} was amended: {entry.body.get('why', '')}",
    "restore": lambda entry, names: f"The correction in entry {entry.body['restores']} was undone.",
}

# Why an effect came about. The rulebook's own reasons come from conquest.REASON.
REASONS: dict[str, str] = {
    "standing": "starting position",
    "counted": "as counted by the players",
    "fought_beside": "another army in the same battle",
    "score_kill": "units removed",
    "score_win": "the win",
    **{f"score_{track.key}": track.reason for row in SCENARIOS for track in row.tracks if track.key},
    "spent_in_battle": "spent in the battle",
    "reroll": "a re-roll",
    "regain": "a house won back",
    "loyalty": "loyalty bought",
    "bought": "bought with VP",
    "rebel_roll": "a call to rebels",
    "sent_nobody": "its house sent nobody",
    "agreed": "agreed by the players",
    "dissolved": "the holder was dissolved",
}


def describe_reason(effect: Effect, *, of_one_battle: bool = False) -> str:
    """The reason for an effect; ``of_one_battle`` leaves out which battle it was."""
    key = getattr(effect, "why", "")
    reason = REASONS.get(key) or (REASON[key].title.lower() if key in REASON else "")
    battle = None if of_one_battle else getattr(effect, "battle", None)
    return f"{reason}, battle {battle}" if battle and reason else reason


def describe_effect(effect: Effect, names: Names) -> tuple[str, str]:
    """An effect's name and its kingdom's id. Effects that are not shown have an empty name."""
    match effect:
        case LoyaltyChanged():
            return f"Loyalty {effect.by:+d}".replace("-", "−"), effect.kingdom
        case VpChanged():
            return f"{effect.by:+d} VP".replace("-", "−"), effect.kingdom
        case FealtyChanged():
            name = names.house(effect.kingdom, effect.house)
            return (f"{name} lost" if effect.lost else f"{name} won back"), effect.kingdom
        case TerritoryTaken():
            return f"holds {names.place(effect.territory)}", effect.by
        case WarWon():
            return "wins the war", effect.kingdom
    return "", ""


# ── Numbers, days and counts in words ────────────────────────────────────────────────────────────────────


_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MONTHS = "January February March April May June July August September October November December"
MONTHS = tuple(_MONTHS.split())


def spell_number(count: int) -> str:
    return _SMALL[count] if 0 <= count < len(_SMALL) else str(count)


def spell_ordinal(count: int) -> str:
    if 0 < count < len(_ORDINALS):
        return _ORDINALS[count]
    last = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{last}"


def count_times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{spell_number(count)} times")


def count_noun(count: int, one: str, many: str | None = None) -> str:
    return f"{spell_number(count)} {one if count == 1 else many or one + 's'}"


def format_day(iso: str, *, year: bool = True) -> str:
    day = dt.date.fromisoformat(iso)
    return f"{day.day} {MONTHS[day.month - 1]}" + (f" {day.year}" if year else "")


def count_days(days: int) -> str:
    return count_noun(days, "day")


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- What a correction or an act changes ---------------------------------------------------------------------


STATUS = {"playing": "in play", "frozen": "frozen", "solo": "played by the solo rules", "gone": "dissolved"}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change in words: what, its old value and its new one."""

    what: str
    was: str
    now: str
    is_new: bool = False  # since somebody was asked about it


def describe_changes(changes: Iterable[StateChange], names: Names) -> list[ChangeRow]:
    rows = []
    for change in changes:
        what, describe = _find_words(change.what, change.subject, names)
        rows.append(ChangeRow(what, describe(change.was), describe(change.now)))
    return rows


def _find_words(what: str, subject: str, names: Names) -> tuple[str, Callable[[Any], str]]:
    """What has changed, and how its values are said."""
    match what:
        case "loyalty":
            return f"Loyalty of {names.kingdom(subject)}", format_signed
        case "vp":
            return f"VP of {names.kingdom(subject)}", str
        case "ruler" | "regent":
            return f"{what.capitalize()} of {names.kingdom(subject)}", names.person
        case "masters":
            return "Game masters", lambda people: join_list([names.person(person) for person in people])
        case "option" if subject in OPTION:
            row = OPTION[subject]
            return row.title, lambda value: row.format_value(row.default if value is None else value)
        case "term":
            return term_title(subject), lambda value: describe_term_value(subject, value)
        case "season":
            return "Season", lambda number: f"season {number} open" if number else "none open"
        case "territory":
            return names.place(subject), lambda by: names.kingdom(by) if by else "off the map"
        case "house":
            kingdom, _, number = subject.partition("/")
            return names.house(kingdom, int(number)), lambda lost: "lost" if lost else "sworn"
        case "winner":
            return "The war", lambda by: f"won by {names.kingdom(by)}" if by else "not won"
        case "battle":
            return f"Battle {subject}", lambda is_open: "open" if is_open else "not open"
        case "status":
            return names.kingdom(subject), lambda to: STATUS.get(to, "not in the war")
        case "name" | "kingdom":
            return names.kingdom(subject), lambda value: str(value or "not in the war")
    return what.replace("_", " ").capitalize(), str
