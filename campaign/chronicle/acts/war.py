"""Acts of the war: who attacks, battles declared and called off, results, points spent, agreed changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.chronicle.acts.registry import (
    MASTER,
    RULER,
    ActKind,
    Body,
    register_act_kind,
    require_kingdom,
    require_text,
    require_whole_number,
)
from campaign.chronicle.effects import Effect
from campaign.chronicle.state import FROZEN, State
from refusal import Refusal
from rulebook.campaign import attack_targets, conquest, scoring, vp_spending
from rulebook.campaign.roll_off import RollOff
from rulebook.campaign.territories import parse_territory
from rulebook.data.house_rules import Options
from rulebook.data.scenarios import SCENARIO

WHY_MOST = 500
VP_MOST = 99
UNITS_MOST = 99


# --- the roll-off --------------------------------------------------------------------------------------------------


def replay_roll_off(state: State, body: Body, options: Options) -> RollOff:
    """The roll-off as far as these throws go: ties are thrown again by those who tied, bought throws cost VP."""
    pair = body.get("pair")
    purse = {k.id: max(k.vp, 0) for k in state.in_play()}
    rolling = attack_targets.start_attacker_roll_off(
        state.realm(), options, pair=tuple(pair) if pair else None, vp=purse
    )
    for throw in body.get("throws", []):
        who, roll = throw.get("kingdom"), throw.get("roll")
        if throw.get("bought"):
            rolling = rolling.buy_reroll(throw.get("by", who), roll, who, options).keep_die(throw.get("keep", "new"))
        else:
            rolling = rolling.with_roll(who, roll)
    return rolling


def _decide_roll_off(state: State, body: Body, options: Options) -> list[Effect]:
    rolling = replay_roll_off(state, body, options)
    if rolling.winner is None:
        names = ", ".join(require_kingdom(state, key).name for key in rolling.waiting)
        raise Refusal(f"The roll-off is not decided. {names} must roll.", field="throws")
    if body.get("winner") not in (None, rolling.winner):
        raise Refusal(f"By these dice {require_kingdom(state, rolling.winner).name} attacks.", field="winner")
    return [
        {"do": "vp", "kingdom": who, "by": -spent, "why": "reroll"} for who, spent in rolling.spent().items() if spent
    ]


# --- battles -------------------------------------------------------------------------------------------------------


def _next_battle(state: State, body: Body) -> Body:
    return {**body, "battle": state.battle_count + 1}


def _find_or_number_battle(state: State, body: Body) -> Body:
    """The battle that was declared; one that was not gets its number now."""
    number = body.get("battle")
    if number and number not in state.battles:
        raise Refusal(f"Battle {number} is not open. It was already reported or called off.", status=409)
    return body if number else _next_battle(state, body)


def _require_free(state: State, key: str, *, but: int | None = None) -> None:
    """A kingdom already spoken for cannot fight a second battle at the same time."""
    realm = require_kingdom(state, key)
    if realm.status == FROZEN:
        raise Refusal(f"{realm.name} is frozen. Unfreeze it before it fights.", status=409)
    battle = state.open_battle_of(key)
    if battle and battle.number != but:
        raise Refusal(
            f"{realm.name} is already in battle {battle.number}. Finish or call off that battle first.", status=409
        )


def _decide_declaration(state: State, body: Body, options: Options) -> list[Effect]:
    if state.winner:
        raise Refusal("This war is over. Open a new season to start another.", status=409)
    attacker = require_kingdom(state, body.get("attacker"), "attacker").id
    key = parse_territory(body.get("target", "")).key
    if battle := state.open_battle_for(key):
        raise Refusal(f"{state.place_name(key)} is already contested in battle {battle.number}.", status=409)
    fought = attack_targets.declare_attack(state.realm(), attacker, key, options, seen_holder=body.get("seen_holder"))
    _require_free(state, attacker)
    _require_free(state, fought.holder)
    scenario = body.get("scenario")
    if scenario is not None and scenario not in SCENARIO:
        raise Refusal(f"There is no scenario called {scenario!r}.", field="scenario")
    return [
        {
            "do": "declared",
            "battle": body["battle"],
            "attacker": attacker,
            "defender": fought.holder,
            "target": key,
            "line": body.get("line", 0),
            "scenario": scenario,
        }
    ]


def _decide_calling_off(state: State, body: Body, options: Options) -> list[Effect]:
    number = body.get("battle")
    if number not in state.battles:
        raise Refusal(f"Battle {number} is not open.", field="battle", status=409)
    return [{"do": "closed", "battle": number}]


def _decide_result(state: State, body: Body, options: Options) -> list[Effect]:
    """A battle entered by its outcome: points, loyalty, land and fealty follow, each with its reason."""
    if state.winner:
        raise Refusal("This war is over. Open a new season to start another.", status=409)
    number = body["battle"]
    attacker = require_kingdom(state, body.get("attacker"), "attacker").id
    key = parse_territory(body.get("target", "")).key
    open_battle = state.battles.get(number)
    if open_battle and (open_battle.attacker, open_battle.target) != (attacker, key):
        raise Refusal(f"Battle {number} was declared for another target.", field="target")
    if not open_battle and (other := state.open_battle_for(key)):
        raise Refusal(
            f"{state.place_name(key)} is contested in battle {other.number}. Report that battle instead.", status=409
        )
    loyalty = {realm.id: realm.loyalty for realm in state.in_play()}
    agreed = bool(body.get("as_agreed"))
    after = conquest.battle_consequences(
        state.realm(), attacker, key, body.get("outcome", ""), options, loyalty=loyalty, as_agreed=agreed
    )
    for side in (attacker, after.defender):
        _require_free(state, side, but=number)
    _check_removed_units(body, (attacker, after.defender))
    effects = _vp_effects(state, body, after, options)
    effects += _vp_of_other_armies(state, body, (attacker, after.defender), number)
    for moved in after.effects:
        effects += _translate_conquest_effect(moved, number)
    effects += _lost_house_effects(state, body, (attacker, after.defender), number)
    # Record the defender: after a draw nothing else shows who it was.
    return [*effects, {"do": "closed", "battle": number, "defender": after.defender}]


def _check_removed_units(body: Body, sides: tuple[str, str]) -> None:
    """Units each side removed, if counted. Only the season titles use them."""
    for side, count in (body.get("removed") or {}).items():
        if side not in sides:
            raise Refusal("Only the two sides can remove units in a battle.", field="removed")
        require_whole_number(count, "Units removed", least=0, most=UNITS_MOST, field="removed")


def _vp_effects(state: State, body: Body, after: conquest.BattleConsequences, options: Options) -> list[Effect]:
    """VP of both sides, scored from a report or as counted, minus VP spent in the battle."""
    sides = (after.attacker, after.defender)
    number = body["battle"]
    effects: list[Effect] = []
    earned = dict.fromkeys(sides, 0)
    for side, vp, why in score_report(body, after, options) if body.get("report") else _counted_vp(body, sides):
        if vp:
            earned[side] += vp
            effects.append({"do": "vp", "kingdom": side, "by": vp, "why": why, "battle": number})
    for side, spent in (body.get("spent") or {}).items():
        if side not in sides:
            raise Refusal("Only the two sides can spend VP in a battle.", field="spent")
        require_whole_number(spent, "VP spent", least=0, most=VP_MOST, field="spent")
        if spent:
            vp_spending.available_vp(max(require_kingdom(state, side).vp, 0), earned[side], spent)
            effects.append({"do": "vp", "kingdom": side, "by": -spent, "why": "spent_in_battle", "battle": number})
    return effects


def _vp_of_other_armies(state: State, body: Body, sides: tuple[str, str], number: int) -> list[Effect]:
    """Further armies where more than two met (SCEN-01): they earn VP; land and loyalty stay between the two sides."""
    others = body.get("others") or {}
    if others and body.get("report"):
        raise Refusal("With more than two armies, enter VP totals instead of units.", field="others")
    effects: list[Effect] = []
    for key, vp in others.items():
        realm = require_kingdom(state, key, "others")
        if realm.id in sides:
            raise Refusal(f"{realm.name} is already one of the two sides.", field="others")
        if require_whole_number(vp, "VP", least=0, most=VP_MOST, field="others"):
            effects.append({"do": "vp", "kingdom": realm.id, "by": vp, "why": "fought_beside", "battle": number})
    return effects


def _counted_vp(body: Body, sides: tuple[str, str]) -> list[tuple[str, int, str]]:
    points = body.get("points") or {}
    for side in points:
        if side not in sides:
            raise Refusal("Only the two sides can earn VP in a battle.", field="points")
    return [
        (s, require_whole_number(points.get(s, 0), "VP", least=0, most=VP_MOST, field="points"), "counted")
        for s in sides
    ]


def score_report(body: Body, after: conquest.BattleConsequences, options: Options) -> list[tuple[str, int, str]]:
    """Points by the scenario's own list, from what the report says happened."""
    report = parse_report(body["report"])
    score = scoring.score_report(report, options)
    by_side = {body["report"].get("side_a", after.attacker): "A"}
    by_side[after.defender if after.attacker in by_side else after.attacker] = "B"
    if set(by_side) != {after.attacker, after.defender}:
        raise Refusal("Side A must be one of the two sides.", field="side_a")
    winner = next((kingdom_id for kingdom_id, side in by_side.items() if side == score.winner), None)
    if winner != after.winner:
        raise Refusal(f"The winner does not match the report: {score.reason}", field="outcome")
    return [(k, row.vp, f"score_{row.key}") for k, side in by_side.items() for row in score.lines if row.side == side]


