"""The chronicle as plain Python: acts, the fold, and corrections of anything past."""

from __future__ import annotations

import pytest

from campaign.chronicle.corrections import (
    RECOMPUTE,
    STRIKE_TOO,
    diff_states,
    preview_amend,
    preview_restore,
    preview_strike,
)
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.state import State
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import War, joining


def test_a_won_battle_moves_loyalty_points_and_land_each_with_its_reason():
    war = War()
    entry = war.result("k1", "k2.border_1", points={"k1": 4, "k2": 1})
    assert [(e.do, getattr(e, "by", None), getattr(e, "why", None)) for e in entry.effects] == [
        ("vp", 4, "counted"),
        ("vp", 1, "counted"),
        ("loyalty", 1, "loyalty_won"),
        ("loyalty", -1, "loyalty_lost"),
        ("hold", "k1", "conquered"),
        ("closed", None, None),
    ]
    oakhold, fenwick = war.state.kingdoms.values()
    assert (oakhold.loyalty, oakhold.vp, fenwick.loyalty, fenwick.vp) == (1, 4, -1, 1)
    assert war.state.holders["k2.border_1"] == "k1"


def test_the_shortest_campaign_is_four_battles():
    """CAMP-05"""
    war = War()
    for target in ("k2.border_1", "k2.border_2", "k2.lands", "k2.castle"):
        assert war.state.winner is None
        war.result("k1", target)
    assert war.state.winner == "k1"
    with pytest.raises(Refusal, match="This war is over"):
        war.result("k2", "k1.border_1")


def test_vp_follow_from_a_report():
    war = War()
    report = {"scenario": "pitched_battle", "a": {"fielded": 5, "removed": 1}, "b": {"fielded": 5, "removed": 5}}
    entry = war.result("k1", "k2.border_1", report=report)
    assert [(e.kingdom, e.by, e.why) for e in entry.effects if e.do == "vp"] == [
        ("k1", 5, "score_kill"),
        ("k1", 2, "score_win"),
        ("k2", 1, "score_kill"),
    ]
    with pytest.raises(Refusal, match="does not match the report"):
        war.result("k1", "k2.border_2", "defender", report=report)


def test_declaring_reserves_the_target_and_the_kingdoms_and_other_pairs_go_on():
    war = War(4)
    war.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    for attacker, target, sentence in [
        ("k3", "k2.border_1", "already contested in battle 1"),
        ("k3", "k2.border_2", "Fenwick is already in battle 1"),
        ("k1", "k3.border_1", "Oakhold is already in battle 1"),
    ]:
        with pytest.raises(Refusal, match=sentence):
            war.do("battle_declared", {"attacker": attacker, "target": target})
    war.do("battle_declared", {"attacker": "k3", "target": "k4.border_1"})
    assert list(war.state.battles) == [1, 2]
    war.result("k1", "k2.border_1", battle=1)
    assert list(war.state.battles) == [2]
    war.do("battle_called_off", {"battle": 2})
    assert not war.state.battles


def test_points_spent_need_points():
    war = War()
    war.result("k1", "k2.border_1", points={"k1": 5})
    war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    assert (war.state.kingdoms["k1"].vp, war.state.kingdoms["k1"].loyalty) == (2, 2)
    with pytest.raises(Refusal, match="costs 3 VP; you have 2"):
        war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    with pytest.raises(Refusal, match="is loyal"):
        war.do("vp_spent", {"kingdom": "k1", "what": "regain", "house": 2})
    with pytest.raises(Refusal, match="only join in a siege"):
        war.do("vp_spent", {"kingdom": "k1", "what": "rebel_roll"})


def test_a_lost_house_can_be_won_back():
    war = War()
    war.result("k1", "k2.border_1", points={"k1": 2}, houses_lost={"k1": [3]})
    assert war.state.kingdoms["k1"].lost_houses() == (3,)
    war.do("vp_spent", {"kingdom": "k1", "what": "regain", "house": 3})
    assert war.state.kingdoms["k1"].lost_houses() == ()
    assert war.state.kingdoms["k1"].vp == 0


def test_vp_spent_in_a_battle_may_be_points_just_earned_in_it():
    """VP-05"""
    war = War()
    war.result("k1", "k2.border_1", points={"k1": 3}, spent={"k1": 3})
    assert war.state.kingdoms["k1"].vp == 0
    with pytest.raises(Refusal, match="were spent, but there were only"):
        war.result("k1", "k2.border_2", points={"k1": 1}, spent={"k1": 2})


