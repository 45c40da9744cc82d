"""The story of a season in plain sentences, and the page with it that is saved when the season closes.

Every sentence comes from entries of the chronicle; nothing is made up.
People are not named: a story is kept, and a name must be deletable.
"""

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TypedDict

from campaign.chronicle.battles_from_entries import RETAKEN, BattleRecord, is_battle, read_battle
from campaign.chronicle.effects import (
    FealtyChanged,
    KingdomJoined,
    StatusChanged,
    TerritoryTaken,
    WarStarted,
    WarWon,
    apply_effects,
)
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.seasons.cut_into_seasons import SeasonRecord
from campaign.chronicle.seasons.standings import StandingsRow, rank_kingdoms
from campaign.chronicle.seasons.titles import AwardedTitle, award_titles
from campaign.chronicle.sentences import (
    Names,
    capitalise,
    count_noun,
    count_times,
    format_day,
    spell_number,
    spell_ordinal,
)
from campaign.chronicle.state import State
from rulebook.data.scenarios import SCENARIO
from text import join_list

# A longer season tells only its most important events and counts the rest.
MAX_EVENTS = 60
STREAK = 3

# Effects after which somebody else may hold the most land.
_LAND = (TerritoryTaken, KingdomJoined, StatusChanged, WarStarted)


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    entry: int = 0  # the entry it comes from; 0 where it sums up many


@dataclass(frozen=True, slots=True)
class _Event:
    entry: ChronicleEntry
    text: str
    weight: int
    is_battle: bool


Paragraph = tuple[Sentence, ...]


def write_story(season: SeasonRecord) -> tuple[Paragraph, ...]:
    names = Names(season.after)
    events = _EventWriter(season, names).events()
    chosen = _choose_weightiest(events)
    paragraphs = [_write_opening(season, names), *_group_by_month(chosen)]
    left = sum(event.is_battle for event in events) - sum(event.is_battle for event in chosen)
    if left:
        paragraphs.append((Sentence(f"The chronicle has {count_noun(left, 'more battle')} of this season."),))
    paragraphs.append(_write_ending(season, names))
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def _write_opening(season: SeasonRecord, names: Names) -> Paragraph:
    opened = f"Season {season.number}, {season.name}, opened on {format_day(season.opened.played_on)}."
    sentences = [Sentence(opened, season.opened.number)]
    kingdoms = season.before.in_play()
    if season.new_war:
        sentences.append(Sentence("A new war began, and every kingdom held its own land again.", season.opened.number))
    if kingdoms:
        all_named = join_list([names.kingdom(kingdom.id) for kingdom in kingdoms])
        verb = "stood" if len(kingdoms) == 1 else "faced each other"
        sentences.append(Sentence(f"{capitalise(count_noun(len(kingdoms), 'kingdom'))} {verb}: {all_named}."))
        if any(season.before.count_holdings(kingdom.id) != 4 for kingdom in kingdoms):
            sentences.append(Sentence(f"{_describe_land(season.before, names)} at the start."))
    return tuple(sentences)


def _write_ending(season: SeasonRecord, names: Names) -> Paragraph:
    state = season.after
    kingdoms = state.in_play()
    number_of = sum(map(is_battle, season.entries))
    battles = capitalise(count_noun(number_of, "battle"))
    if season.closed:
        fought = f"{battles} {'was' if number_of == 1 else 'were'} fought"
        closed_on = format_day(season.closed.played_on)
        sentences = [Sentence(f"{fought} before the season closed on {closed_on}.", season.closed.number)]
    else:
        sentences = [Sentence(f"{battles} {'has' if number_of == 1 else 'have'} been fought so far.")]
    if kingdoms:
        land = f"{_describe_land(state, names)} at the end" if season.closed else _describe_land(state, names, "holds")
        sentences.append(Sentence(f"{land}."))
    had, were = ("had", "were") if season.closed else ("has", "are")
    for what, text in (
        ("vp", "{name} " + had + " the most VP, {n}."),
        ("loyalty", "The nobles of {name} " + were + " the most loyal, at {n}."),
    ):
        best = max((getattr(kingdom, what) for kingdom in kingdoms), default=0)
        first = [kingdom for kingdom in kingdoms if getattr(kingdom, what) == best]
        if len(first) == 1 and best > 0 and len(kingdoms) > 1:
            shown = f"+{best}" if what == "loyalty" else str(best)
            sentences.append(Sentence(text.format(name=names.kingdom(first[0].id), n=shown)))
    return tuple(sentences)