def parse_report(data: Mapping[str, Any]) -> scoring.Report:
    """The rulebook's report out of its JSON form."""
    rest = {key: value for key, value in data.items() if key not in ("a", "b", "side_a", "mounds")}
    try:
        return scoring.Report(
            a=scoring.SideReport(**data["a"]),
            b=scoring.SideReport(**data["b"]),
            mounds=tuple(data.get("mounds", ())),
            **rest,
        )
    except (KeyError, TypeError) as error:
        raise Refusal(f"The report is incomplete: {error}.", field="report") from error


def _translate_conquest_effect(moved: conquest.Effect, number: int) -> list[Effect]:
    why = {"why": moved.reason, "battle": number}
    if isinstance(moved, conquest.LoyaltyChanged):
        return [{"do": "loyalty", "kingdom": moved.kingdom, "by": moved.change, **why}]
    if isinstance(moved, conquest.TerritoryTaken):
        return [{"do": "hold", "territory": moved.territory, "by": moved.now, "was": moved.was, **why}]
    if isinstance(moved, conquest.CampaignWon):
        return [{"do": "won", "kingdom": moved.kingdom, **why}]
    return []  # a King without his castle shows on the map


def _lost_house_effects(state: State, body: Body, sides: tuple[str, str], number: int) -> list[Effect]:
    effects: list[Effect] = []
    for side, lost in (body.get("houses_lost") or {}).items():
        if side not in sides:
            raise Refusal("Only the two sides mustered for this battle.", field="houses_lost")
        realm = require_kingdom(state, side)
        for house in lost:
            require_whole_number(house, "The number of the house", least=1, most=4, field="houses_lost")
            if realm.houses[house - 1].lost:
                raise Refusal(
                    f"The fealty of {realm.houses[house - 1].name} was already lost before this battle.",
                    field="houses_lost",
                )
            effects.append(
                {"do": "house", "kingdom": side, "house": house, "lost": True, "why": "sent_nobody", "battle": number}
            )
    return effects


