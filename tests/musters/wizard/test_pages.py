"""Musters as a browser without scripts meets them: every step a form, every refusal above the question that is open."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign
from log.door import new_key
from musters import paying
from musters.models import Muster
from musters.rolls.code import recipe_of
from people.who import Who
from tests.musters.scene import answered, now, scene

pytestmark = pytest.mark.django_db

READS, STEPS = 5, 10


def queries(ask) -> tuple[int, object]:
    """Statements of one request, those that only open and close transactions not counted."""
    with CaptureQueriesContext(
        connection,
    ) as caught:
        answer = ask()
    told = [
        q["sql"]
        for q in caught.captured_queries
        if not re.match(r"(SAVEPOINT|RELEASE|BEGIN|COMMIT|ROLLBACK)", q["sql"])
    ]
    return len(told), answer


def text(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


# --- quick armies ---------------------------------------------------------------------------------------------------


def test_one_tap_is_an_army_for_nobody_in_particular():
    client = Client()
    page = client.get("/musters/")
    assert "Muster an army" in text(page)
    answer = client.post("/musters/quick/", {"loyalty": "0"})
    assert answer.status_code == 302
    count, army = queries(lambda: client.get(answer["Location"]))
    assert count == 0, "nothing is stored, nothing is read"
    assert "An army of" in text(army)
    code = answer["Location"].split("/")[-2]
    assert client.get("/musters/a/", {"code": code.lower().replace("-", " ")})["Location"] == answer["Location"]
    assert client.get(f"/musters/a/{code.lower()}/")["Location"] == answer["Location"], "one address for one army"


@pytest.mark.parametrize("loyalty", range(-3, 4))
def test_loyalty_from_minus_to_plus_three(loyalty):
    answer = Client().post("/musters/quick/", {"loyalty": str(loyalty)})
    assert recipe_of(answer["Location"].split("/")[-2]).muster.call.loyalty == loyalty


def test_a_quick_siege_with_rebels_lost_houses_and_words_of_any_alphabet():
    form = {"loyalty": "1", "siege": "attacker", "rebels": "2", "lost": ["2", "4"], "words": "Ёж, 鼠, Maus"}
    answer = Client().post("/musters/quick/", form)
    recipe = recipe_of(answer["Location"].split("/")[-2])
    assert recipe.source.words == ("ёж", "鼠", "maus")
    assert recipe.army.silent == (2, 4)
    assert [unit.slot.origin for unit in recipe.army.units].count("rebel") == 2
    assert Client().post("/musters/quick/", form)["Location"] == answer["Location"], "the same words, the same army"
    assert "ёж, 鼠, maus" in text(Client().get(answer["Location"]))


@pytest.mark.parametrize(("field", "value"), [("loyalty", "much"), ("loyalty", "21"), ("siege", "moon"), ("lost", "5"), ("rebels", "9"), ("words", "x" * 41), ("words", "a,b,c,d,e")])  # fmt: skip
def test_what_cannot_be_mustered_is_told_on_the_same_page(field, value):
    answer = Client().post("/musters/quick/", {"loyalty": "0", "siege": "attacker", field: value})
    assert answer.status_code == 422
    assert answer.context["refusal"].sentence in text(answer)


def test_a_typing_mistake_in_a_code_is_told_with_what_was_typed():
    answer = Client().get("/musters/a/", {"code": "8JWB9-G91FH-B8VW0"})
    assert answer.status_code == 422
    assert "There is a typing mistake in the second group, G91FH" in text(answer)
    assert 'value="8JWB9-G91FH-B8VW0"' in answer.content.decode()
    assert Client().get("/musters/a/8JWB9-G91FH-B8VW0/").status_code == 404


# --- the wizard -------------------------------------------------------------------------------------------------------


def test_a_whole_muster_by_forms_alone_with_typed_dice(make_person):
    war = scene(make_person)
    client = war.oak.client
    assert "A battle waits for your muster" in text(client.get("/musters/"))
    begun = client.post(f"/musters/for/{war.campaign.code}/{war.battle}/k1/")
    muster = Muster.objects.get()
    assert begun["Location"] == f"/musters/{muster.code}/"
    while (question := now(muster).question) is not None:
        assert answered(client, muster, 6 if question.die else question.default).status_code == 302
    page = client.get(f"/musters/{muster.code}/")
    assert "Write it into the chronicle" in text(page)
    client.post(f"/musters/{muster.code}/take/", {"key": page.context["key"]})
    done = client.get(f"/musters/{muster.code}/")
    assert "Written into" in text(done)
    assert "Oakhold mustered for battle 1: five units came." in text(client.get(war.campaign.get_absolute_url()))
    assert "The army" in text(client.get("/musters/"))
    assert war.fen.client.get("/").context["moves"]["me"]


@pytest.mark.parametrize("typed", ["0", "11", "-3", "99999", "seven", "7.5", "٧"])
def test_what_is_no_die_is_told_above_the_same_question(make_person, typed):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    answer = answered(war.oak.client, muster, typed)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert answer.context["sheet"].asked.kind == "hero_chance"
    assert now(muster).answers == ()


def test_going_back_in_the_browser_and_a_second_phone_count_nothing_twice(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    page = war.oak.client.get(f"/musters/{muster.code}/")
    form = {"key": page.context["key"], "question": page.context["sheet"].token, "value": "3"}
    assert war.oak.client.post(f"/musters/{muster.code}/answer/", form).status_code == 302
    assert war.oak.client.post(f"/musters/{muster.code}/answer/", form).status_code == 302, "the same tap again"
    other_phone = war.oak.client.post(f"/musters/{muster.code}/answer/", {**form, "key": new_key(), "value": "9"})
    assert other_phone.status_code == 409
    assert "answered already" in text(other_phone)
    assert other_phone.context["sheet"].asked.kind == "muster", "the question that is open now"
    assert [one.value for one in now(muster).answers] == [3]


def test_loyalty_changed_by_a_strike_is_a_sentence_and_a_choice(make_person):
    war = scene(make_person)
    raised = war.do("agreed_change", {"loyalty": {"k1": 2}, "why": "a feast"})["entry"]
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster, 3)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    war.strike(raised)
    stale = {"key": page.context["key"], "question": page.context["sheet"].token, "value": "4"}
    answer = war.oak.client.post(f"/musters/{muster.code}/answer/", stale)
    assert answer.status_code == 409
    assert "Loyalty was +2 when this muster began; it is 0 now." in text(answer)
    go = war.oak.client.post(f"/musters/{muster.code}/agree/", {"key": new_key(), "go": "anew"})
    assert go.status_code == 302
    assert now(muster).call.loyalty == 0
    assert now(muster).answers == ()


def test_a_re_roll_that_cannot_be_paid_is_told_above_the_same_question(make_person):
    war = scene(make_person, vp=1)
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster, 2)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    assert "Spend 1 VP to roll the 2 again (1 left)" in text(page)
    war.do("vp_spent", {"kingdom": "k1", "what": "reroll"}, who=war.oak)
    form = {"key": page.context["key"], "question": page.context["sheet"].token, "value": "9"}
    answer = war.oak.client.post(f"/musters/{muster.code}/again/", form)
    assert answer.status_code == 422
    assert "costs 1 VP, and there are 0 in hand" in text(answer)
    assert answer.context["sheet"].asked.kind == "muster"


def test_a_lost_house_is_skipped_and_told(make_person):
    war = scene(make_person)
    war.do("agreed_change", {"houses": [{"kingdom": "k1", "house": 1, "lost": True}], "why": "an old quarrel"})
    assert "fealty lost; it is skipped" in text(
        war.oak.client.get(f"/musters/for/{war.campaign.code}/{war.battle}/k1/")
    )
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster, 1)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    assert page.context["sheet"].asked.who == "Oakhold Birch"
    assert "skipped: its fealty was lost before" in text(page)


def test_a_duplicate_hero_is_kept_or_rolled_again(make_person):
    """HERO-04."""
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    for value in (8, 4, 5, "mice_at_arms", 4):
        answered(war.oak.client, muster, value)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    assert "Keep the Ranger" in text(page)
    answered(war.oak.client, muster, "roll_again")
    assert now(muster).question.kind == "hero"


def test_a_hidden_muster_is_no_page_and_no_fragment_of_the_other_side(make_person):
    war = scene(make_person, muster_sight="own")
    muster = war.begin(war.oak, "k1")
    for path in (f"/musters/{muster.code}/", f"/musters/{muster.code}/part/"):
        answer = war.fen.client.get(path)
        assert answer.status_code == 403
        assert "keeps musters hidden" in text(answer)
    assert war.fen.client.get(f"/api/v1/musters/{muster.code}/").status_code == 403
    assert "hidden until this table shows it" in text(war.fen.client.get("/musters/"))
    assert war.oak.client.get(f"/musters/{muster.code}/").status_code == 200


def test_a_public_campaigns_muster_can_be_looked_at_by_anybody(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    Campaign.objects.filter(pk=war.campaign.pk).update(visibility="public")
    page = Client().get(f"/musters/{muster.code}/")
    assert page.status_code == 200
    assert "You may look on" in text(page)
    assert Client().post(f"/musters/{muster.code}/answer/", {"value": "3"}).status_code == 403


def test_the_animation_of_the_dice_is_turned_off_by_a_switch(make_person):
    war = scene(make_person, dice="service")
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster)
    here = f"/musters/{muster.code}/"
    assert "fell falls" in war.oak.client.get(here).content.decode()
    assert war.oak.client.post("/musters/dice-animation/", {"to": here})["Location"] == here
    assert "fell falls" not in war.oak.client.get(here).content.decode()
    war.oak.client.post("/musters/dice-animation/", {"to": here})
    assert "fell falls" in war.oak.client.get(here).content.decode()
    assert war.oak.client.post("/musters/dice-animation/", {"to": "//elsewhere.example"})["Location"] == "/musters/"


def test_an_army_whose_battle_ended_first_says_so(make_person):
    war = scene(make_person)
    muster = war.finish(war.begin(war.oak, "k1"), war.oak)
    half = war.begin(war.fen, "k2")
    war.do("battle_called_off", {"battle": war.battle})
    assert "never written into the chronicle" in text(war.oak.client.get(f"/musters/{muster.code}/"))
    assert "This muster was never finished" in text(war.fen.client.get(f"/musters/{half.code}/"))
    late = war.oak.client.post(f"/musters/{muster.code}/take/", {"key": new_key()})
    assert late.status_code == 409
    assert "not open any more" in text(late)


# --- figures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", ["typed", "service", "sealed"])
def test_reads_and_steps_take_few_queries_and_the_same_for_every_army(make_person, dice):
    war = scene(make_person, dice=dice, castle=True, vp=10)
    muster = war.begin(war.fen, "k2")
    client = war.fen.client
    if dice == "sealed":
        client.post(f"/musters/{muster.code}/word/", {"word": "moss"})
        client.post(f"/musters/{muster.code}/word/", {"absent": "1"})
    client.get(f"/musters/{muster.code}/")
    reads, steps = set(), set()
    while (question := now(muster).question) is not None:
        count, page = queries(lambda: client.get(f"/musters/{muster.code}/"))
        reads.add(count)
        form = {"key": page.context["key"], "question": page.context["sheet"].token}
        if not question.die:
            form["value"] = question.default
        elif dice == "typed":
            form["value"] = "9"
        count, answer = queries(lambda form=form: client.post(f"/musters/{muster.code}/answer/", form))
        assert answer.status_code == 302
        steps.add(count)
    reads.add(queries(lambda: client.get(f"/musters/{muster.code}/"))[0])
    paying.take(Muster.objects.get(pk=muster.pk), Who.of(war.fen), key=new_key())
    client.get(f"/musters/{muster.code}/")
    reads.add(queries(lambda: client.get(f"/musters/{muster.code}/"))[0])
    assert max(reads) <= READS, reads
    assert max(steps) <= STEPS, steps
    assert len(reads) == 1
    assert max(steps) - min(steps) <= 1, "a sealed choice throws no die, so the words are not read"
    assert queries(lambda: war.oak.client.get(f"/musters/{muster.code}/"))[0] <= READS
    assert queries(lambda: client.get("/musters/"))[0] <= READS


def test_twelve_taps_from_muster_to_a_written_army_with_the_services_dice(make_person):
    """Whatever falls: nobody has VP to spend, so no choice arises but the unit that came; a repeated hero is one more."""
    war = scene(make_person, dice="service")
    client = war.oak.client
    for number in range(6):
        if number:
            war.do("battle_called_off", {"battle": war.battle})
            war.battle = war.do("battle_declared", {"attacker": "k2", "target": "k1.border_1"})["body"]["battle"]
        taps = 1
        client.post(f"/musters/for/{war.campaign.code}/{war.battle}/k1/")
        muster = Muster.objects.get(battle=war.battle)
        repeats = 0
        while (question := now(muster).question) is not None:
            repeats += question.kind == "repeat"
            answered(client, muster, None if question.die else question.default)
            taps += 1
        paying.take(Muster.objects.get(pk=muster.pk), Who.of(war.oak), key=new_key())
        taps += 1
        assert taps - repeats <= 12


# --- over the years -------------------------------------------------------------------------------------------------------


def test_the_history_of_a_kingdom_tells_what_each_house_sent(make_person):
    war = scene(make_person)
    muster = war.finish(war.begin(war.oak, "k1"), war.oak, [1, 5, 4, 3, 8, 9])
    paying.take(muster, Who.of(war.oak), key=new_key())
    count, page = queries(lambda: war.oak.client.get(f"/musters/of/{war.campaign.code}/k1/"))
    assert count <= READS
    told = text(page)
    assert "Oakhold Ash" in told
    assert "Mice-at-Arms led by a Ranger" in told
    assert "Heroes of the house: Ranger" in told
    assert "Muster roll, on average as little or less in 50 % of cases 5.0 5.5" in told
    assert war.oak.client.get(f"/musters/of/{war.campaign.code}/k2/").status_code == 200
    assert war.oak.client.get(f"/musters/of/{war.campaign.code}/k9/").status_code == 404


# --- a one-off army with one's own dice -----------------------------------------------------------------------------------


def test_our_own_dice_without_campaign_or_account_and_nothing_stored():
    client = Client()
    page = client.get("/musters/own/", {"loyalty": "1"})
    taps = 0
    while "roster" not in page.context:
        sheet = page.context["sheet"]
        value = "6" if sheet.asked.die else sheet.asked.choices[0].key
        page = client.get("/musters/own/", [*sheet.fields, ("v", value)], follow=True)
        taps += 1
    assert page.redirect_chain[-1][0].startswith("/musters/a/")
    assert page.context["call"].loyalty == 1
    assert taps < 30
    assert page.context["roster"].dice[:2] == (6, 6)


@pytest.mark.parametrize("typed", ["0", "11", "many"])
def test_what_is_no_die_keeps_the_question_of_the_one_off_army(typed):
    answer = Client().get("/musters/own/", {"loyalty": "0", "a": "6", "v": typed})
    assert answer.status_code == 422
    assert answer.context["sheet"].asked.kind == "muster"
    assert Client().get("/musters/own/", {"a": "6 99"}).status_code == 422


@pytest.mark.parametrize("dice", ["typed", "service", "sealed"])
def test_what_is_written_into_both_logs_takes_no_more_than_a_step(make_person, dice):
    """A die bought and an army written: the muster's log and the chronicle in one transaction, nothing read twice."""
    war = scene(make_person, dice=dice, vp=3)
    muster = war.begin(war.oak, "k1")
    client = war.oak.client
    if dice == "sealed":
        client.post(f"/musters/{muster.code}/word/", {"word": "moss"})
        client.post(f"/musters/{muster.code}/word/", {"absent": "1"})
    answered(client, muster, 2 if dice == "typed" else None)
    page = client.get(f"/musters/{muster.code}/")
    form = {"key": page.context["key"], "question": page.context["sheet"].token}
    if dice == "typed":
        form["value"] = "9"
    paid, answer = queries(lambda: client.post(f"/musters/{muster.code}/again/", form))
    assert answer.status_code == 302
    assert war.state.kingdoms["k1"].vp == 2
    war.finish(muster, war.oak)
    page = client.get(f"/musters/{muster.code}/")
    taken, answer = queries(lambda: client.post(f"/musters/{muster.code}/take/", {"key": page.context["key"]}))
    assert answer.status_code == 302
    assert Muster.objects.get(pk=muster.pk).army_code
    assert max(paid, taken) <= STEPS, (paid, taken)
