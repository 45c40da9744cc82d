"""Muster services: each tap counts once, VP go through the chronicle, campaign changes are asked about."""

from __future__ import annotations

import pytest

from log.models import Log
from log.services import new_key
from musters import permissions as musters_permissions, sealed_dice, services as musters_services, vp_payments
from musters.core.army_code import decode_army
from musters.models import Muster, SealedWord
from people.requester import Who
from refusal import Refusal
from tests.musters.sample_war import now, scene

pytestmark = pytest.mark.django_db


def vp(war, kingdom="k1"):
    return war.state.kingdoms[kingdom].vp


def test_finished_muster_is_added_to_the_chronicle_once(make_person):
    war = scene(make_person)
    muster = war.finish(war.begin(war.oak, "k1"), war.oak, [1])
    assert Muster.objects.filter(campaign=war.fresh(), battle=war.battle).armies().get("k1") is None
    key = new_key()
    first = vp_payments.finish_muster(muster, Who.of(war.oak), key=key)
    again = vp_payments.finish_muster(
        musters_permissions.get_muster(Who.of(war.oak), muster.code), Who.of(war.oak), key=key
    )
    assert first["entry"] == again["entry"]
    army = Muster.objects.filter(campaign=war.fresh(), battle=war.battle).armies().get("k1")
    assert army is not None
    assert [unit.unit for unit in army.units][:2] == ["king", "mice_at_arms"]
    kept = musters_permissions.find_muster(war.fresh(), war.battle, "k1")
    assert decode_army(kept.army_code).army == army
    with pytest.raises(Refusal, match="already"):
        war.step(muster, war.oak, 5)


def test_house_that_sends_nobody_loses_its_fealty_in_the_chronicle(make_person):
    """MUSTER-05: a total below 1; the next muster skips the house and says so."""
    war = scene(make_person)
    war.do("agreed_change", {"loyalty": {"k1": -2}, "why": "unrest"})
    muster = war.finish(war.begin(war.oak, "k1"), war.oak, [1, 2, 10, 5])
    vp_payments.finish_muster(muster, Who.of(war.oak), key=new_key())
    assert war.state.kingdoms["k1"].lost_houses() == (1,)
    war.do("battle_called_off", {"battle": war.battle})
    war.battle = war.do("battle_declared", {"attacker": "k2", "target": "k1.border_2"})["body"]["battle"]
    later = war.begin(war.oak, "k1")
    assert later.call["lost"] == [1]
    army = now(war.finish(later, war.oak)).army
    assert army.silent == (1,)


def test_double_tap_is_one_answer(make_person):
    war = scene(make_person, dice="service")
    muster = musters_permissions.get_muster(Who.of(war.oak), war.begin(war.oak, "k1").code)
    key, seen = new_key(), musters_services.question_token(now(muster))
    first = musters_services.submit_answer(muster, Who.of(war.oak), key=key, question=seen)
    assert musters_services.submit_answer(muster, Who.of(war.oak), key=key, question=seen) == first
    with pytest.raises(Refusal, match="already answered") as refused:
        musters_services.submit_answer(muster, Who.of(war.oak), key=new_key(), question=seen)
    assert refused.value.status == 409


def test_beginning_twice_gives_one_muster(make_person):
    war = scene(make_person)
    assert war.begin(war.oak, "k1").pk == war.begin(war.master, "k1").pk
    with pytest.raises(Refusal, match="no such kingdom"):
        war.begin(war.oak, "k9")
    with pytest.raises(Refusal, match="Only the ruler"):
        war.begin(war.oak, "k2")


@pytest.mark.parametrize("typed", [0, 11, -1, "seven", None, True, 3.5])
def test_invalid_die_is_refused_without_change(make_person, typed):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    with pytest.raises(Refusal):
        war.step(muster, war.oak, typed)
    assert now(muster).answers == ()


