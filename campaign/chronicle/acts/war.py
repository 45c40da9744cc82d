"""Acts of the war: who attacks, battles declared and called off, results, points spent, changes the table agrees on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.annals.acts import MASTER, RULER, Act, Body, kingdom, register, whole, words
from campaign.annals.effects import Effect
from campaign.annals.state import FROZEN, State
from refusal import Refusal
from rulebook import conquest, scoring, spoils, targets
from rulebook.kingdoms import territory
from rulebook.options import Options
from rulebook.rolloff import RollOff
from rulebook.scenarios import SCENARIO

WHY_MOST = 500
VP_MOST = 99
UNITS_MOST = 99


# --- the roll-off --------------------------------------------------------------------------------------------------


def thrown(state: State, body: Body, options: Options) -> RollOff:
    """The roll-off as far as these throws go: ties are thrown again by those who tied, bought throws cost VP."""
    pair = body.get("pair")
    purse = {k.id: max(k.vp, 0) for k in state.in_play()}
    rolling = targets.attacker_roll_off(state.realm(), options, pair=tuple(pair) if pair else None, vp=purse)
    for throw in body.get("throws", []):
        who, roll = throw.get("kingdom"), throw.get("roll")
        if throw.get("bought"):
            rolling = rolling.buy(throw.get("by", who), roll, who, options).keep(throw.get("keep", "new"))
        else:
            rolling = rolling.rolled(who, roll)
    return rolling


def _roll_off(state: State, body: Body, options: Options) -> list[Effect]:
    rolling = thrown(state, body, options)
    if rolling.winner is None:
        names = ", ".join(kingdom(state, key).name for key in rolling.waiting)
        raise Refusal(f"The roll-off is not decided. {names} must roll.", field="throws")
    if body.get("winner") not in (None, rolling.winner):
        raise Refusal(f"By these dice {kingdom(state, rolling.winner).name} attacks.", field="winner")
    return [
        {"do": "vp", "kingdom": who, "by": -spent, "why": "reroll"} for who, spent in rolling.spent().items() if spent
    ]


# --- battles -------------------------------------------------------------------------------------------------------


def _next_battle(state: State, body: Body) -> Body:
    return {**body, "battle": state.battle_count + 1}


def _its_battle(state: State, body: Body) -> Body:
    """The battle that was declared; one that was not gets its number now."""
    number = body.get("battle")
    if number and number not in state.battles:
        raise Refusal(f"Battle {number} is not open. It was reported or called off meanwhile.", status=409)
    return body if number else _next_battle(state, body)


def _free(state: State, key: str, *, but: int | None = None) -> None:
    """A kingdom already spoken for cannot fight a second battle at the same time."""
    realm = kingdom(state, key)
    if realm.status == FROZEN:
        raise Refusal(f"{realm.name} is frozen. Unfreeze it before it fights.", status=409)
    battle = state.busy(key)
    if battle and battle.number != but:
        raise Refusal(
            f"{realm.name} is in battle {battle.number} already. Settle or call off that battle first.", status=409
        )


def _declared(state: State, body: Body, options: Options) -> list[Effect]:
    if state.winner:
        raise Refusal("This war is won. Open the next season to begin another.", status=409)
    attacker = kingdom(state, body.get("attacker"), "attacker").id
    key = territory(body.get("target", "")).key
    if battle := state.contested(key):
        raise Refusal(f"{state.place_name(key)} is fought over in battle {battle.number} already.", status=409)
    fought = targets.declare(state.realm(), attacker, key, options, seen_holder=body.get("seen_holder"))
    _free(state, attacker)
    _free(state, fought.holder)
    scenario = body.get("scenario")
    if scenario is not None and scenario not in SCENARIO:
        raise Refusal(f"There is no scenario called {scenario!r}.", field="scenario")
    return [
        {"do": "declared", "battle": body["battle"], "attacker": attacker, "defender": fought.holder, "target": key,
         "line": body.get("line", 0), "scenario": scenario}
    ]  # fmt: skip


def _called_off(state: State, body: Body, options: Options) -> list[Effect]:
    number = body.get("battle")
    if number not in state.battles:
        raise Refusal(f"Battle {number} is not open.", field="battle", status=409)
    return [{"do": "closed", "battle": number}]


def _result(state: State, body: Body, options: Options) -> list[Effect]:
    """A battle entered by its outcome: points, loyalty, land and fealty follow, each with its reason."""
    if state.winner:
        raise Refusal("This war is won. Open the next season to begin another.", status=409)
    number = body["battle"]
    attacker = kingdom(state, body.get("attacker"), "attacker").id
    key = territory(body.get("target", "")).key
    open_battle = state.battles.get(number)
    if open_battle and (open_battle.attacker, open_battle.target) != (attacker, key):
        raise Refusal(f"Battle {number} was declared for another target.", field="target")
    if not open_battle and (other := state.contested(key)):
        raise Refusal(
            f"{state.place_name(key)} is fought over in battle {other.number}. Report that battle.", status=409
        )
    loyalty = {realm.id: realm.loyalty for realm in state.in_play()}
    agreed = bool(body.get("as_agreed"))
    after = conquest.aftermath(
        state.realm(), attacker, key, body.get("outcome", ""), options, loyalty=loyalty, as_agreed=agreed
    )
    for side in (attacker, after.defender):
        _free(state, side, but=number)
    _removed(body, (attacker, after.defender))
    effects = _points(state, body, after, options)
    effects += _beside(state, body, (attacker, after.defender), number)
    for moved in after.effects:
        effects += _of_rulebook(moved, number)
    effects += _houses_lost(state, body, (attacker, after.defender), number)
    # Who defended is worked out here once: after a draw nothing else would tell.
    return [*effects, {"do": "closed", "battle": number, "defender": after.defender}]


def _removed(body: Body, sides: tuple[str, str]) -> None:
    """How many units each side removed, where the table counted: for the titles of the season, and no rule."""
    for side, count in (body.get("removed") or {}).items():
        if side not in sides:
            raise Refusal("Only the two who fought removed units in a battle.", field="removed")
        whole(count, "Units removed", least=0, most=UNITS_MOST, field="removed")


def _points(state: State, body: Body, after: conquest.Aftermath, options: Options) -> list[Effect]:
    """VP of both sides: worked out from a told battle, or as the table counted them; then what was spent in it."""
    sides = (after.attacker, after.defender)
    number = body["battle"]
    effects: list[Effect] = []
    earned = dict.fromkeys(sides, 0)
    for side, vp, why in told_points(body, after, options) if body.get("report") else _counted(body, sides):
        if vp:
            earned[side] += vp
            effects.append({"do": "vp", "kingdom": side, "by": vp, "why": why, "battle": number})
    for side, spent in (body.get("spent") or {}).items():
        if side not in sides:
            raise Refusal("Only the two who fought spend VP in a battle.", field="spent")
        whole(spent, "VP spent", least=0, most=VP_MOST, field="spent")
        if spent:
            spoils.purse(max(kingdom(state, side).vp, 0), earned[side], spent)
            effects.append({"do": "vp", "kingdom": side, "by": -spent, "why": "spent_in_battle", "battle": number})
    return effects


def _beside(state: State, body: Body, sides: tuple[str, str], number: int) -> list[Effect]:
    """Armies that fought there too, where more than two met (SCEN-01): they earn VP. Land and loyalty stay between the two."""
    others = body.get("others") or {}
    if others and body.get("report"):
        raise Refusal("With more than two armies the VP are counted, not told unit by unit.", field="others")
    effects: list[Effect] = []
    for key, vp in others.items():
        realm = kingdom(state, key, "others")
        if realm.id in sides:
            raise Refusal(f"{realm.name} is one of the two sides already.", field="others")
        if whole(vp, "VP", least=0, most=VP_MOST, field="others"):
            effects.append({"do": "vp", "kingdom": realm.id, "by": vp, "why": "fought_beside", "battle": number})
    return effects


def _counted(body: Body, sides: tuple[str, str]) -> list[tuple[str, int, str]]:
    points = body.get("points") or {}
    for side in points:
        if side not in sides:
            raise Refusal("Only the two who fought earn VP in a battle.", field="points")
    return [(s, whole(points.get(s, 0), "VP", least=0, most=VP_MOST, field="points"), "counted") for s in sides]


def told_points(body: Body, after: conquest.Aftermath, options: Options) -> list[tuple[str, int, str]]:
    """Points by the scenario's own list, from what the report says happened."""
    report = report_of(body["report"])
    score = scoring.score(report, options)
    by_side = {body["report"].get("side_a", after.attacker): "A"}
    by_side[after.defender if after.attacker in by_side else after.attacker] = "B"
    if set(by_side) != {after.attacker, after.defender}:
        raise Refusal("Side A must be one of the two who fought.", field="side_a")
    winner = next((kingdom_id for kingdom_id, side in by_side.items() if side == score.winner), None)
    if winner != after.winner:
        raise Refusal(f"The result and what happened do not agree: {score.reason}", field="outcome")
    return [
        (k, line.vp, f"score_{line.key}") for k, side in by_side.items() for line in score.lines if line.side == side
    ]


