"""A roll-off, step by step: who must roll next, who is ahead, who wins, and why.

Everybody rolls a d10 and the highest wins; those who tie roll again among themselves. A player's dice are kept as a
row, the first roll and then one die for each tie, and rows are compared from the left. So a re-roll bought late may
join a tie or break one without anything being rolled twice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import REROLL_PRICE
from rulebook.data.rule_texts import Rule
from rulebook.input_checks import check_count, check_d10, check_one_of, quote_value
from text import join_list

# fmt: off
ATTACKER_RULES: tuple[Rule, ...] = (
    Rule("roll",    "Who attacks",
         "Before each battle every King rolls a d10. The highest attacks; ties roll again.",
         ("ATTACKER-01", "R-68", "R-73")),
    Rule("reroll",  "Re-roll",
         "Pay 1 VP to re-roll your own die and keep either roll. Where several can pay, whoever trails decides first.",
         ("ATTACKER-02", "R-57", "R-103")),
    Rule("target",  "Where they fight", "The attacker chooses the territory. Its current holder defends.",
         ("ATTACKER-03", "R-73")),
    Rule("nothing", "Nothing to attack", "A King with nothing to attack passes, and the next highest roll attacks.",
         ("R-74",)),
    Rule("sides",   "Side A and side B",
         "Each scenario has its own roll-off for sides. The attacker on the map need not be side A.",
         ("ATTACKER-04", "R-66")),
)
# fmt: on

StepKind = Literal["rolled", "bought", "tie", "passes", "wins"]

# One sentence for each thing that can happen in a roll-off, with its rules; {who} and {dice} are filled in later.
STEPS: dict[StepKind, tuple[str, tuple[str, ...]]] = {
    "rolled": ("{who} rolls {dice}.", ("ATTACKER-01", "SCEN-11")),
    "bought": ("{who} pays 1 VP for a re-roll: {dice}.", ("ATTACKER-02", "R-57")),
    "tie": ("{who} tie on {dice} and roll again.", ("R-68",)),
    "passes": ("{who} has nothing to attack and passes.", ("R-74",)),
    "wins": ("{who} wins the roll-off with {dice}.", ("ATTACKER-01", "SCEN-11")),
}


@dataclass(frozen=True, slots=True)
class RollOffStep:
    kind: StepKind
    players: tuple[str, ...]
    dice: tuple[int, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        return STEPS[self.kind][1]

    def text(self, names: Mapping[str, str] | None = None) -> str:
        known = names or {}
        who = join_list(known.get(player, player) for player in self.players)
        return STEPS[self.kind][0].format(who=who, dice=join_list(self.dice, "then"))


@dataclass(frozen=True, slots=True)
class RollOffDie:
    """A die as it fell. ``kept`` is None while the buyer of a re-roll still has to choose."""

    player: str
    roll: int
    buyer: str | None = None
    kept: bool | None = True


@dataclass(frozen=True, slots=True)
class RerollOffer:
    """A re-roll that has fallen and waits for its buyer to keep the old die or the new one."""

    buyer: str
    player: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class RollOff:
    players: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]
    purse: tuple[int, ...]  # VP left, player by player
    passing: tuple[str, ...] = ()  # they roll with the rest but cannot win
    whole_order: bool = False  # also settle ties below the first place (SCEN-01)
    offer: RerollOffer | None = None
    throws: tuple[RollOffDie, ...] = ()

    @classmethod
    def start(
        cls,
        players: Iterable[str],
        *,
        vp: Mapping[str, int] | None = None,
        passing: Iterable[str] = (),
        whole_order: bool = False,
    ) -> "RollOff":
        """A roll-off nobody has rolled in yet. ``vp``: what each may spend on re-rolls, nothing where not named."""
        names = tuple(players)
        if len(names) < 2:
            raise Refusal(f"A roll-off needs at least two players, not {len(names)}.", field="players")
        if len(set(names)) != len(names):
            raise Refusal(f"A player is listed twice in this roll-off: {join_list(names)}.", field="players")
        purse = vp or {}
        for name in (*purse, *passing):
            check_one_of(name, names, "player")
        out = tuple(name for name in names if name in frozenset(passing))
        if len(out) == len(names):
            raise Refusal("Nobody in this roll-off has anything to attack.", field="players")
        money = tuple(check_count(purse.get(name, 0), f"VP of {name}") for name in names)
        return cls(names, ((),) * len(names), money, out, whole_order)

    # --- what is asked ------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who must roll now. Empty while a bought re-roll waits for its choice, and when all is settled."""
        if self.offer is not None:
            return ()
        first = tuple(i for i, hand in enumerate(self.hands) if not hand)
        owing = first or self._settle(self._contenders(), 0)[1]
        return tuple(self.players[i] for i in sorted(owing))

    @property
    def winner(self) -> str | None:
        """Who has won with these dice; a re-roll can still be bought until the players move on."""
        if self.offer is not None or self.waiting:
            return None
        return self.players[self._settle(self._contenders(), 0)[0][0]]

    @property
    def order(self) -> tuple[str, ...]:
        """Highest first, once all ties are settled; asked for by ``whole_order``."""
        if not self.whole_order:
            raise Refusal("This roll-off only decides first place.", field="roll-off")
        if self.offer is not None or self.waiting:
            return ()
        return tuple(self.players[i] for i in self._settle(self._contenders(), 0)[0])

    def vp_left(self, player: str) -> int:
        return self.purse[self._at(player)]

    def spent(self) -> dict[str, int]:
        paid: dict[str, int] = {}
        for throw in self.throws:
            if throw.buyer is not None:
                paid[throw.buyer] = paid.get(throw.buyer, 0) + REROLL_PRICE
        return paid

    def why_no_reroll(self, buyer: str, player: str | None = None, options: Options = BY_THE_BOOK) -> str | None:
        """The sentence that refuses a re-roll of that player's newest die, or None where it may be bought."""
        die_of = buyer if player is None else player
        if self.offer is not None:
            return f"{self.offer.buyer} still has to choose which die to keep."
        if die_of != buyer and not options.reroll_enemy_dice:
            return "You can only re-roll your own dice."
        if not self.hands[self._at(die_of)]:
            return f"{die_of} has not rolled yet."
        if self.purse[self._at(buyer)] < REROLL_PRICE:
            return f"A re-roll costs {REROLL_PRICE} VP; {buyer} has {self.purse[self._at(buyer)]}."
        return None

    def may_buy(self, options: Options = BY_THE_BOOK) -> tuple[str, ...]:
        """Who can buy a re-roll now, in the order in which they decide: whoever trails first (R-103)."""
        able = [i for i, player in enumerate(self.players) if self.why_no_reroll(player, options=options) is None]
        return tuple(self.players[i] for i in sorted(able, key=lambda i: (self.hands[i], i)))

    def steps(self) -> tuple[RollOffStep, ...]:
        """The story so far, from the first die to the winner."""
        story: list[RollOffStep] = []
        for throw in self.throws:
            if throw.buyer is None:
                story.append(RollOffStep("rolled", (throw.player,), (throw.roll,)))
            else:
                story.append(RollOffStep("bought", (throw.buyer,), (throw.roll,)))
        for dice in dict.fromkeys(self.hands[self._at(player)] for player in self.waiting):
            if dice:
                # Those who have already rolled in this tie belong to it as well.
                tied = tuple(p for p in self.players if self.hands[self._at(p)][: len(dice)] == dice)
                story.append(RollOffStep("tie", tuple(p for p in tied if p not in self.passing), dice))
        winner = self.winner
        if winner is not None:
            won_with = self.hands[self._at(winner)]
            for player in self.passing:
                if self.hands[self._at(player)] >= won_with[:1]:
                    story.append(RollOffStep("passes", (player,), self.hands[self._at(player)]))
            story.append(RollOffStep("wins", (winner,), won_with))
        return tuple(story)

    # --- what happens -------------------------------------------------------------------------------------------

    def with_roll(self, player: str, roll: int) -> "RollOff":
        """The next die of a player who has to roll."""
        at = self._at(player)
        check_d10(roll, "roll-off roll")
        if self.offer is not None:
            raise Refusal(f"{self.offer.buyer} still has to choose which die to keep.", field="roll-off")
        if player not in self.waiting:
            raise Refusal(f"{player} does not have to roll now.", field="roll-off")
        return replace(
            self,
            hands=_replace_hand(self.hands, at, (*self.hands[at], roll)),
            throws=(*self.throws, RollOffDie(player, roll)),
        )

    def with_rolls(self, rolls: Mapping[str, int]) -> "RollOff":
        after = self
        for player, roll in rolls.items():
            after = after.with_roll(player, roll)
        return after

    def buy_reroll(self, buyer: str, roll: int, player: str | None = None, options: Options = BY_THE_BOOK) -> "RollOff":
        """Pay 1 VP and roll the newest die again; ``keep_die`` then says which of the two counts."""
        check_d10(roll, "re-roll")
        refused = self.why_no_reroll(buyer, player, options)
        if refused is not None:
            raise Refusal(refused, field="re-roll")
        die_of = buyer if player is None else player
        old = self.hands[self._at(die_of)][-1]
        at = self._at(buyer)
        purse = (*self.purse[:at], self.purse[at] - REROLL_PRICE, *self.purse[at + 1 :])
        throws = (*self.throws, RollOffDie(die_of, roll, buyer, None))
        return replace(self, purse=purse, offer=RerollOffer(buyer, die_of, old, roll), throws=throws)

    def keep_die(self, which: str) -> "RollOff":
        """Keep the ``old`` die or the ``new`` one. The lower may be kept too: not everybody wants to attack."""
        check_one_of(which, ("old", "new"), "die to keep")
        if self.offer is None:
            raise Refusal("There is no re-roll to choose from.", field="re-roll")
        at = self._at(self.offer.player)
        hands = self.hands
        if which == "new":
            hands = _replace_hand(hands, at, (*hands[at][:-1], self.offer.new))
        throws = (*self.throws[:-1], replace(self.throws[-1], kept=which == "new"))
        return replace(self, hands=hands, offer=None, throws=throws)

    # --- how rows of dice are compared --------------------------------------------------------------------------

    def _at(self, player: str) -> int:
        if player not in self.players:
            raise Refusal(
                f"{quote_value(player)} is not in this roll-off. Choose from {join_list(self.players)}.", field="player"
            )
        return self.players.index(player)

    def _contenders(self) -> tuple[int, ...]:
        return tuple(i for i, player in enumerate(self.players) if player not in self.passing)

    def _settle(self, who: tuple[int, ...], depth: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Those settled, highest first, and those who still owe a die at some place that matters."""
        if len(who) == 1:
            return who, ()
        owing = tuple(i for i in who if len(self.hands[i]) <= depth)
        if owing:
            return (), owing
        ordered: tuple[int, ...] = ()
        for face in sorted({self.hands[i][depth] for i in who}, reverse=True):
            group = tuple(i for i in who if self.hands[i][depth] == face)
            settled, still = self._settle(group, depth + 1)
            owing += still
            ordered += settled
            if not self.whole_order:
                break
        return ordered, owing


def _replace_hand(hands: tuple[tuple[int, ...], ...], at: int, hand: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*hands[:at], hand, *hands[at + 1 :])


@dataclass(frozen=True, slots=True)
class SideAssignment:
    a: str
    b: str
    rules: tuple[str, ...]
    text: str


def assign_sides(
    attacker: str, defender: str, chooser: str | None = None, side: str | None = None, options: Options = BY_THE_BOOK
) -> SideAssignment:
    """Who plays side A and who side B of a scenario: the winner of its own roll-off chooses (R-66)."""
    if attacker == defender:
        raise Refusal(f"{attacker} cannot fight itself.", field="defender")
    if options.attacker_is_side_a:
        if chooser is not None or side is not None:
            raise Refusal("House rule: the attacker is side A, so there is no roll-off.", field="side")
        return SideAssignment(attacker, defender, ("R-66",), "House rule: the attacker plays side A.")
    winner = check_one_of(chooser, (attacker, defender), "winner of the roll-off")
    other = defender if winner == attacker else attacker
    text = "The winner of the scenario's roll-off chose the side, whoever attacks on the map."
    if check_one_of(side, ("A", "B"), "side") == "A":
        return SideAssignment(winner, other, ("ATTACKER-04", "R-66"), text)
    return SideAssignment(other, winner, ("ATTACKER-04", "R-66"), text)
