"""What a King can attack: a verdict for every territory, with the rule behind it.

Of three kingdoms Fen has taken one borderland of Oak. Then it may attack every other borderland (``border_open``), but
not the lands of Oak: ``borders_stand``, and ``needs`` names the one that still stands. The castle has to wait until Fen
holds those lands (``lands_not_yours``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refusal import Refusal
from rulebook.campaign.campaign_map import (
    BORDER_1,
    BORDER_2,
    CASTLE,
    FEWEST_KINGDOMS,
    LANDS,
    TERRITORY_KINDS,
    CampaignMap,
    find_victory,
    parse_territory,
)
from rulebook.campaign.roll_off import RollOff
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import look_up
from text import join_list


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a territory can or cannot be attacked. The texts address the attacker."""

    key: str
    legal: bool
    text: str
    rules: tuple[str, ...]


# fmt: off
VERDICTS: tuple[Verdict, ...] = (
    # open to attack
    Verdict("border_open",     True,
            "It is unconquered, and you hold a borderland. All borderlands touch.",
            ("MAP-05", "MAP-06", "MAP-07")),
    Verdict("border_by_lands", True,  "It is unconquered, and you hold the lands beside it.",
            ("MAP-05", "MAP-07", "R-69")),
    Verdict("lands_open_two",  True,  "You hold both of the enemy's borderlands, so the lands behind them are open.",
            ("MAP-01", "MAP-05")),
    Verdict("lands_open",      True,
            "Both borderlands have fallen, at least one to you, so the lands are open.", ("MAP-08", "R-75")),
    Verdict("siege",           True,  "You hold the lands around the castle, so you can besiege it.",
            ("MAP-01", "MAP-09")),
    Verdict("retake_lands",    True,  "These are your own lands, and you still hold your castle: you can retake them.",
            ("MAP-03", "R-76")),
    Verdict("retake_border",   True,
            "This is your own borderland, and you hold the lands behind it: you can retake it.", ("MAP-04", "R-76")),
    Verdict("rival_border",    True,
            "A rival took it from another King. House rules let you attack him, and you hold a territory next to it.",
            ("R-70", "MAP-05")),
    Verdict("rival_lands",     True,
            "A rival took these lands from another King, and house rules let you attack him. "
            "Both borderlands have fallen, at least one to you.", ("R-70", "MAP-08")),
    Verdict("rival_castle",    True,
            "A rival holds this castle. House rules let you attack him, and you hold the lands around it.",
            ("R-70", "MAP-09")),
    # closed
    Verdict("campaign_won",    False, "The campaign is over.", ("CAMP-02", "CAMP-03")),
    Verdict("king_out",        False, "Your castle has fallen. A King without a castle is out.",
            ("R-72",)),
    Verdict("yours",           False, "You already hold it.", ("MAP-07",)),
    Verdict("lands_first",     False, "This is your borderland, but you lost the lands behind it. Retake them first.",
            ("MAP-04",)),
    Verdict("not_agreed",      False, "The King you agreed to fight does not hold it.",
            ("R-73",)),
    Verdict("third_party",     False, "One rival took it from another. Only its original King can win it back.",
            ("MAP-07", "R-70")),
    Verdict("nothing_beside",  False, "You hold nothing next to it: no borderland, and not the lands behind it.",
            ("MAP-05", "R-69")),
    Verdict("borders_stand",   False, "Both borderlands must fall before the lands can be attacked.",
            ("MAP-01", "MAP-08")),
    Verdict("borders_not_yours", False, "Both borderlands have fallen, but you hold neither. You need one.",
            ("MAP-08",)),
    Verdict("lands_not_yours", False, "Only the King who holds the lands around a castle can besiege it.",
            ("MAP-01", "MAP-09")),
)
# fmt: on

VERDICT: dict[str, Verdict] = {verdict.key: verdict for verdict in VERDICTS}


@dataclass(frozen=True, slots=True)
class Target:
    territory: str
    attacker: str
    holder: str  # who would defend it
    verdict: Verdict
    needs: tuple[str, ...] = ()  # territories to win first, where the verdict is no

    @property
    def legal(self) -> bool:
        return self.verdict.legal

    @property
    def defender(self) -> str | None:
        """Whoever holds the territory now, where it may be attacked."""
        return self.holder if self.legal else None

    @property
    def siege(self) -> bool:
        return self.territory.endswith(".castle")

    @property
    def retaking(self) -> bool:
        return self.verdict.key in ("retake_lands", "retake_border")