def report_of(told: Mapping[str, Any]) -> scoring.Report:
    """The rulebook's report out of its JSON form."""
    rest = {key: value for key, value in told.items() if key not in ("a", "b", "side_a", "mounds")}
    try:
        return scoring.Report(
            a=scoring.SideReport(**told["a"]),
            b=scoring.SideReport(**told["b"]),
            mounds=tuple(told.get("mounds", ())),
            **rest,
        )
    except (KeyError, TypeError) as error:
        raise Refusal(f"The report is not whole: {error}.", field="report") from error


def _of_rulebook(moved: conquest.Effect, number: int) -> list[Effect]:
    why = {"why": moved.reason, "battle": number}
    if isinstance(moved, conquest.LoyaltyMoved):
        return [{"do": "loyalty", "kingdom": moved.kingdom, "by": moved.change, **why}]
    if isinstance(moved, conquest.TerritoryHeld):
        return [{"do": "hold", "territory": moved.territory, "by": moved.now, "was": moved.was, **why}]
    if isinstance(moved, conquest.CampaignWon):
        return [{"do": "won", "kingdom": moved.kingdom, **why}]
    return []  # a King without his castle shows on the map


def _houses_lost(state: State, body: Body, sides: tuple[str, str], number: int) -> list[Effect]:
    effects: list[Effect] = []
    for side, lost in (body.get("houses_lost") or {}).items():
        if side not in sides:
            raise Refusal("Only the two who fought mustered for this battle.", field="houses_lost")
        realm = kingdom(state, side)
        for house in lost:
            whole(house, "The number of the house", least=1, most=4, field="houses_lost")
            if realm.houses[house - 1].lost:
                raise Refusal(
                    f"The fealty of {realm.houses[house - 1].name} was lost before this battle.", field="houses_lost"
                )
            effects.append(
                {"do": "house", "kingdom": side, "house": house, "lost": True, "why": "sent_nobody", "battle": number}
            )
    return effects