def test_a_group_in_mid_war_enters_its_starting_position():
    war = War(1)
    war.do("kingdom_joins", joining("Fenwick", standing={"loyalty": -2, "vp": 4, "lost": [1, 4]}))
    war.do("map_set", {"holders": {"k1.border_1": "k2"}})
    fenwick = war.state.kingdoms["k2"]
    assert (fenwick.loyalty, fenwick.vp, fenwick.lost_houses()) == (-2, 4, (1, 4))
    assert war.state.holders["k1.border_1"] == "k2"


def test_a_state_survives_saving_and_loading():
    war = War(3)
    war.do("battle_declared", {"attacker": "k1", "target": "k2.border_1", "scenario": "ambush"})
    war.do("house_rules", {"options": {"loyalty_cap": 3}, "terms": {"dice": "service"}})
    war.do("season_opened", {"name": "Spring"})
    state = war.state
    assert State.from_json(state.to_json()) == state
    assert state.copy() == state


def test_a_dissolved_kingdom_leaves_the_map_and_the_players_choose_its_heirs():
    war = War(3)
    war.result("k1", "k2.border_1")
    war.result("k1", "k3.border_1")
    war.do("kingdom_status", {"kingdom": "k1", "to": "gone", "heirs": {"k3.border_1": "k2"}})
    assert war.state.holders["k2.border_1"] == "k2"
    assert war.state.holders["k3.border_1"] == "k2"
    assert "k1.castle" not in war.state.holders
    assert war.state.campaign_map().kingdoms == ("k2", "k3")
    war.result("k2", "k3.border_2")


def test_a_campaign_keeps_a_master():
    war = War()
    with pytest.raises(Refusal, match="needs a game master"):
        war.do("master_left", {"person": 1})
    war.do("master_left", {"person": 1, "to": 2})
    assert war.state.masters == [2]


def test_a_new_war_keeps_kingdoms_and_begins_afresh():
    war = War()
    war.do("season_opened", {"name": "Spring"})
    war.result("k1", "k2.border_1", points={"k1": 4}, houses_lost={"k2": [1]})
    war.do("season_closed", {})
    war.do("season_opened", {"name": "Summer", "new_war": True})
    state = war.state
    assert (state.season, state.season_name, state.war) == (2, "Summer", 2)
    assert all((k.loyalty, k.vp, k.lost_houses()) == (0, 0, ()) for k in state.kingdoms.values())
    assert all(holder == key.split(".")[0] for key, holder in state.holders.items())


# --- corrections ------------------------------------------------------------------------------------------------------


def test_the_winner_of_a_past_battle_is_corrected_and_what_followed_is_shown():
    war = War()
    first = war.result("k1", "k2.border_1", points={"k1": 4})
    second = war.result("k1", "k2.border_2", points={"k1": 3})
    third = war.result("k1", "k2.lands", points={"k1": 3})
    preview = preview_amend(war.lines, first.number, {**first.body, "outcome": "defender", "points": {"k2": 4}})
    assert [flag.number for flag in preview.flags] == [third.number]
    assert "both" in preview.flags[0].refusal.lower() or preview.flags[0].refusal
    assert preview.flags[0].choices == ("keep", "strike")
    changed = {(c.what, c.subject): (c.was, c.now) for c in preview.changes}
    assert changed[("loyalty", "k1")] == (3, 1)
    assert changed[("loyalty", "k2")] == (-3, -1)
    assert changed[("vp", "k1")] == (10, 6)
    assert changed[("territory", "k2.border_1")] == ("k1", "k2")
    assert ("territory", "k2.lands") not in changed, "kept, because nothing later is recomputed in silence"
    struck_too = preview_amend(
        war.lines, first.number, preview.bundle["amend"][str(first.number)]["body"], {third.number: STRIKE_TOO}
    )
    war.confirm(struck_too)
    assert war.state.holders["k2.lands"] == "k2"
    assert war.state.kingdoms["k1"].loyalty == 0
    assert second.number in [entry.number for entry in effective_entries(war.lines)]


def test_striking_and_restoring_changes_nothing():
    war = War()
    first = war.result("k1", "k2.border_1", points={"k1": 4})
    war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    before = war.state
    preview = preview_strike(war.lines, first.number, {first.number + 1: STRIKE_TOO})
    assert [flag.refusal for flag in preview.flags] == ["Loyalty +1 costs 3 VP; you have 0. Oakhold would be at −3 VP."]
    strike = war.confirm(preview)
    assert war.state != before
    assert war.state.kingdoms["k1"].vp == 0
    undo = preview_restore(war.lines, strike.number)
    assert {(c.what, c.now) for c in undo.changes if c.subject == "k1"} == {("vp", 1), ("loyalty", 2)}
    war.restore(strike.number)
    assert war.state == before