# --- points spent ---------------------------------------------------------------------------------------------------


def _decide_spending(state: State, body: Body, options: Options) -> list[Effect]:
    realm = require_kingdom(state, body.get("kingdom"))
    what = body.get("what", "")
    purse = max(realm.vp, 0)
    if what == "regain":
        house = body.get("house", 0)
        cost = vp_spending.buy_house_back(purse, house, realm.lost_houses()).cost
        bought: list[Effect] = [{"do": "house", "kingdom": realm.id, "house": house, "lost": False, "why": "regain"}]
    elif what == "loyalty":
        times = require_whole_number(body.get("times", 1), "The number of times", least=1, most=99, field="times")
        cost = vp_spending.buy_loyalty(purse, realm.loyalty, times, options).spent.cost
        bought = [{"do": "loyalty", "kingdom": realm.id, "by": times, "why": "bought"}]
    elif what == "rebel_roll":
        battle = state.open_battle_of(realm.id)
        siege = battle is not None and battle.target.endswith(".castle")
        side = None if battle is None or not siege else "attacker" if battle.attacker == realm.id else "defender"
        cost, bought = vp_spending.buy_rebel_roll(purse, siege_side=side).cost, []
    else:
        times = require_whole_number(body.get("times", 1), "The number of times", least=1, most=99, field="times")
        cost, bought = vp_spending.spend_vp(purse, what, times).cost, []
    return [{"do": "vp", "kingdom": realm.id, "by": -cost, "why": what}, *bought]