# --- points spent ---------------------------------------------------------------------------------------------------


def _spent(state: State, body: Body, options: Options) -> list[Effect]:
    realm = kingdom(state, body.get("kingdom"))
    what = body.get("what", "")
    purse = max(realm.vp, 0)
    if what == "regain":
        house = body.get("house", 0)
        cost = spoils.buy_house_back(purse, house, realm.lost_houses()).cost
        bought: list[Effect] = [{"do": "house", "kingdom": realm.id, "house": house, "lost": False, "why": "regain"}]
    elif what == "loyalty":
        times = whole(body.get("times", 1), "How often", least=1, most=99, field="times")
        cost = spoils.buy_loyalty(purse, realm.loyalty, times, options).spent.cost
        bought = [{"do": "loyalty", "kingdom": realm.id, "by": times, "why": "bought"}]
    elif what == "rebel_roll":
        battle = state.busy(realm.id)
        siege = battle is not None and battle.target.endswith(".castle")
        side = None if battle is None or not siege else "attacker" if battle.attacker == realm.id else "defender"
        cost, bought = spoils.buy_rebel_roll(purse, siege_side=side).cost, []
    else:
        times = whole(body.get("times", 1), "How often", least=1, most=99, field="times")
        cost, bought = spoils.pay(purse, what, times).cost, []
    return [{"do": "vp", "kingdom": realm.id, "by": -cost, "why": what}, *bought]