def test_typed_die_can_be_undone_before_the_next(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    for value in (3, 8, "bow_mice"):
        war.step(muster, war.oak, value)
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    musters_services.undo_last_answer(
        result, Who.of(war.oak), key=new_key(), question=musters_services.question_token(now(muster))
    )
    assert [answer.value for answer in now(muster).answers] == [3], "the 8 and what was chosen on it"
    war.step(muster, war.oak, 5)
    assert now(muster).question.kind == "lesser"


def test_site_dice_cannot_be_undone_but_choices_can(make_person):
    war = scene(make_person, dice="service")
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak)
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    with pytest.raises(Refusal, match="Nothing to undo: a roll made by the site cannot be changed"):
        musters_services.undo_last_answer(
            result, Who.of(war.oak), key=new_key(), question=musters_services.question_token(now(muster))
        )
    with pytest.raises(Refusal, match=r"The site rolls the dice in this campaign\. You cannot enter a roll"):
        war.step(muster, war.oak, 10)


def test_reroll_costs_one_vp(make_person):
    """R-12: the player may choose either roll. Two taps pay once."""
    war = scene(make_person, vp=2)
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 2)
    result, seen, key = (
        musters_permissions.get_muster(Who.of(war.oak), muster.code),
        musters_services.question_token(now(muster)),
        new_key(),
    )
    vp_payments.buy_reroll(result, Who.of(war.oak), key=key, question=seen, roll=9)
    vp_payments.buy_reroll(
        musters_permissions.get_muster(Who.of(war.oak), muster.code), Who.of(war.oak), key=key, question=seen, roll=9
    )
    assert vp(war) == 1
    assert now(muster).answers[0].thrown == (2, 9)
    with pytest.raises(Refusal):
        vp_payments.buy_reroll(
            musters_permissions.get_muster(Who.of(war.oak), muster.code),
            Who.of(war.oak),
            key=new_key(),
            question=seen,
            roll=9,
        )
    assert vp(war) == 1
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    musters_services.keep_roll(
        result, Who.of(war.oak), key=new_key(), question=musters_services.question_token(now(muster)), value=2
    )
    assert now(muster).answers[0].value == 2
    assert now(muster).vp_spent == 1


def test_missing_vp_refuses_the_reroll(make_person):
    war = scene(make_person, vp=1)
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 2)
    war.do("vp_spent", {"kingdom": "k1", "what": "reroll"}, who=war.oak)
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    with pytest.raises(Refusal, match="costs 1 VP; you have 0"):
        vp_payments.buy_reroll(
            result, Who.of(war.oak), key=new_key(), question=musters_services.question_token(now(muster)), roll=9
        )
    assert now(muster).answers[0].thrown == (2,)
    assert vp(war) == 0


def test_invalid_die_costs_no_vp(make_person):
    war = scene(make_person, vp=1)
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 2)
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    for roll in (0, 11):
        with pytest.raises(Refusal):
            vp_payments.buy_reroll(
                result, Who.of(war.oak), key=new_key(), question=musters_services.question_token(now(muster)), roll=roll
            )
    assert vp(war) == 1


def test_siege_attacker_buys_rebels_at_5_vp_each(make_person):
    """REBEL-01, REBEL-02, REBEL-03: −2 first, then −3; two Cat-non are added automatically."""
    war = scene(make_person, castle=True, vp=11)
    muster = war.begin(war.fen, "k2")
    while now(muster).question.kind != "rebel":
        question = now(muster).question
        war.step(muster, war.fen, 7 if question.die else question.default)
    for spent in (5, 10):
        result = musters_permissions.get_muster(Who.of(war.fen), muster.code)
        vp_payments.buy_choice(
            result, Who.of(war.fen), key=new_key(), question=musters_services.question_token(now(muster)), value="buy"
        )
        assert vp(war, "k2") == 11 - spent
        assert now(muster).question.bonus == (-2 if spent == 5 else -3)
        war.step(muster, war.fen, 1)
    army = now(muster).army
    assert army is not None, "with 1 VP left nobody is asked for a third roll"
    kinds = [(unit.slot.origin, unit.unit) for unit in army.units]
    assert kinds[-4:] == [("train", "cat_non"), ("train", "cat_non"), ("rebel", "hoppers"), ("rebel", "hoppers")]
    defender = war.finish(war.begin(war.oak, "k1"), war.oak)
    assert [unit.unit for unit in now(defender).army.units][-2:] == ["ballista", "ballista"]