def test_vp_go_below_zero_only_if_an_entry_is_kept_by_agreement():
    war = War()
    first = war.result("k1", "k2.border_1", points={"k1": 4})
    war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    war.confirm(preview_strike(war.lines, first.number))
    assert war.state.kingdoms["k1"].vp == -3


def test_an_entry_that_would_turn_out_differently_can_be_recomputed():
    war = War()
    war.do("house_rules", {"options": {"loyalty_cap": 1}})
    first = war.result("k1", "k2.border_1")
    second = war.result("k1", "k2.border_2")  # loyalty stays at the limit
    assert war.state.kingdoms["k1"].loyalty == 1
    preview = preview_strike(war.lines, first.number)
    flag = next(flag for flag in preview.flags if flag.number == second.number)
    assert flag.refusal == ""
    assert RECOMPUTE in flag.choices
    war.confirm(preview_strike(war.lines, first.number, {second.number: RECOMPUTE}))
    assert war.state.kingdoms["k1"].loyalty == 1
    assert preview.changes != ()


def test_the_state_as_known_at_an_entry_can_be_read():
    war = War()
    first = war.result("k1", "k2.border_1")
    war.confirm(preview_strike(war.lines, first.number))
    assert war.state_known_at(first.number).holders["k2.border_1"] == "k1"
    assert war.state.holders["k2.border_1"] == "k2"


def test_a_late_entry_folds_on_the_day_it_was_played():
    war = War()
    war.do("agreed_change", {"hold": {"k2.border_1": "k1"}, "why": "as we left it"}, day="2026-03-05")
    war.do("agreed_change", {"hold": {"k2.border_1": "k2"}, "why": "found in my notes"}, day="2026-03-04")
    assert war.state.holders["k2.border_1"] == "k1"


@pytest.mark.parametrize(
    ("number", "sentence"),
    [(1, "cannot be struck"), (99, "no entry 99"), (5, "itself a correction"), (4, "already struck")],
)
def test_what_cannot_be_struck_says_why(number, sentence):
    war = War()
    fourth = war.result("k1", "k2.border_1")
    war.confirm(preview_strike(war.lines, fourth.number))
    with pytest.raises(Refusal, match=sentence):
        preview_strike(war.lines, number)


def test_the_digest_changes_with_what_is_seen():
    war = War()
    first = war.result("k1", "k2.border_1", points={"k1": 4})
    seen = preview_strike(war.lines, first.number).digest
    assert preview_strike(war.lines, first.number).digest == seen
    war.result("k1", "k2.border_2")
    assert preview_strike(war.lines, first.number).digest != seen


def test_numbers_are_never_given_twice_even_after_a_strike():
    """Else the struck kingdom's entries would go to the new one, and restoring would make two with one number."""
    war = War(2)
    third = war.do("kingdom_joins", joining("Thistledown"))
    war.do("agreed_change", {"loyalty": {"k3": 3}, "why": "a gift"})
    strike = war.confirm(preview_strike(war.lines, third.number))
    fourth = war.do("kingdom_joins", joining("Mole End"))
    assert fourth.body["kingdom"] == "k4"
    assert war.state.kingdoms["k4"].loyalty == 0
    war.restore(strike.number)
    assert {key: kingdom.name for key, kingdom in war.state.kingdoms.items()}["k3"] == "Thistledown"
    assert war.state.kingdoms["k3"].loyalty == 3
    first = war.result("k1", "k2.border_1")
    war.confirm(preview_strike(war.lines, first.number))
    assert war.result("k1", "k2.border_1").body["battle"] == first.body["battle"] + 1


def test_a_struck_entry_only_keeps_its_numbers():
    war = War(2)
    entry = war.result("k1", "k2.border_1", points={"k1": 4})
    war.confirm(preview_strike(war.lines, entry.number))
    assert [row.act for row in effective_entries(war.lines) if row.number == entry.number] == ["struck"]
    with pytest.raises(Refusal, match="already struck"):
        preview_strike(war.lines, entry.number)


def test_striking_a_kingdoms_joining_flags_agreed_changes_to_it():
    war = War(2)
    joined = war.do("kingdom_joins", joining("Mole End"))
    gift = war.do("agreed_change", {"vp": {"k3": 0}, "loyalty": {"k3": 1}, "why": "a gift"})
    seen = preview_strike(war.lines, joined.number)
    assert [(flag.number, flag.refusal) for flag in seen.flags] == [
        (gift.number, "There is no such kingdom in this campaign.")
    ]


