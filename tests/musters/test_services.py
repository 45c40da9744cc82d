"""A muster's door: once per tap, pinned at the start, VP through the chronicle, what changed meanwhile is asked."""

from __future__ import annotations

import pytest

from log.door import new_key
from log.models import Log
from musters import door, may, paying, reading, sealing
from musters.models import Muster, SealedWord
from musters.rolls.code import recipe_of
from people.who import Who
from refusal import Refusal
from tests.musters.scene import now, scene

pytestmark = pytest.mark.django_db


def vp(war, kingdom="k1"):
    return war.state.kingdoms[kingdom].vp


def test_a_whole_muster_is_written_into_the_chronicle_once(make_person):
    war = scene(make_person)
    muster = war.finish(war.begin(war.oak, "k1"), war.oak, [1])
    assert reading.army_for(war.fresh(), war.battle, "k1") is None
    key = new_key()
    first = paying.take(muster, Who.of(war.oak), key=key)
    again = paying.take(may.found(Who.of(war.oak), muster.code), Who.of(war.oak), key=key)
    assert first["entry"] == again["entry"]
    army = reading.army_for(war.fresh(), war.battle, "k1")
    assert army is not None
    assert [unit.unit for unit in army.units][:2] == ["king", "mice_at_arms"]
    kept = reading.muster_for(war.fresh(), war.battle, "k1")
    assert recipe_of(kept.army_code).army == army
    with pytest.raises(Refusal, match="already"):
        war.step(muster, war.oak, 5)


def test_a_house_that_sends_nobody_loses_its_fealty_in_the_chronicle(make_person):
    """MUSTER-05: a total below 1; the next muster skips the house and says so."""
    war = scene(make_person)
    war.do("agreed_change", {"loyalty": {"k1": -2}, "why": "unrest"})
    muster = war.finish(war.begin(war.oak, "k1"), war.oak, [1, 2, 10, 5])
    paying.take(muster, Who.of(war.oak), key=new_key())
    assert war.state.kingdoms["k1"].lost_houses() == (1,)
    war.do("battle_called_off", {"battle": war.battle})
    war.battle = war.do("battle_declared", {"attacker": "k2", "target": "k1.border_2"})["body"]["battle"]
    later = war.begin(war.oak, "k1")
    assert later.call["lost"] == [1]
    army = now(war.finish(later, war.oak)).army
    assert army.silent == (1,)


def test_the_same_tap_twice_is_one_answer(make_person):
    war = scene(make_person, dice="service")
    muster = may.found(Who.of(war.oak), war.begin(war.oak, "k1").code)
    key, seen = new_key(), door.token(now(muster))
    first = door.step(muster, Who.of(war.oak), key=key, question=seen)
    assert door.step(muster, Who.of(war.oak), key=key, question=seen) == first
    with pytest.raises(Refusal, match="answered already") as refused:
        door.step(muster, Who.of(war.oak), key=new_key(), question=seen)
    assert refused.value.status == 409


def test_beginning_twice_is_beginning_once(make_person):
    war = scene(make_person)
    assert war.begin(war.oak, "k1").pk == war.begin(war.master, "k1").pk
    with pytest.raises(Refusal, match="no such kingdom"):
        war.begin(war.oak, "k9")
    with pytest.raises(Refusal, match="Only the ruler"):
        war.begin(war.oak, "k2")


@pytest.mark.parametrize("typed", [0, 11, -1, "seven", None, True, 3.5])
def test_what_is_no_die_is_refused_and_nothing_moves(make_person, typed):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    with pytest.raises(Refusal):
        war.step(muster, war.oak, typed)
    assert now(muster).answers == ()