@dataclass(frozen=True, slots=True)
class _Attacker:
    """What is asked about the attacker for every territory alike, looked up once."""

    name: str
    two_players: bool
    closed: str | None  # a verdict that shuts the whole map
    holds_a_border: bool
    foe: str | None
    options: Options


def _attacker(campaign_map: CampaignMap, name: str, against: str | None, options: Options) -> _Attacker:
    if len(campaign_map.kingdoms) < FEWEST_KINGDOMS:
        raise Refusal("There is nobody to attack. A campaign needs at least 2 kingdoms.")
    closed = None
    if campaign_map.is_out(name):
        closed = "king_out"
    elif find_victory(campaign_map, options) is not None:
        closed = "campaign_won"
    if against is not None:
        look_up(against, dict.fromkeys(campaign_map.kingdoms, True), "kingdom")
        if against == name:
            raise Refusal(f"{name} cannot fight itself.", field="against")
    return _Attacker(
        name=name,
        two_players=len(campaign_map.kingdoms) == 2,
        closed=closed,
        holds_a_border=any(name in row[BORDER_1:] for row in campaign_map.rows),
        foe=against,
        options=options,
    )


def _judge_all(who: _Attacker, campaign_map: CampaignMap) -> Iterator[Target]:
    for kingdom, row in zip(campaign_map.kingdoms, campaign_map.rows, strict=True):
        for place in range(len(TERRITORY_KINDS)):
            yield _judge(who, kingdom, row, place)


def _judge(who: _Attacker, kingdom: str, row: tuple[str, str, str, str], place: int) -> Target:
    holder = row[place]
    me = who.name
    needs: tuple[str, ...] = ()
    if who.closed is not None:
        key = who.closed
    elif holder == me:
        key = "yours"
    elif kingdom == me:
        # nothing else is asked, since the castle or the lands lie beside what is retaken.
        if place == LANDS:
            key = "retake_lands"
        elif row[LANDS] == me:
            key = "retake_border"
        else:
            key, needs = "lands_first", (f"{me}.lands",)
        if who.foe is not None and holder != who.foe and VERDICT[key].legal:
            key = "not_agreed"
    elif who.foe is not None and holder != who.foe:
        key = "not_agreed"
    elif holder != kingdom and not who.options.third_party_attacks:
        key = "third_party"
    else:
        key, needs = _judge_abroad(who, kingdom, row, place)
    return Target(f"{kingdom}.{TERRITORY_KINDS[place].key}", me, holder, VERDICT[key], needs)


def _judge_abroad(
    who: _Attacker, kingdom: str, row: tuple[str, str, str, str], place: int
) -> tuple[str, tuple[str, ...]]:
    """A territory on another kingdom's map that nothing but its position shields."""
    me = who.name
    of_a_rival = row[place] != kingdom
    if place == CASTLE:
        if row[LANDS] != me:
            return "lands_not_yours", (f"{kingdom}.lands",)
        return ("rival_castle" if of_a_rival else "siege"), ()
    if place == LANDS:
        standing = tuple(f"{kingdom}.{TERRITORY_KINDS[b].key}" for b in (BORDER_1, BORDER_2) if row[b] == kingdom)
        if standing:
            return "borders_stand", standing
        if me not in row[BORDER_1:]:
            return "borders_not_yours", ()
        if of_a_rival:
            return "rival_lands", ()
        return ("lands_open_two" if who.two_players else "lands_open"), ()
    if who.holds_a_border:
        return ("rival_border" if of_a_rival else "border_open"), ()
    if row[LANDS] == me:
        return ("rival_border" if of_a_rival else "border_by_lands"), ()
    return "nothing_beside", ()


def list_targets(
    campaign_map: CampaignMap, attacker: str, options: Options = BY_THE_BOOK, *, against: str | None = None
) -> tuple[Target, ...]:
    """Every territory of the map with its verdict. ``against``: only what that kingdom holds (two Kings agreed)."""
    return tuple(_judge_all(_attacker(campaign_map, attacker, against, options), campaign_map))


