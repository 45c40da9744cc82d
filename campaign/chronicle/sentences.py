"""What each line tells, in one plain sentence, and what each effect is called. Only facts of the log, nothing invented."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from campaign.annals.effects import Effect
from campaign.annals.lines import Line
from campaign.annals.state import State
from campaign.annals.terms import term_said, term_title
from rulebook.conquest import REASON
from rulebook.options import OPTION
from rulebook.scenarios import SCENARIO
from rulebook.spoils import PRICE

SOMEBODY = "Somebody"


@dataclass(slots=True)
class Names:
    """Ids to names as they are today: kingdoms and places from the state, people from wherever they are kept."""

    state: State
    people: Mapping[int, str] = field(default_factory=dict)

    def kingdom(self, key: object) -> str:
        found = self.state.kingdoms.get(str(key))
        return found.name if found else "A kingdom that never joined"

    def place(self, key: object) -> str:
        return self.state.place_name(str(key))

    def house(self, key: object, number: int) -> str:
        found = self.state.kingdoms.get(str(key))
        return found.houses[number - 1].name if found else f"House {number}"

    def person(self, key: object) -> str:
        return self.people.get(key, SOMEBODY) if isinstance(key, int) else "nobody"


def tale(line: Line, names: Names) -> str:
    told = TALES.get(line.act)
    return told(line, names) if told else line.act.replace("_", " ").capitalize() + "."


# --- one function per act -------------------------------------------------------------------------------------------


def _joins(line: Line, names: Names) -> str:
    ruler = line.body.get("ruler")
    rule = f" under {names.person(ruler)}" if ruler else ""
    return f"{names.kingdom(line.body['kingdom'])} joined the war{rule}."


def _status(line: Line, names: Names) -> str:
    name = names.kingdom(line.body["kingdom"])
    return {
        "playing": f"{name} is back in play.",
        "frozen": f"{name} is frozen and takes no part for now.",
        "solo": f"{name} is run by the solo rules from now on.",
        "gone": f"{name} was dissolved.",
    }[line.body["to"]]


def _ruler(line: Line, names: Names) -> str:
    person = line.body.get("person")
    name = names.kingdom(line.body["kingdom"])
    return f"{names.person(person)} rules {name} now." if person else f"{name} has no ruler."


def _regent(line: Line, names: Names) -> str:
    person = line.body.get("person")
    name = names.kingdom(line.body["kingdom"])
    return f"{names.person(person)} acts for {name} as regent." if person else f"The ruler of {name} is back."


def _master_left(line: Line, names: Names) -> str:
    to = line.body.get("to")
    gone = names.person(line.body["person"])
    return f"{gone} handed the campaign over to {names.person(to)}." if to else f"{gone} is no longer game master."


def _house_rules(line: Line, names: Names) -> str:
    said = []
    for key, value in (line.body.get("options") or {}).items():
        row = OPTION.get(key)
        if row:
            said.append(f"{row.title}: {row.said(row.read(value))}")
    said += [f"{term_title(key)}: {term_said(key, value)}" for key, value in (line.body.get("terms") or {}).items()]
    return "House rules changed. " + ("; ".join(said) + "." if said else "")


def _roll_off(line: Line, names: Names) -> str:
    dice = ", ".join(f"{names.kingdom(t['kingdom'])} {t['roll']}" for t in line.body.get("throws", []))
    winner = line.body.get("winner")
    return f"{names.kingdom(winner)} attacks. The dice: {dice}." if winner else f"The dice for the attack: {dice}."


def _declared(line: Line, names: Names) -> str:
    effect = line.effects[0] if line.effects else line.body
    scenario = line.body.get("scenario")
    how = f" The scenario is {SCENARIO[scenario].name}." if scenario in SCENARIO else ""
    place, by = names.place(line.body["target"]), names.kingdom(effect.get("defender", ""))
    return f"{names.kingdom(line.body['attacker'])} attacks {place}, held by {by}.{how}"


def _result(line: Line, names: Names) -> str:
    body = line.body
    attacker, place = names.kingdom(body["attacker"]), names.place(body["target"])
    loyalty = {e["kingdom"]: e["by"] for e in line.effects if e["do"] == "loyalty"}
    other = next((k for k in loyalty if k != body["attacker"]), None) or body.get("defender")
    defender = names.kingdom(other) if other else "the defender"
    scenario = body.get("scenario") or (body.get("report") or {}).get("scenario")
    at = f" at {place}" + (f" ({SCENARIO[scenario].name})" if scenario in SCENARIO else "")
    if body.get("outcome") == "draw":
        return f"{attacker} and {defender} fought to a draw{at}."
    if body.get("outcome") == "defender":
        return f"{defender} beat {attacker} off{at}."
    taken = [e for e in line.effects if e["do"] == "hold"]
    if any(e["territory"].endswith(".castle") for e in taken):
        return f"{attacker} stormed {place}, the castle of {defender}."
    return f"{attacker} beat {defender} and took {place}." if taken else f"{attacker} beat {defender}{at}."


def _spent(line: Line, names: Names) -> str:
    name, what = names.kingdom(line.body["kingdom"]), line.body.get("what", "")
    if what == "regain":
        return f"{name} won the fealty of {names.house(line.body['kingdom'], line.body['house'])} back."
    bought = PRICE[what].name.lower() if what in PRICE else what
    return f"{name} spent VP: {bought}."


def _agreed(line: Line, names: Names) -> str:
    return f"The table agreed: {line.body.get('why', '')}"


def _won(line: Line, names: Names) -> str:
    return f"{names.kingdom(line.body['kingdom'])} won the war: {line.body.get('why', '')}"


def _opened(line: Line, names: Names) -> str:
    fresh = " and a new war began" if line.body.get("new_war") else ""
    return f"Season {next((e['season'] for e in line.effects if e['do'] == 'season'), '')}, {line.body['name']}, opened{fresh}."


TALES: dict[str, Callable[[Line, Names], str]] = {
    "founded": lambda line, names: f"{names.person(line.actor)} founded {line.body['name']}.",
    "renamed": lambda line, names: f"{line.body['from']} is now called {line.body['to']}.",
    "note": lambda line, names: line.body["text"],
    "joined": lambda line, names: f"{names.person(line.actor)} joined the table.",
    "kingdom_joins": _joins,
    "standing": lambda line, names: "The war was taken up as it stood.",
    "map_set": lambda line, names: "The map was set as it stood.",
    "kingdom_status": _status,
    "ruler_changed": _ruler,
    "regent_named": _regent,
    "kingdom_looks": lambda line, names: f"{names.kingdom(line.body['kingdom'])} changed its names or arms.",
    "master_shared": lambda line, names: f"{names.person(line.body['person'])} is game master too.",
    "master_left": _master_left,
    "house_rules": _house_rules,
    "season_opened": _opened,
    "season_closed": lambda line, names: "The season closed.",
    "roll_off": _roll_off,
    "battle_declared": _declared,
    "battle_called_off": lambda line, names: f"Battle {line.body['battle']} was called off.",
    "result": _result,
    "vp_spent": _spent,
    "agreed_change": _agreed,
    "campaign_won": _won,
    "strike": lambda line, names: f"Entry {line.body['target']} was struck: {line.body.get('why', '')}",
    "amend": lambda line, names: f"Entry {line.body['target']} was amended: {line.body.get('why', '')}",
    "restore": lambda line, names: f"What entry {line.body['restores']} corrected was restored.",
}

# Why an effect came about. The rulebook's own reasons come from conquest.REASON.
WHY: dict[str, str] = {
    "standing": "as it stood when the chronicle began",
    "counted": "as counted at the table",
    "fought_beside": "another army in the same battle",
    "score_kill": "units removed",
    "score_win": "the win",
    "score_crossing": "crossings held",
    "score_escape": "units escaped",
    "score_building": "buildings ablaze",
    "score_mound": "mounds held",
    "spent_in_battle": "spent in the battle",
    "reroll": "a die rolled again",
    "regain": "a house won back",
    "loyalty": "loyalty bought",
    "bought": "bought with VP",
    "rebel_roll": "a call to rebels",
    "sent_nobody": "its house sent nobody",
    "agreed": "agreed by the table",
    "dissolved": "the holder was dissolved",
}


def why(effect: Effect) -> str:
    key = effect.get("why", "")
    said = WHY.get(key) or (REASON[key].title.lower() if key in REASON else "")
    battle = effect.get("battle")
    return f"{said}, battle {battle}" if battle and said else said


def effect_name(effect: Effect, names: Names) -> tuple[str, str]:
    """What an effect is called, and whom it concerns (a kingdom's id, or nothing). Silent ones are called nothing."""
    do = effect["do"]
    if do == "loyalty":
        return f"Loyalty {effect['by']:+d}".replace("-", "−"), effect["kingdom"]
    if do == "vp":
        return f"{effect['by']:+d} VP".replace("-", "−"), effect["kingdom"]
    if do == "house":
        name = names.house(effect["kingdom"], effect["house"])
        return (f"{name} lost" if effect["lost"] else f"{name} won back"), effect["kingdom"]
    if do == "hold":
        return f"holds {names.place(effect['territory'])}", effect["by"]
    if do == "won":
        return "wins the war", effect["kingdom"]
    return "", ""