def _spent_after_a_correction():
    """Four VP by an amendment, spent since."""
    war = War()
    battle = war.result("k1", "k2.border_1", points={"k1": 1})
    amended = war.confirm(preview_amend(war.lines, battle.number, {**battle.body, "points": {"k1": 4}}))
    spent = war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"}, day="2026-03-03")
    return war, amended, spent


def test_a_restore_that_leaves_vp_below_zero_is_flagged():
    war, amended, spent = _spent_after_a_correction()
    seen = preview_restore(war.lines, amended.number)
    (flag,) = seen.flags
    assert (flag.number, flag.choices) == (spent.number, ("keep",))
    assert "VP" in flag.refusal
    assert next(change.now for change in seen.changes if change.what == "vp") < 0


def test_entries_that_stay_legal_after_a_restore_are_not_flagged():
    war = War()
    battle = war.result("k1", "k2.border_1", points={"k1": 4})
    war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    struck = war.confirm(preview_strike(war.lines, battle.number))
    assert preview_restore(war.lines, struck.number).flags == ()


def test_a_kept_entry_that_goes_further_below_zero_is_flagged_again():
    war = War()
    one = war.result("k1", "k2.border_1", points={"k1": 4})
    other = war.do("agreed_change", {"vp": {"k1": 1}, "why": "a prize"})
    spent = war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    war.confirm(preview_strike(war.lines, one.number))
    assert war.state.kingdoms["k1"].vp < 0
    seen = preview_strike(war.lines, other.number)
    assert spent.number in [flag.number for flag in seen.flags]


def _a_debt_made_good() -> tuple[War, int, int]:
    """Points spent, then the win they came from struck; the table kept the spending, and a prize made it good."""
    war = War()
    won = war.result("k1", "k2.border_1", points={"k1": 4})
    spent = war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    war.confirm(preview_strike(war.lines, won.number))
    prize = war.do("agreed_change", {"vp": {"k1": 6}, "why": "a prize"}, day="2026-03-03")
    return war, spent.number, prize.number


def test_an_agreed_debt_is_flagged_again_when_the_vp_that_paid_it_are_struck():
    war, spent, prize = _a_debt_made_good()
    owed = war.state.kingdoms["k1"].vp - 6
    assert owed < 0 <= war.state.kingdoms["k1"].vp
    seen = preview_strike(war.lines, prize)
    (flag,) = seen.flags
    assert (flag.number, flag.choices, flag.is_debt, flag.owing) == (spent, ("keep", "strike"), True, ("k1",))
    assert f"Oakhold at −{-owed} VP" in flag.refusal
    both = preview_strike(war.lines, prize, {spent: "strike"})
    assert [flag.choice for flag in both.flags] == ["strike"]
    assert both.bundle["strike"] == [spent, prize]
    before = war.state
    struck = war.confirm(both)
    assert war.state.kingdoms["k1"].vp == 0
    assert diff_states(before, war.state) == both.changes
    war.restore(struck.number)
    assert war.state == before


def test_a_restore_or_smaller_gain_that_uncovers_a_debt_flags_the_entry():
    war, spent, prize = _a_debt_made_good()
    smaller = {**war.lines[prize - 1].body, "vp": {"k1": 1}}
    seen = preview_amend(war.lines, prize, smaller)
    assert [flag.number for flag in seen.flags] == [spent]
    war.confirm(seen)
    made_good = war.confirm(preview_amend(war.lines, prize, {**smaller, "vp": {"k1": 9}}))
    (flag,) = preview_restore(war.lines, made_good.number).flags
    assert (flag.number, flag.choices, flag.is_debt) == (spent, ("keep",), True)


def test_units_removed_can_be_entered_with_a_plain_result_and_count_for_the_title():
    from campaign.chronicle.seasons.cut_into_seasons import split_seasons
    from campaign.chronicle.seasons.titles import award_titles

    war = War()
    war.do("season_opened", {"name": "Spring"})
    war.result("k1", "k2.border_1", removed={"k1": 3, "k2": 1})
    war.result("k2", "k2.border_1", "defender", removed={"k2": 1})
    (season,) = split_seasons(effective_entries(war.lines))
    given = {title.key: title for title in award_titles(season)}
    assert (given["removed"].kingdoms, given["removed"].said) == (("k1",), "Oakhold: 3 units removed.")
    with pytest.raises(Refusal, match="Only the two sides"):
        war.result("k1", "k2.border_2", removed={"k3": 1})
    with pytest.raises(Refusal, match="Units removed"):
        war.result("k1", "k2.border_2", removed={"k1": -1})