def test_loyalty_change_asks_to_continue_or_restart(make_person):
    war = scene(make_person)
    raised = war.do("agreed_change", {"loyalty": {"k1": 2}, "why": "a feast"})["entry"]
    muster = war.begin(war.oak, "k1")
    war.step(muster, war.oak, 3)
    war.strike(raised)
    with pytest.raises(Refusal, match="changed since this muster began"):
        war.step(muster, war.oak, 5)
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    musters_services.accept_changes(result, Who.of(war.oak), key=new_key(), anew=False)
    war.step(muster, war.oak, 5)
    assert now(muster).call.loyalty == 2, "as begun"
    war.do("agreed_change", {"loyalty": {"k1": 1}, "why": "another feast"})
    result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
    musters_services.accept_changes(result, Who.of(war.oak), key=new_key(), anew=True)
    assert now(muster).answers == ()
    assert now(muster).call.loyalty == 1
    with pytest.raises(Refusal, match=r"The campaign has not changed\. Continue the muster"):
        musters_services.accept_changes(
            musters_permissions.get_muster(Who.of(war.oak), muster.code), Who.of(war.oak), key=new_key(), anew=True
        )


def test_finished_army_survives_earlier_corrections(make_person):
    war = scene(make_person)
    raised = war.do("agreed_change", {"loyalty": {"k1": 2}, "why": "a feast"})["entry"]
    muster = war.finish(war.begin(war.oak, "k1"), war.oak)
    vp_payments.finish_muster(muster, Who.of(war.oak), key=new_key())
    before = Muster.objects.filter(campaign=war.fresh(), battle=war.battle).armies().get("k1")
    war.strike(raised)
    assert Muster.objects.filter(campaign=war.fresh(), battle=war.battle).armies().get("k1") == before
    assert before.loyalty == 2


def test_sealed_dice_wait_for_both_words_and_follow_from_them(make_person):
    war = scene(make_person, dice="sealed")
    oak, fen = war.begin(war.oak, "k1"), war.begin(war.fen, "k2")
    with pytest.raises(Refusal, match="sealed until both players have entered a word"):
        war.step(oak, war.oak)
    sealed_dice.give_word(musters_permissions.get_muster(Who.of(war.oak), oak.code), Who.of(war.oak), "Ёжик")
    seal = sealed_dice.sealed_words_of(musters_permissions.get_muster(Who.of(war.fen), fen.code))
    assert seal.words == (), "nobody sees a word before both are in"
    sealed_dice.give_word(musters_permissions.get_muster(Who.of(war.fen), fen.code), Who.of(war.fen), "Käse")
    with pytest.raises(Refusal, match="You cannot change it"):
        sealed_dice.give_word(musters_permissions.get_muster(Who.of(war.oak), oak.code), Who.of(war.oak), "other")
    oak, fen = war.finish(oak, war.oak), war.finish(fen, war.fen)
    vp_payments.finish_muster(oak, Who.of(war.oak), key=new_key())
    recipe = decode_army(Muster.objects.get(pk=oak.pk).army_code)
    assert recipe.source.words == ("käse", "ёжик"), "the attacker's first"
    assert recipe.army == now(oak).army
    assert now(oak).army.dice[:6] != now(fen).army.dice[:6]