def list_legal_targets(
    campaign_map: CampaignMap, attacker: str, options: Options = BY_THE_BOOK, *, against: str | None = None
) -> tuple[Target, ...]:
    return tuple(target for target in list_targets(campaign_map, attacker, options, against=against) if target.legal)


def find_target(
    campaign_map: CampaignMap, attacker: str, key: str, options: Options = BY_THE_BOOK, *, against: str | None = None
) -> Target:
    campaign_map.holder(key)  # refuses what is not on this map
    place = parse_territory(key)
    row = campaign_map.rows[campaign_map.kingdoms.index(place.kingdom)]
    who = _attacker(campaign_map, attacker, against, options)
    return _judge(who, place.kingdom, row, [p.key for p in TERRITORY_KINDS].index(place.place))


def can_attack(
    campaign_map: CampaignMap, attacker: str, options: Options = BY_THE_BOOK, *, against: str | None = None
) -> bool:
    """Whether the King has anything to attack at all (R-74)."""
    who = _attacker(campaign_map, attacker, against, options)
    return any(target.legal for target in _judge_all(who, campaign_map))


def declare_attack(
    campaign_map: CampaignMap,
    attacker: str,
    key: str,
    options: Options = BY_THE_BOOK,
    *,
    against: str | None = None,
    seen_holder: str | None = None,
) -> Target:
    """The attacker names the territory (ATTACKER-03); refused with the verdict's own sentence where it is closed.

    ``seen_holder``: who held it on the page the player looked at; if it has changed hands since, the refusal says so.
    """
    chosen = find_target(campaign_map, attacker, key, options, against=against)
    if seen_holder is not None and chosen.holder != seen_holder:
        raise Refusal(
            f"{key} has changed hands: {chosen.holder} holds it now.",
            status=409,
            field="territory",
            fresh={"territory": key, "holder": chosen.holder},
        )
    if not chosen.legal:
        raise Refusal(chosen.verdict.text, field="territory")
    return chosen


# --- who attacks ------------------------------------------------------------------------------------------------


def start_attacker_roll_off(
    campaign_map: CampaignMap,
    options: Options = BY_THE_BOOK,
    *,
    pair: tuple[str, str] | None = None,
    vp: Mapping[str, int] | None = None,
) -> RollOff:
    """The roll-off for who attacks next: every King still in play, or the two who agreed to fight (R-73).

    Those without a legal target roll with the rest but pass (R-74).
    """
    living = campaign_map.living
    if len(living) < 2:
        raise Refusal("There are not enough Kings left to fight.", field="kingdoms")
    if find_victory(campaign_map, options) is not None:
        raise Refusal(VERDICT["campaign_won"].text, field="kingdoms")
    if pair is None:
        if options.attacker_choice == "agreed_pair" and len(living) > 2:
            raise Refusal("House rule: two Kings agree to fight and roll. Choose the two.", field="pair")
        rollers = living
        idle = [king for king in living if not can_attack(campaign_map, king, options)]
    else:
        if options.attacker_choice == "all_roll" and set(pair) != set(living):
            raise Refusal("Every King still in play rolls for the attack, not just two.", field="pair")
        one, other = _check_pair(pair, living)
        rollers = pair
        idle = [
            me for me, foe in ((one, other), (other, one)) if not can_attack(campaign_map, me, options, against=foe)
        ]
        if len(idle) == 2:
            raise Refusal(f"Neither {one} nor {other} holds anything the other can attack.", field="pair")
    purse = {king: vp[king] for king in rollers if king in vp} if vp else None
    return RollOff.start(rollers, vp=purse, passing=idle)


def _check_pair(pair: tuple[str, str], living: tuple[str, ...]) -> tuple[str, str]:
    if len(pair) != 2 or pair[0] == pair[1]:
        raise Refusal(f"Choose two different Kings, not {join_list(pair)}.", field="pair")
    for king in pair:
        if king not in living:
            raise Refusal(f"{king} is not in play. Choose from {join_list(living)}.", field="pair")
    return pair
