"""Muster pages without scripts: every step is a form, every refusal shows above the open question."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from campaign.models import Campaign
from log.services import new_key
from musters import vp_payments
from musters.core.army_code import decode_army
from musters.models import Muster
from people.requester import Who
from tests.musters.sample_war import answered, now, scene

pytestmark = pytest.mark.django_db

READS, STEPS = 5, 10


def queries(ask) -> tuple[int, object]:
    """Counts the SQL statements of one request, without those that only open or close transactions."""
    with CaptureQueriesContext(
        connection,
    ) as caught:
        answer = ask()
    statements = [
        q["sql"]
        for q in caught.captured_queries
        if not re.match(r"(SAVEPOINT|RELEASE|BEGIN|COMMIT|ROLLBACK)", q["sql"])
    ]
    return len(statements), answer


def text(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


# --- quick armies ---------------------------------------------------------------------------------------------------


def test_one_tap_rolls_a_quick_army():
    client = Client()
    page = client.get("/musters/")
    assert "Roll an army" in text(page)
    answer = client.post("/musters/quick/", {"loyalty": "0"})
    assert answer.status_code == 302
    count, army = queries(lambda: client.get(answer["Location"]))
    assert count == 0, "nothing is stored, nothing is read"
    assert "An army of" in text(army)
    code = answer["Location"].split("/")[-2]
    assert client.get("/musters/a/", {"code": code.lower().replace("-", " ")})["Location"] == answer["Location"]
    assert client.get(f"/musters/a/{code.lower()}/")["Location"] == answer["Location"], "one address for one army"


@pytest.mark.parametrize("loyalty", range(-3, 4))
def test_quick_army_works_with_loyalty_from_minus_three_to_three(loyalty):
    answer = Client().post("/musters/quick/", {"loyalty": str(loyalty)})
    assert decode_army(answer["Location"].split("/")[-2]).muster.call.loyalty == loyalty


def test_quick_siege_with_rebels_lost_houses_and_words_in_any_alphabet():
    form = {"loyalty": "1", "siege": "attacker", "rebels": "2", "lost": ["2", "4"], "words": "Ёж, 鼠, Maus"}
    answer = Client().post("/musters/quick/", form)
    recipe = decode_army(answer["Location"].split("/")[-2])
    assert recipe.source.words == ("ёж", "鼠", "maus")
    assert recipe.army.silent == (2, 4)
    assert [unit.slot.origin for unit in recipe.army.units].count("rebel") == 2
    assert Client().post("/musters/quick/", form)["Location"] == answer["Location"], "the same words, the same army"
    assert "ёж, 鼠, maus" in text(Client().get(answer["Location"]))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("loyalty", "much"),
        ("loyalty", "21"),
        ("siege", "moon"),
        ("lost", "5"),
        ("rebels", "9"),
        ("words", "x" * 41),
        ("words", "a,b,c,d,e"),
    ],
)
def test_invalid_quick_army_is_refused_on_the_same_page(field, value):
    answer = Client().post("/musters/quick/", {"loyalty": "0", "siege": "attacker", field: value})
    assert answer.status_code == 422
    assert answer.context["refusal"].sentence in text(answer)


def test_mistyped_code_keeps_the_text_in_the_field():
    answer = Client().get("/musters/a/", {"code": "8JWB9-G91FH-B8VW0"})
    assert answer.status_code == 422
    assert "There is a typing mistake in the second group, G91FH" in text(answer)
    assert 'value="8JWB9-G91FH-B8VW0"' in answer.content.decode()
    assert Client().get("/musters/a/8JWB9-G91FH-B8VW0/").status_code == 404


# --- the wizard -------------------------------------------------------------------------------------------------------


def test_whole_muster_with_typed_dice_by_forms(make_person):
    war = scene(make_person)
    client = war.oak.client
    assert "Your battles to muster for" in text(client.get("/musters/"))
    begun = client.post(f"/musters/for/{war.campaign.code}/{war.battle}/k1/")
    muster = Muster.objects.get()
    assert begun["Location"] == f"/musters/{muster.code}/"
    while (question := now(muster).question) is not None:
        assert answered(client, muster, 6 if question.die else question.default).status_code == 302
    done = client.get(f"/musters/{muster.code}/")
    assert "This army is in" in text(done)
    assert "Oakhold mustered for battle 1: five units came." in text(client.get(war.campaign.get_absolute_url()))
    assert "Show the army" in text(client.get("/musters/"))
    assert war.fen.client.get("/").context["items"].me


def test_mistyped_last_die_is_corrected_after_the_muster_counts(make_person):
    war = scene(make_person)
    client = war.oak.client
    client.post(f"/musters/for/{war.campaign.code}/{war.battle}/k1/")
    muster = Muster.objects.get()
    while (question := now(muster).question) is not None:
        answered(client, muster, 6 if question.die else question.default)
    address = f"/musters/{muster.code}/"
    page = client.get(address)
    assert "This army is in" in text(page)
    assert "Correct the 6" in text(page)
    assert "Correct the 6" not in text(war.fen.client.get(address)), "only who musters may"
    sent = {"key": page.context["key"], "question": page.context["wizard"].token}
    for _ in range(2):  # a double tap
        assert client.post(f"{address}back/", sent).status_code == 302
    assert Muster.objects.get().army is None
    assert "The last die was mistyped." in text(client.get(war.campaign.get_absolute_url()))
    while (question := now(muster).question) is not None:
        answered(client, muster, 2 if question.die else question.default)
    assert "Correct the 2" in text(client.get(address)), "it counts again, and can be corrected again"
    assert Muster.objects.get().entry is not None
    # Once the armies stand on the table, it is too late.
    Battle.objects.filter(campaign=war.campaign, number=war.battle).update(stage=Battle.Stage.ON_THE_TABLE)
    page = client.get(address)
    assert "Correct the" not in text(page)
    late = client.post(f"{address}back/", {"key": "too-late-now", "question": page.context["wizard"].token})
    assert (late.status_code, "The battle has started." in text(late)) == (409, True)


def test_last_die_that_can_be_rerolled_is_kept_by_a_tap(make_person):
    war = scene(make_person, dice="service", vp=1)
    client, muster = war.oak.client, war.begin(war.oak, "k1")
    while (question := now(muster).question) is not None:
        assert answered(client, muster, None if question.die else question.default).status_code == 302
    page = client.get(f"/musters/{muster.code}/")
    if not page.context["wizard"].reroll_die:  # the last answer was a choice
        assert "This army is in" in text(page)
        return
    assert "Keep this roll" in text(page)
    assert Muster.objects.get().entry is None
    client.post(f"/musters/{muster.code}/take/", {"key": page.context["key"]})
    assert "This army is in" in text(client.get(f"/musters/{muster.code}/"))


@pytest.mark.parametrize("typed", ["0", "11", "-3", "99999", "seven", "7.5", "٧"])
def test_invalid_die_is_refused_on_the_page(make_person, typed):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    answer = answered(war.oak.client, muster, typed)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert answer.context["wizard"].question.kind == "hero_chance"
    assert now(muster).answers == ()


def test_back_button_and_second_phone_count_once(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    page = war.oak.client.get(f"/musters/{muster.code}/")
    form = {"key": page.context["key"], "question": page.context["wizard"].token, "value": "3"}
    assert war.oak.client.post(f"/musters/{muster.code}/answer/", form).status_code == 302
    assert war.oak.client.post(f"/musters/{muster.code}/answer/", form).status_code == 302, "the same tap again"
    other_phone = war.oak.client.post(f"/musters/{muster.code}/answer/", {**form, "key": new_key(), "value": "9"})
    assert other_phone.status_code == 409
    assert "already answered" in text(other_phone)
    assert other_phone.context["wizard"].question.kind == "muster", "Here is the next one"
    assert [answer.value for answer in now(muster).answers] == [3]


def test_loyalty_change_is_explained_with_a_choice(make_person):
    war = scene(make_person)
    raised = war.do("agreed_change", {"loyalty": {"k1": 2}, "why": "a feast"})["entry"]
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster, 3)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    war.strike(raised)
    stale = {"key": page.context["key"], "question": page.context["wizard"].token, "value": "4"}
    answer = war.oak.client.post(f"/musters/{muster.code}/answer/", stale)
    assert answer.status_code == 409
    assert "Loyalty was +2 when this muster began; now it is 0." in text(answer)
    go = war.oak.client.post(f"/musters/{muster.code}/agree/", {"key": new_key(), "go": "anew"})
    assert go.status_code == 302
    assert now(muster).call.loyalty == 0
    assert now(muster).answers == ()


def test_unaffordable_reroll_is_refused_on_the_page(make_person):
    war = scene(make_person, vp=1)
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster, 2)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    assert "Spend 1 VP to re-roll the 2 (1 left)" in text(page)
    war.do("vp_spent", {"kingdom": "k1", "what": "reroll"}, who=war.oak)
    form = {"key": page.context["key"], "question": page.context["wizard"].token, "value": "9"}
    answer = war.oak.client.post(f"/musters/{muster.code}/again/", form)
    assert answer.status_code == 422
    assert "costs 1 VP; you have 0" in text(answer)
    assert answer.context["wizard"].question.kind == "muster"


def test_lost_house_is_skipped_with_a_note(make_person):
    war = scene(make_person)
    war.do("agreed_change", {"houses": [{"kingdom": "k1", "house": 1, "lost": True}], "why": "an old quarrel"})
    assert "fealty lost: skipped" in text(war.oak.client.get(f"/musters/for/{war.campaign.code}/{war.battle}/k1/"))
    muster = war.begin(war.oak, "k1")
    answered(war.oak.client, muster, 1)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    assert page.context["wizard"].question.who == "Oakhold Birch"
    assert "skipped: fealty already lost" in text(page)


def test_duplicate_hero_can_be_kept_or_rerolled(make_person):
    """HERO-04."""
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    for value in (8, 4, 5, "mice_at_arms", 4):
        answered(war.oak.client, muster, value)
    page = war.oak.client.get(f"/musters/{muster.code}/")
    assert "Keep the Ranger" in text(page)
    answered(war.oak.client, muster, "roll_again")
    assert now(muster).question.kind == "hero"


def test_hidden_muster_is_refused_to_the_other_side(make_person):
    war = scene(make_person, muster_sight="own")
    muster = war.begin(war.oak, "k1")
    for path in (f"/musters/{muster.code}/", f"/musters/{muster.code}/part/"):
        answer = war.fen.client.get(path)
        assert answer.status_code == 403
        assert "Musters are hidden" in text(answer)
    assert war.fen.client.get(f"/api/v1/musters/{muster.code}/").status_code == 403
    assert "hidden for now" in text(war.fen.client.get("/musters/"))
    assert war.oak.client.get(f"/musters/{muster.code}/").status_code == 200


def test_anyone_can_view_a_public_campaigns_muster(make_person):
    war = scene(make_person)
    muster = war.begin(war.oak, "k1")
    Campaign.objects.filter(pk=war.campaign.pk).update(visibility="public")
    page = Client().get(f"/musters/{muster.code}/")
    assert page.status_code == 200
    assert "You can watch" in text(page)
    assert Client().post(f"/musters/{muster.code}/answer/", {"value": "3"}).status_code == 403


def test_dice_animation_can_be_turned_off(make_person):
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


def test_unfinished_army_of_closed_battle_says_so(make_person):
    war = scene(make_person)
    muster = war.finish(war.begin(war.oak, "k1"), war.oak)
    half = war.begin(war.fen, "k2")
    war.do("battle_called_off", {"battle": war.battle})
    assert "never added to the chronicle" in text(war.oak.client.get(f"/musters/{muster.code}/"))
    assert "This muster was never finished" in text(war.fen.client.get(f"/musters/{half.code}/"))
    late = war.oak.client.post(f"/musters/{muster.code}/take/", {"key": new_key()})
    assert late.status_code == 409
    assert "is closed" in text(late)


# --- figures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", ["typed", "service", "sealed"])
def test_reads_and_steps_take_the_same_few_queries_for_every_army(make_person, dice):
    war = scene(make_person, dice=dice, castle=True, vp=10)
    muster = war.begin(war.fen, "k2")
    client = war.fen.client
    if dice == "sealed":
        client.post(f"/musters/{muster.code}/word/", {"word": "moss"})
        client.post(f"/musters/{muster.code}/word/", {"absent": "1"})
    client.get(f"/musters/{muster.code}/")
    reads, steps = set(), []
    while (question := now(muster).question) is not None:
        count, page = queries(lambda: client.get(f"/musters/{muster.code}/"))
        reads.add(count)
        form = {"key": page.context["key"], "question": page.context["wizard"].token}
        if not question.die:
            form["value"] = question.default
        elif dice == "typed":
            form["value"] = "9"
        count, answer = queries(lambda form=form: client.post(f"/musters/{muster.code}/answer/", form))
        assert answer.status_code == 302
        steps.append(count)
    last = steps.pop()  # it also writes the army into the chronicle
    assert last <= 2 * STEPS, last
    reads.add(queries(lambda: client.get(f"/musters/{muster.code}/"))[0])
    vp_payments.finish_muster(Muster.objects.get(pk=muster.pk), Who.of(war.fen), key=new_key())
    client.get(f"/musters/{muster.code}/")
    reads.add(queries(lambda: client.get(f"/musters/{muster.code}/"))[0])
    assert max(reads) <= READS, reads
    assert max(steps) <= STEPS, steps
    # A typed army that counts can be corrected until it stands on the table: that is looked up.
    assert len(reads) == (2 if dice == "typed" else 1), reads
    assert max(steps) - min(steps) <= 1, "a sealed choice throws no die, so the words are not read"
    assert queries(lambda: war.oak.client.get(f"/musters/{muster.code}/"))[0] <= READS
    assert queries(lambda: client.get("/musters/"))[0] <= READS


def test_site_dice_need_twelve_taps_for_an_army(make_person):
    """Nobody has VP to spend, so the only choice is the unit. A repeated hero needs one more tap."""
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
        vp_payments.finish_muster(Muster.objects.get(pk=muster.pk), Who.of(war.oak), key=new_key())
        taps += 1
        assert taps - repeats <= 12


# --- over the years -------------------------------------------------------------------------------


def test_history_shows_what_each_house_sent(make_person):
    war = scene(make_person)
    muster = war.finish(war.begin(war.oak, "k1"), war.oak, [1, 5, 4, 3, 8, 9])
    vp_payments.finish_muster(muster, Who.of(war.oak), key=new_key())
    count, page = queries(lambda: war.oak.client.get(f"/musters/of/{war.campaign.code}/k1/"))
    assert count <= READS
    words = text(page)
    assert "Oakhold Ash" in words
    assert "Mice-at-Arms led by a Ranger" in words
    assert "Heroes: Ranger" in words
    assert "Average muster roll this low or lower 50 % of the time 5.0 5.5" in words
    assert war.oak.client.get(f"/musters/of/{war.campaign.code}/k2/").status_code == 200
    assert war.oak.client.get(f"/musters/of/{war.campaign.code}/k9/").status_code == 404


# --- a one-off army with one's own dice -----------------------------------------------------------


def test_own_dice_army_needs_no_account_and_stores_nothing():
    client = Client()
    page = client.get("/musters/own/", {"loyalty": "1"})
    taps = 0
    while "roster" not in page.context:
        sheet = page.context["wizard"]
        value = "6" if sheet.question.die else sheet.question.choices[0].key
        page = client.get("/musters/own/", [*sheet.fields, ("v", value)], follow=True)
        taps += 1
    assert page.redirect_chain[-1][0].startswith("/musters/a/")
    assert page.context["call"].loyalty == 1
    assert taps < 30
    assert page.context["roster"].dice[:2] == (6, 6)


@pytest.mark.parametrize("typed", ["0", "11", "many"])
def test_invalid_die_keeps_the_own_dice_question(typed):
    answer = Client().get("/musters/own/", {"loyalty": "0", "a": "6", "v": typed})
    assert answer.status_code == 422
    assert answer.context["wizard"].question.kind == "muster"
    assert Client().get("/musters/own/", {"a": "6 99"}).status_code == 422


@pytest.mark.parametrize("dice", ["typed", "service", "sealed"])
def test_finishing_and_paying_take_few_queries(make_person, dice):
    """A bought re-roll and a finished army go to both logs in one transaction; nothing is read twice."""
    war = scene(make_person, dice=dice, vp=3)
    muster = war.begin(war.oak, "k1")
    client = war.oak.client
    if dice == "sealed":
        client.post(f"/musters/{muster.code}/word/", {"word": "moss"})
        client.post(f"/musters/{muster.code}/word/", {"absent": "1"})
    answered(client, muster, 2 if dice == "typed" else None)
    page = client.get(f"/musters/{muster.code}/")
    form = {"key": page.context["key"], "question": page.context["wizard"].token}
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
    # An army that counts is also stored with its battle, whose pages only read it.
    assert (paid <= STEPS, taken <= STEPS + 2) == (True, True), (paid, taken)


def test_own_dice_keep_the_forms_token_out_of_the_address():
    answer = Client().post(
        "/musters/quick/", {"own": "1", "loyalty": "1", "csrfmiddlewaretoken": "secret", "lost": ["2"]}
    )
    assert answer.status_code == 302
    assert answer.url == "/musters/own/?loyalty=1&lost=2"
    assert 'formaction="/musters/own/"' not in Client().get("/musters/").content.decode()


def test_the_bonus_of_a_rebel_roll_is_not_called_loyalty():
    """REBEL-02, R-83"""
    client = Client()
    page = client.get("/musters/own/", {"loyalty": "0", "siege": "attacker", "rebels": "1"})
    for _ in range(60):
        wizard = page.context["wizard"]
        question = wizard.question
        if question.sum_of == "rebels" and question.sum:
            break
        value = "6" if question.die else question.choices[-1 if question.kind == "rebel" else 0].key
        page = client.get("/musters/own/", [*wizard.fields, ("v", value)], follow=True)
    assert question.sum == (6, -2, 4)
    assert "<small>rebels</small>" in page.content.decode()