def test_word_for_absent_player_is_drawn_and_marked(make_person):
    war = scene(make_person, dice="sealed")
    oak = war.begin(war.oak, "k1")
    muster = musters_permissions.get_muster(Who.of(war.oak), oak.code)
    with pytest.raises(Refusal, match="own word first"):
        sealed_dice.draw_word_for_absent(muster, Who.of(war.oak))
    sealed_dice.give_word(muster, Who.of(war.oak), "moss")
    sealed_dice.draw_word_for_absent(muster, Who.of(war.oak))
    word = SealedWord.objects.get(kingdom="k2")
    assert word.drawn
    fen = war.begin(war.fen, "k2")
    with pytest.raises(Refusal, match="drawn by the site while you were away"):
        sealed_dice.give_word(musters_permissions.get_muster(Who.of(war.fen), fen.code), Who.of(war.fen), "thorn")
    done = vp_payments.finish_muster(war.finish(oak, war.oak), Who.of(war.oak), key=new_key())
    assert done["body"]["drawn"] == ["k2"]
    seal = sealed_dice.sealed_words_of(musters_permissions.get_muster(Who.of(war.oak), oak.code))
    assert seal.sentence == f"The attacker's word is “{word.word}” (drawn by the site), the defender's “moss”."


@pytest.mark.parametrize(
    ("sight", "while_rolling", "once_both_stand"), [("open", True, True), ("after", False, True), ("own", False, False)]
)
def test_muster_visibility_follows_the_setting(make_person, sight, while_rolling, once_both_stand):
    war = scene(make_person, muster_sight=sight)
    oak = war.finish(war.begin(war.oak, "k1"), war.oak)
    fen = Who.of(war.fen)
    assert musters_permissions.is_hidden_from(war.state, oak, fen) == (not while_rolling)
    assert not musters_permissions.is_hidden_from(war.state, oak, Who.of(war.oak))
    assert not musters_permissions.is_hidden_from(war.state, oak, Who.of(war.master)), (
        "a game master who does not fight sees all"
    )
    done = vp_payments.finish_muster(oak, Who.of(war.oak), key=new_key())
    assert ("army" in done["body"]) == (sight == "open"), "a hidden army is not in the campaign's file"
    other = war.finish(war.begin(war.fen, "k2"), war.fen)
    vp_payments.finish_muster(other, fen, key=new_key())
    assert musters_permissions.is_hidden_from(war.state, oak, fen) == (not once_both_stand)
    war.do("battle_called_off", {"battle": war.battle})
    assert not musters_permissions.is_hidden_from(war.state, oak, fen), "when the battle is over everything is open"


def test_chronicle_refuses_an_army_that_was_not_mustered(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    body = {"battle": war.battle, "kingdom": "k1", "muster": muster.code, "lost": [1, 2]}
    with pytest.raises(Refusal, match="does not match the muster"):
        war.do("muster_taken", body, who=war.oak)
    with pytest.raises(Refusal, match="no such muster"):
        war.do("muster_taken", {**body, "muster": "nothing"}, who=war.oak)
    assert war.state.kingdoms["k1"].lost_houses() == ()


def test_deleting_a_campaign_deletes_musters_and_logs(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    log_id = muster.log_id
    war.fresh().delete()
    assert not Log.objects.filter(pk=log_id).exists()


def test_game_master_musters_for_a_player_and_the_entry_says_so(make_person):
    from log.models import Entry

    war = scene(make_person)
    muster = war.begin(war.master, "k1")
    war.step(muster, war.master, 4)
    entry = Entry.objects.filter(log=muster.log_id).latest("number")
    assert (entry.actor_id, entry.on_behalf_of_id) == (war.master.pk, war.oak.pk)


def test_house_can_be_regained_during_the_muster_by_house_rule(make_person):
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
        result = musters_permissions.get_muster(Who.of(war.oak), muster.code)
        vp_payments.buy_choice(
            result,
            Who.of(war.oak),
            key=new_key(),
            question=musters_services.question_token(now(muster)),
            value="regain",
        )

    with pytest.raises(Refusal, match=r"This costs VP\. Use its own button"):
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
    taken = vp_payments.finish_muster(war.finish(muster, war.oak), Who.of(war.oak), key=new_key())
    assert "lost" not in taken["body"]
    army = Muster.objects.filter(campaign=war.fresh(), battle=war.battle).armies().get("k1")
    assert (army.regained, army.lost, army.vp_spent) == ((1,), (), 4)
    assert war.state.kingdoms["k1"].lost_houses() == ()
    assert vp(war) == 1
