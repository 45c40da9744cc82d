"""Names that only look like another name: invisible characters go, mixed alphabets are refused."""

from __future__ import annotations

import pytest

import dataclass_json
from groups import services as groups_services
from groups.entries import FoundGroup
from look_alikes import looks_like
from people import guests as guests_services
from people.accounts.services import create_account, find_account
from people.models import Person
from people.name_validation import clean_name
from people.requester import Who
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import War, joining
from tests.people.conftest import PASSWORD


@pytest.mark.parametrize(
    "invisible", ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\u034f", "\u3164", "\U000e0041"]
)
def test_invisible_characters_are_dropped(invisible):
    assert clean_name(f"Wr{invisible}en{invisible}") == "Wren"


@pytest.mark.parametrize("twin", ["Wrеn", "Тam", "Odα", "Pip Рip"])
def test_look_alike_letters_inside_a_word_are_refused(twin):
    with pytest.raises(Refusal, match="mixes letters of two alphabets"):
        clean_name(twin)


@pytest.mark.parametrize(
    "name",
    [
        "Łucja 🧀",
        "מלך העכברים",
        "Мышь",
        "Αλέξης",
        "Иван Smith",
        "👩‍👩‍👧 Trio",
        "می‌خواهم",
        "क्‍ष",
        "東京 R2",
        "O'Brien",
        "Ève",
    ],
)
def test_honest_names_stay_as_they_are(name):
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "twin"),
    [("Pip", "Рір"), ("Вера", "Bepa"), ("Old Pip", "Old Рір"), ("Willow", "WiIIow"), ("Ian", "lan"), ("Al", "А|")],
)
def test_look_alikes(name, twin):
    assert looks_like(name, twin)
    assert looks_like(twin, name)
    assert not looks_like(name, name)


@pytest.mark.parametrize(("name", "other"), [("Pip", "РІР"), ("Pip", "pip"), ("Wren", "Мышь"), ("Mil", "Mll")])
def test_names_that_can_be_told_apart(name, other):
    assert not looks_like(name, other)


def test_capital_i_for_a_small_l_is_refused(master, make_person):
    make_person("Willow")
    for make in (
        lambda: guests_services.add_guest(Who.of(master), "WiIIow"),
        lambda: guests_services.create_guest("WiIIow", master),
        lambda: create_account("WiIlow", PASSWORD),
    ):
        with pytest.raises(Refusal, match="looks like another name"):
            make()


def test_name_in_cyrillic_look_alikes_is_refused(master, player, make_person):
    make_person("Pip")
    with pytest.raises(Refusal, match="taken"):
        create_account("Рір", PASSWORD)
    answer = master.client.post("/people/", {"name": "Рір"})
    assert (answer.status_code, "looks like another name" in answer.text) == (422, True)
    assert guests_services.add_guest(Who.of(master), "Вера").name == "Вера"


def test_strangers_guest_does_not_block_a_name(master, player):
    guests_services.add_guest(Who.of(master), "Рір")
    assert guests_services.add_guest(Who.of(player), "Pip").name == "Pip"
    with pytest.raises(Refusal, match="looks like another name"):
        guests_services.add_guest(Who.of(master), "Pip")


def test_look_alike_group_name_is_refused(master):
    result = groups_services.found_group(Who.of(master), "a-group-of-mice", FoundGroup(name="Pip"))
    with pytest.raises(Refusal, match="looks like another name"):
        groups_services.found_group(
            Who.of(master), "a-group-of-twins", dataclass_json.read(FoundGroup, {"name": "Рір"})
        )
    assert groups_services.found_group(Who.of(master), "a-group-of-mice", FoundGroup(name="Pip")) == result


@pytest.mark.parametrize("name", ["Оак", "Oak\u200bhold", "Oakhоld", "оак"])
def test_look_alike_kingdom_name_is_refused(name):
    war = War(kingdoms=0)
    war.do("kingdom_joins", joining("Oak"))
    with pytest.raises(Refusal, match=r"looks like|invisible|mixes letters"):
        war.do("kingdom_joins", joining(name))
    war.do("kingdom_joins", joining("Fen"))
    with pytest.raises(Refusal, match=r"looks like|invisible|mixes letters"):
        war.do("kingdom_looks", {"kingdom": "k2", "name": name})


def test_names_from_before_this_rule_still_work(django_user_model, master, player):
    django_user_model.objects.create_user("wr\u200ben", password=PASSWORD)
    assert find_account("Wr\u200ben").username == "wr\u200ben"
    Person.objects.filter(pk=player.pk).update(name="Тam")
    player.client.post("/me/forget/", {"name": "Тam"})
    assert Person.objects.get(pk=player.pk).is_forgotten


def test_name_that_differs_only_in_invisible_characters_is_taken(master):
    with pytest.raises(Refusal, match="taken"):
        create_account("Wr\u200ben", PASSWORD)


def test_pages_refuse_a_look_alike_name(master):
    answer = master.client.post("/people/", {"name": "Тam"})
    assert answer.status_code == 422
    assert "mixes letters of two alphabets" in answer.text