# --- what the table agrees ---------------------------------------------------------------------------------------------


def _agreed(state: State, body: Body, options: Options) -> list[Effect]:
    """A change by agreement of the table: no rule is asked, but a reason is."""
    words(body.get("why"), "The reason", most=WHY_MOST, field="why")
    why = {"why": "agreed"}
    effects: list[Effect] = []
    for key, by in (body.get("vp") or {}).items():
        realm = kingdom(state, key)
        if not whole(by, "VP", least=-999, most=999, field="vp"):
            continue
        if by < 0 and realm.vp + by < 0:
            raise Refusal(f"{realm.name} has {realm.vp} VP. They cannot fall below 0.", field="vp")
        effects.append({"do": "vp", "kingdom": realm.id, "by": by, **why})
    for key, by in (body.get("loyalty") or {}).items():
        if whole(by, "Loyalty", least=-99, most=99, field="loyalty"):
            effects.append({"do": "loyalty", "kingdom": kingdom(state, key).id, "by": by, **why})
    for key, holder in (body.get("hold") or {}).items():
        kingdom(state, territory(key).kingdom, "territory")
        if state.holders.get(key) != kingdom(state, holder, "holder").id:
            effects.append({"do": "hold", "territory": key, "by": holder, "was": state.holders.get(key), **why})
    for row in body.get("houses") or []:
        realm = kingdom(state, row.get("kingdom"))
        number = whole(row.get("house"), "The number of the house", least=1, most=4, field="houses")
        if realm.houses[number - 1].lost != bool(row.get("lost")):
            effects.append({"do": "house", "kingdom": realm.id, "house": number, "lost": bool(row.get("lost")), **why})
    if not effects:
        raise Refusal("Nothing was changed.")
    return effects


def _won(state: State, body: Body, options: Options) -> list[Effect]:
    words(body.get("why"), "The reason", most=WHY_MOST, field="why")
    if state.winner:
        raise Refusal("This war is won already.", status=409)
    won = conquest.agreed_victory(state.realm(), kingdom(state, body.get("kingdom")).id)
    return [{"do": "won", "kingdom": won.kingdom, "why": won.reason}]


def _fighters(body: Body) -> tuple[str, ...]:
    owner = str(body.get("target", "")).rpartition(".")[0]
    return tuple(dict.fromkeys(key for key in (body.get("attacker"), body.get("defender"), owner) if key))


def _all_fighters(body: Body) -> tuple[str, ...]:
    return (*_fighters(body), *(body.get("others") or {}))


def _agreed_kingdoms(body: Body) -> tuple[str, ...]:
    found = [*(body.get("vp") or {}), *(body.get("loyalty") or {}), *(body.get("hold") or {}).values()]
    found += [territory(key).kingdom for key in body.get("hold") or {}]
    found += [row.get("kingdom") for row in body.get("houses") or []]
    return tuple(dict.fromkeys(found))


for _act in (
    Act("roll_off", _roll_off, by=RULER, rulers=lambda body: tuple(body.get("pair") or [t["kingdom"] for t in body.get("throws", [])])),
    Act("battle_declared", _declared, by=RULER, prepare=_next_battle, rulers=lambda body: (body.get("attacker", ""),), touches=_fighters),
    Act("battle_called_off", _called_off, by=MASTER, rulers=lambda body: ()),
    Act("result", _result, by=RULER, prepare=_its_battle, rulers=_fighters, touches=_all_fighters, confirm=True),
    Act("vp_spent", _spent, by=RULER),
    Act("agreed_change", _agreed, by=MASTER, rulers=_agreed_kingdoms, touches=_agreed_kingdoms),
    Act("campaign_won", _won, by=MASTER),
):  # fmt: skip
    register(_act)
