"""Names that only look like another name: invisible characters go, mixed alphabets are refused."""

from __future__ import annotations

import pytest

from people.accounts.services import create_account, find_account
from people.models import Person
from people.name_validation import clean_name
from refusal import Refusal
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


def test_names_from_before_this_rule_still_work(django_user_model, master, player):
    django_user_model.objects.create_user("wr\u200ben", password=PASSWORD)
    assert find_account("Wr\u200ben").username == "wr\u200ben"
    Person.objects.filter(pk=player.pk).update(name="Тam")
    player.client.post("/me/forget/", {"name": "Тam"})
    assert Person.objects.get(pk=player.pk).is_forgotten


def test_invisible_twin_of_an_account_is_taken(master):
    with pytest.raises(Refusal, match="taken"):
        create_account("Wr\u200ben", PASSWORD)


def test_pages_refuse_a_twin(master):
    answer = master.client.post("/people/", {"name": "Тam"})
    assert answer.status_code == 422
    assert "mixes letters of two alphabets" in answer.text