def test_a_wrong_key_is_corrected_before_the_next_roll(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    for value in (3, 8, "bow_mice"):
        war.step(muster, war.oak, value)
    found = may.found(Who.of(war.oak), muster.code)
    door.take_back(found, Who.of(war.oak), key=new_key(), question=door.token(now(muster)))
    assert [answer.value for answer in now(muster).answers] == [3], "the 8 and what was chosen on it"
    war.step(muster, war.oak, 5)
    assert now(muster).question.kind == "lesser"


def test_the_services_dice_stand_but_a_choice_may_be_made_again(make_person):
    war = scene(make_person, dice="service")
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak)
    found = may.found(Who.of(war.oak), muster.code)
    with pytest.raises(Refusal, match="nothing to take back"):
        door.take_back(found, Who.of(war.oak), key=new_key(), question=door.token(now(muster)))
    with pytest.raises(Refusal, match="service throws"):
        war.step(muster, war.oak, 10)


def test_a_die_is_thrown_again_for_a_vp_of_the_chronicle(make_person):
    """R-12: either throw may be kept. Two taps pay once."""
    war = scene(make_person, vp=2)
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 2)
    found, seen, key = may.found(Who.of(war.oak), muster.code), door.token(now(muster)), new_key()
    paying.again(found, Who.of(war.oak), key=key, question=seen, roll=9)
    paying.again(may.found(Who.of(war.oak), muster.code), Who.of(war.oak), key=key, question=seen, roll=9)
    assert vp(war) == 1
    assert now(muster).answers[0].thrown == (2, 9)
    with pytest.raises(Refusal):
        paying.again(may.found(Who.of(war.oak), muster.code), Who.of(war.oak), key=new_key(), question=seen, roll=9)
    assert vp(war) == 1
    found = may.found(Who.of(war.oak), muster.code)
    door.keep(found, Who.of(war.oak), key=new_key(), question=door.token(now(muster)), value=2)
    assert now(muster).answers[0].value == 2
    assert now(muster).vp_spent == 1


def test_vp_gone_meanwhile_is_told_and_nothing_is_thrown(make_person):
    war = scene(make_person, vp=1)
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 2)
    war.do("vp_spent", {"kingdom": "k1", "what": "reroll"}, who=war.oak)
    found = may.found(Who.of(war.oak), muster.code)
    with pytest.raises(Refusal, match="costs 1 VP, and there are 0 in hand"):
        paying.again(found, Who.of(war.oak), key=new_key(), question=door.token(now(muster)), roll=9)
    assert now(muster).answers[0].thrown == (2,)
    assert vp(war) == 0


def test_a_bad_die_costs_nothing(make_person):
    war = scene(make_person, vp=1)
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 2)
    found = may.found(Who.of(war.oak), muster.code)
    for roll in (0, 11):
        with pytest.raises(Refusal):
            paying.again(found, Who.of(war.oak), key=new_key(), question=door.token(now(muster)), roll=roll)
    assert vp(war) == 1


def test_rebels_are_bought_by_the_attacker_of_a_siege_at_5_vp_each(make_person):
    """REBEL-01, REBEL-02, REBEL-03: −2 first, then −3; two Cat-non come by themselves."""
    war = scene(make_person, castle=True, vp=11)
    muster = war.begin(war.fen, "k2")
    while now(muster).question.kind != "rebel":
        question = now(muster).question
        war.step(muster, war.fen, 7 if question.die else question.default)
    for spent in (5, 10):
        found = may.found(Who.of(war.fen), muster.code)
        paying.buy(found, Who.of(war.fen), key=new_key(), question=door.token(now(muster)), value="buy")
        assert vp(war, "k2") == 11 - spent
        assert now(muster).question.bonus == (-2 if spent == 5 else -3)
        war.step(muster, war.fen, 1)
    army = now(muster).army
    assert army is not None, "with 1 VP left nobody is asked for a third roll"
    kinds = [(unit.slot.origin, unit.unit) for unit in army.units]
    assert kinds[-4:] == [("train", "cat_non"), ("train", "cat_non"), ("rebel", "hoppers"), ("rebel", "hoppers")]
    defender = war.finish(war.begin(war.oak, "k1"), war.oak)
    assert [unit.unit for unit in now(defender).army.units][-2:] == ["ballista", "ballista"]


