"""The story of a season in plain sentences. Every sentence comes from lines of the chronicle; nothing is made up.

People are not named: a story is kept, and a name must be free to go.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from campaign.annals.chapters import Chapter
from campaign.annals.effects import apply
from campaign.annals.fought import RETAKEN, Fought, fought, is_battle
from campaign.annals.lines import Line
from campaign.annals.state import State
from campaign.annals.tales import Names
from campaign.annals.wording import capital, counted, day, listed, number, ordinal, times
from rulebook.scenarios import SCENARIO

# A longer season tells its turns of fortune and counts the rest.
MOST = 60
STREAK = 3

# Effects after which somebody else may hold the most land.
_LAND = frozenset(("hold", "joined", "status", "war"))


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    entry: int = 0  # the line it comes from; 0 where it sums up many


@dataclass(frozen=True, slots=True)
class _Event:
    line: Line
    text: str
    weight: int
    is_battle: bool


Paragraph = tuple[Sentence, ...]


def story(chapter: Chapter) -> tuple[Paragraph, ...]:
    names = Names(chapter.after)
    events = _Teller(chapter, names).events()
    told = _chosen(events)
    paragraphs = [_opening(chapter, names), *_by_month(told)]
    left = sum(event.is_battle for event in events) - sum(event.is_battle for event in told)
    if left:
        more = (
            f"{capital(counted(left, 'more battle'))} of this season stand{'s' if left == 1 else ''} in the chronicle."
        )
        paragraphs.append((Sentence(more),))
    paragraphs.append(_ending(chapter, names))
    return tuple(paragraph for paragraph in paragraphs if paragraph)


# --- the frame ------------------------------------------------------------------------------------------------------


def _opening(chapter: Chapter, names: Names) -> Paragraph:
    said = [
        Sentence(
            f"Season {chapter.season}, {chapter.name}, opened on {day(chapter.opened.played_on)}.",
            chapter.opened.number,
        )
    ]
    realms = chapter.before.in_play()
    if chapter.new_war:
        said.append(Sentence("A new war began, and every kingdom held its own land again.", chapter.opened.number))
    if realms:
        all_named = listed([names.kingdom(realm.id) for realm in realms])
        verb = "stood" if len(realms) == 1 else "faced each other"
        said.append(Sentence(f"{capital(counted(len(realms), 'kingdom'))} {verb}: {all_named}."))
        away = [k for k in realms if chapter.before.holdings(k.id) != 4]
        if away:
            said.append(Sentence(f"{_land(chapter.before, names)} at the start."))
    return tuple(said)  # fmt: skip


def _ending(chapter: Chapter, names: Names) -> Paragraph:
    state = chapter.after
    realms = state.in_play()
    number_of = sum(map(is_battle, chapter.lines))
    fell = f"{capital(counted(number_of, 'battle'))} {'was' if number_of == 1 else 'were'} fought"
    if chapter.closed:
        said = [Sentence(f"{fell} before the season closed on {day(chapter.closed.played_on)}.", chapter.closed.number)]
    else:
        said = [Sentence(f"{fell} so far.")]
    if realms:
        said.append(Sentence(f"{_land(state, names)}{' at the end' if chapter.closed else ''}."))
    for what, text in (
        ("vp", "{name} had the most VP, {n}."),
        ("loyalty", "The nobles of {name} were the most loyal, at {n}."),
    ):
        best = max((getattr(realm, what) for realm in realms), default=0)
        first = [realm for realm in realms if getattr(realm, what) == best]
        if len(first) == 1 and best > 0 and len(realms) > 1:
            shown = f"+{best}" if what == "loyalty" else str(best)
            said.append(Sentence(text.format(name=names.kingdom(first[0].id), n=shown)))
    return tuple(said)  # fmt: skip


def _land(state: State, names: Names) -> str:
    """Who held how much, the largest first."""
    held = sorted(((state.holdings(realm.id), realm.id) for realm in state.in_play()), key=lambda row: -row[0])
    first, *rest = held
    parts = [f"{names.kingdom(first[1])} held {counted(first[0], 'territory', 'territories')}"]
    parts += [f"{names.kingdom(key)} {number(count) if count else 'none'}" for count, key in rest]
    return listed(parts)


# --- what happened --------------------------------------------------------------------------------------------------


class _Teller:
    """Walks the season once, with what is needed to see a turn of fortune: who leads, who wins again and again."""

    def __init__(self, chapter: Chapter, names: Names) -> None:
        self.chapter, self.names = chapter, names
        self.state = chapter.before.copy()
        self.streak: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.leader = _leader(self.state)

    def events(self) -> list[_Event]:
        found = []
        for line in self.chapter.lines[1:]:
            before = self.leader
            apply(self.state, line.effects)
            if any(effect["do"] in _LAND for effect in line.effects):
                self.leader = _leader(self.state)
            event = self._event(line)
            if event is None:
                continue
            if self.leader and self.leader != before:
                lead = f" {self.names.kingdom(self.leader)} now held the most land."
                event = _Event(line, event.text + lead, event.weight + 3, event.is_battle)
            found.append(event)
        return found

    def _event(self, line: Line) -> _Event | None:
        if is_battle(line):
            return self._battle(line)
        text = self._other(line)
        if any(effect["do"] == "won" for effect in line.effects):
            winner = next(effect["kingdom"] for effect in line.effects if effect["do"] == "won")
            text = f"{self.names.kingdom(winner)} won the war, as the table had agreed."
            return _Event(line, text, 9, False)
        return _Event(line, text, 2, False) if text else None

    def _battle(self, line: Line) -> _Event:
        battle = fought(line)
        names = self.names
        said = [self._fight(battle)]
        weight = {"attacker": 2, "defender": 1, "draw": 0}.get(battle.outcome, 0)
        for effect in battle.taken:
            if effect["territory"] == battle.target:
                self.taken[battle.target] += 1
                weight += 3 if effect["territory"].endswith((".castle", ".lands")) else 1
                if self.taken[battle.target] > 1:
                    said.append(f"It changed hands for the {ordinal(self.taken[battle.target])} time this season.")
                    weight += 1
        passed = [effect for effect in battle.taken if effect.get("why") == "inherited"]
        if passed:
            fallen, heir = names.kingdom(passed[0].get("was")), names.kingdom(passed[0]["by"])
            more = counted(len(passed), "more territory", "more territories")
            said.append(f"{capital(more)} of {fallen} passed to {heir}.")
        said += self._streaks(battle)
        for effect in line.effects:
            if effect["do"] == "house" and effect["lost"]:
                house = names.house(effect["kingdom"], effect["house"])
                said.append(f"{house} sent nobody, and {names.kingdom(effect['kingdom'])} lost its fealty.")
                weight += 1
            elif effect["do"] == "won":
                said.append(f"With that {names.kingdom(effect['kingdom'])} won the war.")
                weight += 9
        return _Event(line, " ".join(said), weight, True)

    def _fight(self, battle: Fought) -> str:
        names = self.names
        one, other, place = names.kingdom(battle.attacker), names.kingdom(battle.defender), names.place(battle.target)
        how = f" in {SCENARIO[battle.scenario].name}" if battle.scenario in SCENARIO else ""
        points = ""
        if battle.earned:
            points = f", {battle.earned.get(battle.attacker, 0)} VP to {battle.earned.get(battle.defender, 0)}"
        if battle.outcome == "draw":
            return f"{one} and {other} fought to a draw over {place}{how}{points}."
        if battle.outcome == "defender":
            if battle.earned:
                points = f", {battle.earned.get(battle.defender, 0)} VP to {battle.earned.get(battle.attacker, 0)}"
            return f"{other} beat {one} off at {place}{how}{points}."
        here = next((effect for effect in battle.taken if effect["territory"] == battle.target), None)
        if here is None:
            return f"{one} beat {other} at {place}{how}{points}."
        if battle.target.endswith(".castle"):
            return f"{one} stormed {place}, the castle of {other}{points}."
        verb = "won back" if here.get("why") in RETAKEN else "took"
        return f"{one} beat {other}{how} and {verb} {place}{points}."

    def _streaks(self, battle: Fought) -> list[str]:
        """A third win in a row is worth a word, and so is the defeat that ends such a run."""
        said = []
        winner, loser = battle.winner, battle.loser
        if winner is None or loser is None:
            for side in (battle.attacker, battle.defender):
                self.streak[side] = 0
            return []
        ended = self.streak[loser]
        self.streak[winner] += 1
        self.streak[loser] = 0
        if self.streak[winner] >= STREAK:
            count = ordinal(self.streak[winner])
            said.append(f"It was the {count} win in a row for {self.names.kingdom(winner)}.")
        if ended >= STREAK:
            said.append(f"{self.names.kingdom(loser)} had won {times(ended)} in a row before.")
        return said

    def _other(self, line: Line) -> str:
        names, body = self.names, line.body
        if line.act == "kingdom_joins":
            return f"{names.kingdom(body['kingdom'])} joined the war."
        if line.act == "kingdom_status":
            name = names.kingdom(body["kingdom"])
            return {
                "playing": f"{name} was back in play.",
                "frozen": f"{name} was frozen.",
                "solo": f"{name} was run by the solo rules from then on.",
                "gone": f"{name} was dissolved.",
            }.get(body.get("to", ""), "")
        if line.act == "ruler_changed":
            return f"{names.kingdom(body['kingdom'])} had a new ruler." if body.get("person") else ""
        if line.act == "vp_spent" and body.get("what") == "regain":
            return f"{names.kingdom(body['kingdom'])} won the fealty of {names.house(body['kingdom'], body['house'])} back."
        if line.act == "agreed_change":
            return f"The table agreed on a change: {_ended(body.get('why', ''))}"
        if line.act == "house_rules":
            return "The house rules changed."
        return ""


def _leader(state: State) -> str | None:
    """Who alone holds the most land."""
    first = Counter(state.holders.values()).most_common(2)
    if len(first) < 2:
        return first[0][0] if first and len(state.in_play()) > 1 else None
    return None if first[0][1] == first[1][1] else first[0][0]


def _ended(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def _chosen(events: list[_Event]) -> list[_Event]:
    """The weightiest, in the order they happened."""
    if len(events) <= MOST:
        return events
    best = sorted(range(len(events)), key=lambda at: (-events[at].weight, at))[:MOST]
    return [events[at] for at in sorted(best)]


def _by_month(events: list[_Event]) -> list[Paragraph]:
    """One paragraph a month; the day is said once."""
    found: dict[str, list[Sentence]] = {}
    last_day = ""
    for event in events:
        on = event.line.played_on
        text = event.text if on == last_day else f"On {day(on, year=False)} {_after_day(event.text)}"
        found.setdefault(on[:7], []).append(Sentence(text, event.line.number))
        last_day = on
    return [tuple(sentences) for sentences in found.values()]


def _after_day(text: str) -> str:
    """Names keep their capital; our own first words do not."""
    for word in ("The table", "The house rules"):
        if text.startswith(word):
            return "t" + text[1:]
    return text
