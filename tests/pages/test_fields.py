"""A field said once: the form, the row, the body and the answer of one dataclass."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from django.test import RequestFactory
from rest_framework.request import Request

import dataclass_json
from dataclass_json import ALWAYS, Ask, Clean, OneOf, PageOnly, Says, Text, Whole, stored_as
from pages.api.operations import Changes, Nothing, Query, Sent, SentFileOnce, describe_parameters, to_json
from pages.fields.columns_and_rows import column, extend, put, take
from pages.fields.forms import DataclassForm
from refusal import Refusal


def list_cheeses():
    return [("brie", "Brie"), ("gouda", "Gouda")]


@dataclass(frozen=True)
class PlanFeast:
    name: Annotated[str, Text("The name", 10), Clean(str.strip), Ask("Name", "Of the feast.")]
    cheese: Annotated[str, OneOf(list_cheeses, "Choose a cheese."), Ask("Cheese")]
    guests: Annotated[int, Whole("The guests", 1, 20), Ask("Guests")] = 2
    answer: Annotated[Literal["yes", "no"], Says("Choose yes or no."), Ask("Comes")] = "yes"
    secret: str = ""


@dataclass(frozen=True)
class FeastPlanned:
    feast: int
    name: str = field(default="", metadata=ALWAYS)
    guests: int = 2


@dataclass(frozen=True)
class FeastDisplay:
    """A feast as everybody sees it."""

    name: str
    mice: int = field(metadata=stored_as("guests"))
    host: PageOnly[object] = None


class FeastForm(DataclassForm[PlanFeast]):
    pass


GOOD = {"name": " Candle ", "cheese": "brie"}


def post(**body):
    request = RequestFactory().post("/", {"key": "a-key-of-a-form", **{k: str(v) for k, v in body.items()}})
    return request, FeastForm(request.POST)


@pytest.mark.parametrize(
    ("body", "name", "sentence"),
    [
        ({"name": "x" * 11}, "name", "The name has 11 characters. The limit is 10."),
        ({"cheese": "moon"}, "cheese", "Choose a cheese."),
        ({"answer": "perhaps"}, "answer", "Choose yes or no."),
        ({"guests": 21}, "guests", "The guests must be 1 to 20, not 21."),
    ],
)
def test_body_is_refused_with_the_sentence_of_its_field(body, name, sentence):
    with pytest.raises(Refusal) as refused:
        dataclass_json.read(PlanFeast, {**GOOD, **body})
    assert (refused.value.field, refused.value.sentence) == (name, sentence)


def test_form_asks_for_what_has_a_label_and_sends_the_dataclass():
    request, form = post(**GOOD, guests=3, answer="no")
    assert list(form.fields) == ["key", "name", "cheese", "guests", "answer"]
    assert form.fields["name"].help_text == "Of the feast."
    assert form.fields["name"].widget.attrs["maxlength"] == 10
    assert form.submit(request, lambda key, sent: (key, sent)) == (
        "a-key-of-a-form",
        PlanFeast("Candle", "brie", guests=3, answer="no"),
    )


def test_form_shows_the_sentence_of_a_field_and_that_of_the_service():
    request, form = post(**{**GOOD, "name": "x" * 11}, guests=3, answer="no")
    assert form.submit(request, lambda key, sent: sent) is None
    assert form.errors["name"] == ["The name has 11 characters. The limit is 10."]

    def refuse(key, sent):
        raise Refusal("There is no cheese left.", field="cheese")

    request, form = post(**GOOD, guests=3, answer="no")
    assert form.submit(request, refuse) is None
    assert form.errors["cheese"] == ["There is no cheese left."]


def test_who_may_not_do_it_is_refused_as_everywhere():
    def refuse(key, sent):
        raise Refusal("Only the host may.", status=403)

    request, form = post(**GOOD, guests=3, answer="no")
    with pytest.raises(Refusal):
        form.submit(request, refuse)


def test_row_takes_and_gives_the_fields_and_nothing_it_lacks():
    class Row:
        name, cheese, guests, answer, secret = "Long", "gouda", 4, "yes", ""

    row = Row()
    assert take(PlanFeast, row, guests=5) == PlanFeast("Long", "gouda", guests=5)
    put(row, PlanFeast("Short", "brie"))
    assert (row.name, row.guests) == ("Short", 2)
    with pytest.raises(AttributeError):
        put(object(), PlanFeast("Short", "brie"))
    entry = extend(FeastPlanned, PlanFeast("Short", "brie"), feast=7)
    assert dataclass_json.write(entry) == {"feast": 7, "name": "Short"}
    assert dataclass_json.write(FeastPlanned(7)) == {"feast": 7, "name": ""}
    assert column(PlanFeast, "name").max_length == 10


def sent(body, reader=Sent, **headers):
    request = RequestFactory().post("/", body, content_type="application/json", headers=headers)
    drf = Request(request)
    drf._full_data = body
    return reader(drf, PlanFeast)


def test_key_comes_with_the_body_or_the_header():
    assert sent({"key": "in-the-body", **GOOD}, **{"Idempotency-Key": "in-a-header"}).key == "in-the-body"
    assert sent(GOOD, **{"Idempotency-Key": "in-a-header"}).key == "in-a-header"
    with pytest.raises(Refusal) as refused:
        _ = sent(GOOD).key
    assert refused.value.field == "key"


@pytest.mark.parametrize(
    ("body", "name", "sentence"),
    [
        ({"key": " "}, "key", "“key” is missing."),
        ({"key": {"k": 1}}, "key", "“key” must be text."),
        ({"key": "once", "mood": 1}, "mood", "“mood” is not known here. Leave it out."),
    ],
)
def test_wrong_key_and_what_stands_beside_it_are_refused(body, name, sentence):
    with pytest.raises(Refusal) as refused:
        assert sent(body, lambda request, kind: Sent(request, Nothing)).key
    assert (refused.value.field, refused.value.sentence) == (name, sentence)


def test_what_is_left_out_stays_and_only_what_is_sent_is_checked():
    now = PlanFeast("A name of an older release", "brie")
    assert sent({"key": "k", "guests": 9}, Changes).onto(now) == PlanFeast(
        "A name of an older release", "brie", guests=9
    )
    with pytest.raises(Refusal, match="not known here"):
        sent({"key": "k", "wine": 1}, Changes).onto(now)


def test_answer_has_every_public_field_and_its_schema_says_so():
    assert to_json(FeastDisplay("Pip", 3, object())) == {"name": "Pip", "guests": 3}
    assert to_json(dt.datetime(2026, 5, 14, tzinfo=dt.UTC)).isoformat() == "2026-05-14T00:00:00+00:00"
    shape = dataclass_json.schema(FeastDisplay, answer=True)
    assert shape["required"] == list(shape["properties"]) == ["name", "guests"]
    body = dataclass_json.schema(PlanFeast)
    assert body["required"] == ["name", "cheese"]
    assert body["properties"]["cheese"]["enum"] == ["brie", "gouda"]


@dataclass(frozen=True)
class ListFeasts:
    cheese: Annotated[str, OneOf(list_cheeses, "Choose a cheese."), Ask("Cheese", "what is served")] = "brie"
    guests: Annotated[int | None, Whole("The guests", 1, 20)] = None
    past: bool = False
    price: float | None = None
    since: dt.date | None = field(default=None, metadata=stored_as("from"))
    houses: tuple[Annotated[int, Whole("The house", 1, 4)], ...] = ()


def ask(address):
    return Query(Request(RequestFactory().get(f"/?{address}")), ListFeasts).value


def test_query_is_read_from_text():
    assert ask("") == ask("cheese=&guests=&past=&houses=&wine=1") == ListFeasts()
    address = "cheese=gouda&guests=4&past=true&price=2.5&from=2026-05-14&houses=1&houses=3"
    assert ask(address) == ListFeasts("gouda", 4, past=True, price=2.5, since=dt.date(2026, 5, 14), houses=(1, 3))
    assert (ask("past=on").past, ask("past=0").past) == (True, False)


@pytest.mark.parametrize(
    ("address", "name", "sentence"),
    [
        ("cheese=moon", "cheese", "Choose a cheese."),
        ("guests=many", "guests", "“guests” must be a whole number."),
        ("guests=21", "guests", "The guests must be 1 to 20, not 21."),
        ("guests=-1", "guests", "The guests must be 1 to 20, not -1."),
        ("past=perhaps", "past", "“past” must be true or false."),
        ("price=nan", "price", "“price” must be a number."),
        ("from=yesterday", "from", "“from” must be a date such as 2026-05-14."),
        ("houses=1&houses=5", "houses.1", "The house must be 1 to 4, not 5."),
    ],
)
def test_query_is_refused_with_the_sentence_of_its_field(address, name, sentence):
    with pytest.raises(Refusal) as refused:
        ask(address)
    assert (refused.value.field, refused.value.sentence) == (name, sentence)


def test_schema_of_a_query_says_its_limits():
    rows = {row.name: row for row in describe_parameters(ListFeasts)}
    assert list(rows) == ["cheese", "guests", "past", "price", "from", "houses"]
    assert rows["cheese"].type == {"type": "string", "enum": ["brie", "gouda"]}
    assert rows["cheese"].description == "what is served"
    assert rows["guests"].type == {"type": "integer", "minimum": 1, "maximum": 20}
    assert rows["from"].type == {"type": "string", "format": "date"}
    assert rows["houses"].type["type"] == "array"
    assert [row.required for row in describe_parameters(PlanFeast)] == [True, True, False, False, False]


def test_key_of_a_file_comes_with_the_address_or_the_header():
    def file(address: str, **headers: str) -> SentFileOnce:
        request = RequestFactory().generic("POST", address, b"", headers=headers)
        return SentFileOnce(Request(request), None)

    header = {"Idempotency-Key": "in-a-header"}
    assert file("/?key=in-the-address", **header).key == "in-the-address"
    assert file("/", **header).key == "in-a-header"
    assert (file("/").key, file("/").value) == ("", b"")