def test_a_strike_that_changes_loyalty_asks_whether_to_go_on_or_begin_anew(make_person):
    war = scene(make_person)
    raised = war.do("agreed_change", {"loyalty": {"k1": 2}, "why": "a feast"})["entry"]
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 3)
    war.strike(raised)
    with pytest.raises(Refusal, match="changed since this muster began"):
        war.step(muster, war.oak, 5)
    found = may.found(Who.of(war.oak), muster.code)
    door.agree(found, Who.of(war.oak), key=new_key(), anew=False)
    war.step(muster, war.oak, 5)
    assert now(muster).call.loyalty == 2, "as begun"
    war.do("agreed_change", {"loyalty": {"k1": 1}, "why": "another feast"})
    found = may.found(Who.of(war.oak), muster.code)
    door.agree(found, Who.of(war.oak), key=new_key(), anew=True)
    assert now(muster).answers == ()
    assert now(muster).call.loyalty == 1
    with pytest.raises(Refusal, match="Nothing has changed"):
        door.agree(may.found(Who.of(war.oak), muster.code), Who.of(war.oak), key=new_key(), anew=True)


def test_a_written_muster_stays_as_played_when_something_before_it_is_struck(make_person):
    war = scene(make_person)
    raised = war.do("agreed_change", {"loyalty": {"k1": 2}, "why": "a feast"})["entry"]
    muster = war.finish(war.begin(war.oak, "k1"), war.oak)
    paying.take(muster, Who.of(war.oak), key=new_key())
    before = reading.army_for(war.fresh(), war.battle, "k1")
    war.strike(raised)
    assert reading.army_for(war.fresh(), war.battle, "k1") == before
    assert before.loyalty == 2


def test_sealed_dice_wait_for_both_words_and_follow_from_them(make_person):
    war = scene(make_person, dice="sealed")
    oak, fen = war.begin(war.oak, "k1"), war.begin(war.fen, "k2")
    with pytest.raises(Refusal, match="both captains"):
        war.step(oak, war.oak)
    sealing.give(may.found(Who.of(war.oak), oak.code), Who.of(war.oak), "Ёжик")
    seal = sealing.seal_of(may.found(Who.of(war.fen), fen.code))
    assert seal.words == (), "nobody sees a word before both are in"
    sealing.give(may.found(Who.of(war.fen), fen.code), Who.of(war.fen), "Käse")
    with pytest.raises(Refusal, match="stands"):
        sealing.give(may.found(Who.of(war.oak), oak.code), Who.of(war.oak), "other")
    oak, fen = war.finish(oak, war.oak), war.finish(fen, war.fen)
    paying.take(oak, Who.of(war.oak), key=new_key())
    recipe = recipe_of(Muster.objects.get(pk=oak.pk).army_code)
    assert recipe.source.words == ("käse", "ёжик"), "the attacker's first"
    assert recipe.army == now(oak).army
    assert now(oak).army.dice[:6] != now(fen).army.dice[:6]


def test_an_absent_captains_word_is_drawn_and_marked(make_person):
    war = scene(make_person, dice="sealed")
    oak = war.begin(war.oak, "k1")
    found = may.found(Who.of(war.oak), oak.code)
    with pytest.raises(Refusal, match="own word first"):
        sealing.draw_for_absent(found, Who.of(war.oak))
    sealing.give(found, Who.of(war.oak), "moss")
    sealing.draw_for_absent(found, Who.of(war.oak))
    word = SealedWord.objects.get(kingdom="k2")
    assert word.drawn
    fen = war.begin(war.fen, "k2")
    with pytest.raises(Refusal, match="drawn by the service while you were away"):
        sealing.give(may.found(Who.of(war.fen), fen.code), Who.of(war.fen), "thorn")
    done = paying.take(war.finish(oak, war.oak), Who.of(war.oak), key=new_key())
    assert done["body"]["drawn"] == ["k2"]
    seal = sealing.seal_of(may.found(Who.of(war.oak), oak.code))
    assert seal.said == f"The attacker's word is “{word.word}” (drawn by the service), the defender's “moss”."