# --- agreed changes ------------------------------------------------------------------------


def _decide_agreed_change(state: State, body: Body, options: Options) -> list[Effect]:
    """An agreed change: it needs a reason but no rule."""
    require_text(body.get("why"), "The reason", most=WHY_MOST, field="why")
    why = {"why": "agreed"}
    effects: list[Effect] = []
    for key, by in (body.get("vp") or {}).items():
        realm = require_kingdom(state, key)
        if not require_whole_number(by, "VP", least=-999, most=999, field="vp"):
            continue
        if by < 0 and realm.vp + by < 0:
            raise Refusal(f"{realm.name} has {realm.vp} VP. It cannot go below 0.", field="vp")
        effects.append({"do": "vp", "kingdom": realm.id, "by": by, **why})
    for key, by in (body.get("loyalty") or {}).items():
        if require_whole_number(by, "Loyalty", least=-99, most=99, field="loyalty"):
            effects.append({"do": "loyalty", "kingdom": require_kingdom(state, key).id, "by": by, **why})
    for key, holder in (body.get("hold") or {}).items():
        require_kingdom(state, parse_territory(key).kingdom, "territory")
        if state.holders.get(key) != require_kingdom(state, holder, "holder").id:
            effects.append({"do": "hold", "territory": key, "by": holder, "was": state.holders.get(key), **why})
    for row in body.get("houses") or []:
        realm = require_kingdom(state, row.get("kingdom"))
        number = require_whole_number(row.get("house"), "The number of the house", least=1, most=4, field="houses")
        if realm.houses[number - 1].lost != bool(row.get("lost")):
            effects.append({"do": "house", "kingdom": realm.id, "house": number, "lost": bool(row.get("lost")), **why})
    if not effects:
        raise Refusal("Nothing was changed.")
    return effects


def _decide_victory(state: State, body: Body, options: Options) -> list[Effect]:
    require_text(body.get("why"), "The reason", most=WHY_MOST, field="why")
    if state.winner:
        raise Refusal("This war is already won.", status=409)
    won = conquest.agreed_victory(state.realm(), require_kingdom(state, body.get("kingdom")).id)
    return [{"do": "won", "kingdom": won.kingdom, "why": won.reason}]


def _fighters(body: Body) -> tuple[str, ...]:
    owner = str(body.get("target", "")).rpartition(".")[0]
    return tuple(dict.fromkeys(key for key in (body.get("attacker"), body.get("defender"), owner) if key))


def _all_fighters(body: Body) -> tuple[str, ...]:
    return (*_fighters(body), *(body.get("others") or {}))


def _agreed_kingdoms(body: Body) -> tuple[str, ...]:
    found = [*(body.get("vp") or {}), *(body.get("loyalty") or {}), *(body.get("hold") or {}).values()]
    found += [parse_territory(key).kingdom for key in body.get("hold") or {}]
    found += [row.get("kingdom") for row in body.get("houses") or []]
    return tuple(dict.fromkeys(found))


for _act in (
    ActKind(
        "roll_off",
        _decide_roll_off,
        by=RULER,
        rulers=lambda body: tuple(body.get("pair") or [t["kingdom"] for t in body.get("throws", [])]),
    ),
    ActKind(
        "battle_declared",
        _decide_declaration,
        by=RULER,
        prepare=_next_battle,
        rulers=lambda body: (body.get("attacker", ""),),
        touches=_fighters,
    ),
    ActKind("battle_called_off", _decide_calling_off, by=MASTER, rulers=lambda body: ()),
    ActKind(
        "result",
        _decide_result,
        by=RULER,
        prepare=_find_or_number_battle,
        rulers=_fighters,
        touches=_all_fighters,
        confirm=True,
    ),
    ActKind("vp_spent", _decide_spending, by=RULER),
    ActKind("agreed_change", _decide_agreed_change, by=MASTER, rulers=_agreed_kingdoms, touches=_agreed_kingdoms),
    ActKind("campaign_won", _decide_victory, by=MASTER),
):
    register_act_kind(_act)