def _describe_land(state: State, names: Names, verb: str = "held") -> str:
    """Who held how much, the largest first."""
    held = sorted(
        ((state.count_holdings(kingdom.id), kingdom.id) for kingdom in state.in_play()), key=lambda row: -row[0]
    )
    first, *rest = held
    parts = [f"{names.kingdom(first[1])} {verb} {count_noun(first[0], 'territory', 'territories')}"]
    parts += [f"{names.kingdom(key)} {spell_number(count) if count else 'none'}" for count, key in rest]
    return join_list(parts)


class _EventWriter:
    """Walks the season once, with what is needed to see a turn of fortune: who leads, who wins again and again."""

    def __init__(self, season: SeasonRecord, names: Names) -> None:
        self.season, self.names = season, names
        self.state = season.before.copy()
        self.streak: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.leader = _find_leader(self.state)

    def events(self) -> list[_Event]:
        events = []
        for entry in self.season.entries[1:]:
            before = self.leader
            apply_effects(self.state, entry.effects)
            if any(isinstance(effect, _LAND) for effect in entry.effects):
                self.leader = _find_leader(self.state)
            event = self._event(entry)
            if event is None:
                continue
            if self.leader and self.leader != before:
                lead = f" {self.names.kingdom(self.leader)} now held the most land."
                event = replace(event, text=event.text + lead, weight=event.weight + 3)
            events.append(event)
        return events

    def _event(self, entry: ChronicleEntry) -> _Event | None:
        if is_battle(entry):
            return self._battle(entry)
        if winner := next((effect.kingdom for effect in entry.effects if isinstance(effect, WarWon)), None):
            text = f"{self.names.kingdom(winner)} won the war, as the players had agreed."
            return _Event(entry, text, 9, is_battle=False)
        text = self._other(entry)
        return _Event(entry, text, 2, is_battle=False) if text else None

    def _battle(self, entry: ChronicleEntry) -> _Event:
        battle = read_battle(entry)
        names = self.names
        sentences = [self._fight(battle)]
        weight = {"attacker": 2, "defender": 1, "draw": 0}.get(battle.outcome, 0)
        for taken in battle.taken:
            if taken.territory == battle.target:
                self.taken[battle.target] += 1
                weight += 3 if taken.territory.endswith((".castle", ".lands")) else 1
                if (times := self.taken[battle.target]) > 1:
                    sentences.append(f"It changed hands for the {spell_ordinal(times)} time this season.")
                    weight += 1
        passed = [effect for effect in battle.taken if effect.why == "inherited"]
        if passed:
            fallen, heir = names.kingdom(passed[0].was), names.kingdom(passed[0].by)
            more = count_noun(len(passed), "more territory", "more territories")
            sentences.append(f"{capitalise(more)} of {fallen} passed to {heir}.")
        sentences += self._streaks(battle)
        for effect in entry.effects:
            if isinstance(effect, FealtyChanged) and effect.lost:
                house = names.house(effect.kingdom, effect.house)
                sentences.append(f"{house} sent nobody, and {names.kingdom(effect.kingdom)} lost its fealty.")
                weight += 1
            elif isinstance(effect, WarWon):
                sentences.append(f"With that {names.kingdom(effect.kingdom)} won the war.")
                weight += 9
        return _Event(entry, " ".join(sentences), weight, True)

    def _fight(self, battle: BattleRecord) -> str:
        names = self.names
        one, other, place = names.kingdom(battle.attacker), names.kingdom(battle.defender), names.place(battle.target)
        how = f" in {SCENARIO[battle.scenario].name}" if battle.scenario in SCENARIO else ""
        earned = [battle.earned.get(side, 0) for side in (battle.attacker, battle.defender)]
        if battle.outcome == "defender":
            earned.reverse()
        points = f", {earned[0]} VP to {earned[1]}" if battle.earned else ""
        if battle.outcome == "draw":
            return f"{one} and {other} fought to a draw over {place}{how}{points}."
        if battle.outcome == "defender":
            return f"{other} held off {one} at {place}{how}{points}."
        here = next((effect for effect in battle.taken if effect.territory == battle.target), None)
        if here is None:
            return f"{one} beat {other} at {place}{how}{points}."
        if battle.target.endswith(".castle"):
            return f"{one} stormed {place}, the castle of {other}{points}."
        verb = "won back" if here.why in RETAKEN else "took"
        return f"{one} beat {other}{how} and {verb} {place}{points}."

    def _streaks(self, battle: BattleRecord) -> list[str]:
        """Mention three or more wins in a row, and the defeat that ends such a run."""
        winner, loser = battle.winner, battle.loser
        if winner is None or loser is None:
            self.streak[battle.attacker] = self.streak[battle.defender] = 0
            return []
        ended = self.streak[loser]
        self.streak[winner] += 1
        self.streak[loser] = 0
        sentences = []
        if self.streak[winner] >= STREAK:
            count = spell_ordinal(self.streak[winner])
            sentences.append(f"It was the {count} win in a row for {self.names.kingdom(winner)}.")
        if ended >= STREAK:
            sentences.append(f"{self.names.kingdom(loser)} had won {count_times(ended)} in a row before that.")
        return sentences

    def _other(self, entry: ChronicleEntry) -> str:
        names, body = self.names, entry.body
        if entry.act == "kingdom_joins":
            return f"{names.kingdom(body['kingdom'])} joined the war."
        if entry.act == "kingdom_status":
            name = names.kingdom(body["kingdom"])
            return {
                "playing": f"{name} was back in play.",
                "frozen": f"{name} was frozen.",
                "solo": f"{name} played by the solo rules from then on.",
                "gone": f"{name} was dissolved.",
            }.get(body.get("to", ""), "")
        if entry.act == "ruler_changed":
            return f"{names.kingdom(body['kingdom'])} had a new ruler." if body.get("person") else ""
        if entry.act == "vp_spent" and body.get("what") == "regain":
            house = names.house(body["kingdom"], body["house"])
            return f"{names.kingdom(body['kingdom'])} won back the fealty of {house}."
        if entry.act == "agreed_change":
            return f"The players agreed on a change: {_end_sentence(body.get('why', ''))}"
        if entry.act == "house_rules":
            return "The house rules changed."
        return ""