@pytest.mark.parametrize(("sight", "while_rolling", "once_both_stand"), [("open", True, True), ("after", False, True), ("own", False, False)])  # fmt: skip
def test_who_may_see_the_others_muster_is_an_option(make_person, sight, while_rolling, once_both_stand):
    war = scene(make_person, muster_sight=sight)
    oak = war.finish(war.begin(war.oak, "k1"), war.oak)
    fen = Who.of(war.fen)
    assert may.hidden_from(war.state, oak, fen) == (not while_rolling)
    assert not may.hidden_from(war.state, oak, Who.of(war.oak))
    assert not may.hidden_from(war.state, oak, Who.of(war.master)), "a game master who does not fight sees all"
    done = paying.take(oak, Who.of(war.oak), key=new_key())
    assert ("army" in done["body"]) == (sight == "open"), "a hidden army is not in the campaign's file"
    other = war.finish(war.begin(war.fen, "k2"), war.fen)
    paying.take(other, fen, key=new_key())
    assert may.hidden_from(war.state, oak, fen) == (not once_both_stand)
    war.do("battle_called_off", {"battle": war.battle})
    assert not may.hidden_from(war.state, oak, fen), "when the battle is over everything is open"


def test_the_chronicles_door_does_not_take_an_army_that_was_not_mustered(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    body = {"battle": war.battle, "kingdom": "k1", "muster": muster.code, "lost": [1, 2]}
    with pytest.raises(Refusal, match="not what was mustered"):
        war.do("muster_taken", body, who=war.oak)
    with pytest.raises(Refusal, match="no such muster"):
        war.do("muster_taken", {**body, "muster": "nothing"}, who=war.oak)
    assert war.state.kingdoms["k1"].lost_houses() == ()


def test_a_deleted_campaign_takes_its_musters_and_their_logs(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    log_id = muster.log_id
    war.fresh().delete()
    assert not Log.objects.filter(pk=log_id).exists()


def test_the_game_master_musters_for_a_player_and_the_line_says_so(make_person):
    from log.models import Entry

    war = scene(make_person)
    muster = war.begin(war.master, "k1")
    war.step(muster, war.master, 4)
    line = Entry.objects.filter(log=muster.log_id).latest("number")
    assert (line.actor_id, line.on_behalf_of_id) == (war.master.pk, war.oak.pk)


def test_a_house_is_won_back_in_the_very_muster_where_the_house_rule_says_so(make_person):
    """R-02, roll_at_once: a house lost before, and one lost on this very roll; each costs 2 VP, once."""
    war = scene(make_person, vp=5)
    war.do("house_rules", {"options": {"fealty_regain": "roll_at_once"}})
    war.do(
        "agreed_change",
        {"loyalty": {"k1": -2}, "houses": [{"kingdom": "k1", "house": 1, "lost": True}], "why": "unrest"},
    )
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 1)

    def regain() -> None:
        assert now(muster).question.kind == "regain"
        found = may.found(Who.of(war.oak), muster.code)
        paying.buy(found, Who.of(war.oak), key=new_key(), question=door.token(now(muster)), value="regain")

    with pytest.raises(Refusal, match="paid for with VP"):
        war.step(muster, war.oak, "regain")
    regain()
    assert vp(war) == 3
    assert war.state.kingdoms["k1"].lost_houses() == ()
    war.step(muster, war.oak, 9)
    war.step(muster, war.oak, now(muster).question.default)
    while now(muster).question.slot.number == 1:
        war.step(muster, war.oak, 5 if now(muster).question.die else now(muster).question.default)
    war.step(muster, war.oak, 1)
    regain()
    assert vp(war) == 1
    taken = paying.take(war.finish(muster, war.oak), Who.of(war.oak), key=new_key())
    assert taken["body"]["lost"] == []
    army = reading.army_for(war.fresh(), war.battle, "k1")
    assert (army.regained, army.lost, army.vp_spent) == ((1,), (), 4)
    assert war.state.kingdoms["k1"].lost_houses() == ()
    assert vp(war) == 1