def _find_leader(state: State) -> str | None:
    """Who alone holds the most land."""
    first = Counter(state.holders.values()).most_common(2)
    if len(first) < 2:
        return first[0][0] if first and len(state.in_play()) > 1 else None
    return None if first[0][1] == first[1][1] else first[0][0]


def _end_sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def _choose_weightiest(events: list[_Event]) -> list[_Event]:
    """The weightiest, in the order they happened."""
    if len(events) <= MAX_EVENTS:
        return events
    best = sorted(range(len(events)), key=lambda at: (-events[at].weight, at))[:MAX_EVENTS]
    return [events[at] for at in sorted(best)]


def _group_by_month(events: list[_Event]) -> list[Paragraph]:
    """One paragraph a month; each day is named once."""
    months: dict[str, list[Sentence]] = {}
    last_day = ""
    for event in events:
        on = event.entry.played_on
        text = event.text if on == last_day else f"On {format_day(on, year=False)} {_lower_our_words(event.text)}"
        months.setdefault(on[:7], []).append(Sentence(text, event.entry.number))
        last_day = on
    return [tuple(sentences) for sentences in months.values()]


def _lower_our_words(text: str) -> str:
    """Lower the first letter of our own words after a date; names keep their capital."""
    for word in ("The players", "The house rules"):
        if text.startswith(word):
            return "t" + text[1:]
    return text


class StoryJson(TypedDict):
    text: str
    entry: int


class SeasonPageJson(TypedDict):
    """As it is saved and answered."""

    season: int
    name: str
    war: int
    new_war: bool
    opened_on: str
    opened: int
    closed_on: str
    closed: int
    battles: int
    winner: str
    ranks: list[StandingsRow]
    titles: list[AwardedTitle]
    story: list[list[StoryJson]]


def build_season_page(season: SeasonRecord) -> dict[str, object]:
    """A season ready to draw. Saved when it closes; rebuilt each time while it is open."""
    state = season.after
    winner = state.winner if state.winner and state.winner != season.before.winner else None
    return {
        "season": season.number,
        "name": season.name,
        "war": season.war,
        "new_war": season.new_war,
        "opened_on": season.opened.played_on,
        "opened": season.opened.number,
        "closed_on": season.closed.played_on if season.closed else "",
        "closed": season.closed.number if season.closed else 0,
        "battles": sum(map(is_battle, season.entries)),
        "winner": Names(state).kingdom(winner) if winner else "",
        "ranks": [asdict(rank) for rank in rank_kingdoms(state, season.entries)],
        "titles": [
            asdict(title) | {"kingdoms": list(title.kingdoms), "entries": list(title.entries)}
            for title in award_titles(season)
        ],
        "story": [[asdict(sentence) for sentence in paragraph] for paragraph in write_story(season)],
    }
