"""The API's schema: OpenAPI 3.1, errors and scopes everywhere, what goes out, and docs that need no other server."""

from __future__ import annotations

import re

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import OpenAPIV31SpecValidator

from campaign.chronicle.acts.registry import list_acts
from gamenights.notices.notice_formats import Notice, write_json
from log.services import KEY
from pages.api.problem_json import CODES, FINER_CODES
from tests.site.answers_and_schema import api_schema, bodies, followed, open_places, operations
from tests.site.routes import every_route
from tests.site.test_roles import rows

DOCUMENTED = {"400", "403", "404", "405", "406", "409", "422", "429", "500", "503"}
DOCUMENTED_FOR_WRITES = {"413", "415"}
# Lists of one's own, which are empty for whoever has no log-in.
OF_YOUR_OWN = {"campaigns_list", "groups_list", "jobs_list", "evenings", "musters_open", "tables_list", "tables_sheets"}
OF_YOUR_OWN |= {"tables_results", "tables_tallies"}
TOKEN_OR_SESSION = [{"token": []}, {"session": []}]
# What looks at no log-in.
OPEN_TO_ALL = ("/api/v1/rules/", "/api/v1/musters/compare/", "/api/v1/musters/evening/", "/api/v1/musters/own/")
READS = ("get", "head", "options")


@pytest.fixture(scope="module")
def schema() -> dict:
    return api_schema()


def test_document_is_valid_openapi_3_1(schema):
    assert schema["openapi"] == "3.1.0"
    errors = [
        f"{list(error.absolute_path)}: {error.message}" for error in OpenAPIV31SpecValidator(schema).iter_errors()
    ]
    assert errors == []
    assert '"nullable"' not in str(schema)


def test_generator_has_nothing_to_warn_of(tmp_path):
    call_command("spectacular", file=str(tmp_path / "schema.yml"), fail_on_warn=True)


def test_every_address_of_the_api_is_in_the_schema(schema):
    ours = {"/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{}", route) for route in every_route() if route.startswith("api/v1/")}
    assert ours == {re.sub(r"\{\w+\}", "{}", path) for path, _, _ in operations(schema)}


def test_every_operation_documents_its_errors_as_problems(schema):
    problem = schema["components"]["responses"]["Problem422"]["content"]
    assert list(problem) == ["application/problem+json"]
    for path, method, operation in operations(schema):
        wanted = DOCUMENTED | (set() if method in READS else DOCUMENTED_FOR_WRITES)
        missing = wanted - set(operation["responses"])
        assert not missing, f"{method} {path}: {missing}"


@pytest.mark.parametrize(
    ("status", "method", "headers"),
    [
        (405, "DELETE", {}),
        (406, "GET", {"Accept": "image/png"}),
        (415, "POST", {"Content-Type": "application/x-tar"}),
    ],
)
def test_request_that_no_view_reads_is_refused_as_documented(schema, db, status, method, headers):
    kind = headers.pop("Content-Type", "application/json")
    answer = Client().generic(method, "/api/v1/campaigns/", "{}", content_type=kind, headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    documented = schema["components"]["responses"][f"Problem{status}"]
    shape = {**documented["content"]["application/problem+json"]["schema"], "components": schema["components"]}
    jsonschema.Draft202012Validator(shape).validate(answer.json())
    assert set(documented.get("headers", ())) <= set(answer.headers)


def test_every_write_answers_with_json_or_nothing(schema):
    """Only such an answer can be kept for a request that is sent again."""
    for path, method, operation in operations(schema):
        for status, row in operation["responses"].items():
            if method not in READS and status.startswith("2"):
                assert list(row.get("content", {})) in ([], ["application/json"]), f"{method} {path}"


def test_every_write_takes_an_idempotency_key_and_names_its_scope(schema):
    for path, method, operation in operations(schema):
        if not path.startswith(OPEN_TO_ALL):
            assert operation["x-scope"] in ("read", "play", "run"), path
        keys = [
            parameter
            for parameter in operation.get("parameters", [])
            if parameter.get("$ref", "").endswith("IdempotencyKey")
        ]
        assert bool(keys) is (method not in READS), f"{method} {path}"


def test_security_is_a_token_or_a_session_or_nothing(schema):
    for path, _, operation in operations(schema):
        assert operation["security"] in ([], TOKEN_OR_SESSION, [*TOKEN_OR_SESSION, {}]), path
        assert operation["security"] != [] or path.startswith(OPEN_TO_ALL), path


def test_what_works_without_a_log_in_says_so(schema):
    by_route = {(re.sub(r"\{\w+\}", "{}", path), method): one for path, method, one in operations(schema)}
    for row in rows():
        if row.route.startswith("/api/v1/") and row.expected["nobody"] < 300:
            operation = by_route[re.sub(r"<(?:\w+:)?\w+>", "{}", row.route), row.method.lower()]
            is_said = operation["security"] == [] or {} in operation["security"]
            assert is_said is (operation["operationId"] not in OF_YOUR_OWN), row


def test_every_operation_says_what_it_does(schema):
    tags = {tag["name"]: tag["description"] for tag in schema["tags"]}
    assert all(sentence.endswith(".") for sentence in tags.values())
    used = set()
    for methods in schema["paths"].values():
        for operation in methods.values():
            name = operation["operationId"]
            assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name), name
            assert not name.startswith("v1"), name
            assert 8 < len(operation["summary"]) < 130, name
            assert not operation["summary"].endswith("."), name
            assert "``" not in operation["summary"] + operation.get("description", ""), name
            used |= set(operation["tags"])
    assert used | {"webhooks"} == set(tags)


def test_bodies_are_json_or_files_and_say_whether_they_are_required(schema):
    required = {}
    for _, _, operation in operations(schema):
        if body := operation.get("requestBody"):
            assert list(body["content"]) in (["application/json"], ["application/octet-stream"])
            required[operation["operationId"]] = body["required"]
    assert all(required[name] for name in ("campaigns_found", "campaigns_act", "campaigns_delete", "plays_photo_add"))
    assert not any(required[name] for name in ("log_in", "me_change", "musters_quick"))


def test_a_change_requires_what_is_read_from_it(schema):
    change = schema["paths"]["/api/v1/tables/decks/ours/{copy}/"]["patch"]["requestBody"]["content"]
    assert followed(schema, change["application/json"]["schema"])["required"] == ["values", "version"]


def test_keys_say_how_they_look(schema):
    result = schema["components"]["schemas"]["FoundCampaign"]["properties"]["key"]
    assert (result["minLength"], result["maxLength"]) == (8, 80)
    for key in ("short", "a key with spaces"):
        assert not KEY.fullmatch(key)
        assert not jsonschema.Draft202012Validator(result).is_valid(key)
    assert jsonschema.Draft202012Validator(result).is_valid("found-the-war")


def test_lists_name_the_header_with_their_next_page(schema):
    for path, _, operation in operations(schema):
        names = {parameter.get("name") for parameter in operation.get("parameters", ())}
        headers = operation["responses"].get("200", {}).get("headers", {})
        assert ("Link" in headers) is bool(names & {"cursor", "before"}), path


def test_parts_of_addresses_say_how_they_look(schema):
    for path, right, wrong in (("jobs/{ref}/", "12", "x" * 23), ("campaigns/{code}/", "HEDGES-2", "a b")):
        shape = schema["paths"][f"/api/v1/{path}"]["get"]["parameters"][0]["schema"]
        assert jsonschema.Draft202012Validator(shape).is_valid(right), path
        assert not jsonschema.Draft202012Validator(shape).is_valid(wrong), path


def test_enums_are_enums(schema):
    shapes = schema["components"]["schemas"]
    for name, field, some in (
        ("BattleRow", "stage", "on_the_table"),
        ("ApprovalRow", "stage", "disputed"),
        ("CampaignDetail", "visibility", "public"),
        ("Kingdom", "status", "playing"),
        ("CardTableRow", "state", "lobby"),
        ("Job", "state", "queued"),
        ("Pass", "state", "revoked"),
        ("Arms", "charge", "mouse"),
        ("Act.vp_spent", "what", "regain"),
        ("Act.result", "scenario", "pitched_battle"),
        ("UnitShape", "hero", "ranger"),
    ):
        shape = followed(schema, shapes[name]["properties"][field])
        assert some in shape.get("oneOf", [shape])[0]["enum"], name
    assert not re.search(r"'enum': \[[^]]+, None\]", str(schema)), "null stands beside an enum, not in it"


def test_no_description_only_repeats_the_name_of_its_field(schema):
    bare = re.findall(r"'(\w+)': \{[^{}]*'description': '(?:The )?\1'", str(schema), re.IGNORECASE)
    bare += re.findall(r"'description': '(The (?:number|name|text))'", str(schema))
    parameters = (parameter for _, _, operation in operations(schema) for parameter in operation.get("parameters", ()))
    assert [
        *bare,
        *(parameter for parameter in parameters if parameter.get("description") == f"The {parameter.get('name')}"),
    ] == []


@pytest.mark.parametrize(
    ("path", "field", "most"),
    [
        ("people/", "name", 200),
        ("groups/", "name", 200),
        ("campaigns/", "name", 200),
        ("sign-up/", "name", 150),
        ("tables/sheets/", "names.0", 40),
    ],
)
def test_a_name_is_refused_from_the_limit_on_that_the_schema_says(schema, player, path, field, most):
    name, _, is_listed = field.partition(".")
    content = schema["paths"][f"/api/v1/{path}"]["post"]["requestBody"]["content"]["application/json"]
    shape = followed(schema, content["schema"])["properties"][name]
    assert (shape["items"] if is_listed else shape)["maxLength"] == most
    rest = {"password": "cheese-and-thyme", "game": "moods", "seats": 2, "key": "a-name-that-is-long"}
    body = {key: value for key, value in rest.items() if key in followed(schema, content["schema"])["properties"]}
    body[name] = ["x" * (most + 1)] if is_listed else "x" * (most + 1)
    answer = player.client.post(f"/api/v1/{path}", body, content_type="application/json")
    assert (answer.status_code, answer.json()["field"]) == (422, name)
    assert str(most) in answer.json()["detail"]


def test_a_parameter_that_is_not_what_the_schema_says_is_refused(schema, player):
    refused = set()
    for path, method, operation in operations(schema):
        if method == "get" and "{" not in path:
            for parameter in operation.get("parameters", ()):
                if parameter["schema"].get("type") in ("integer", "boolean", "number") or "enum" in parameter["schema"]:
                    answer = player.client.get(path, {parameter["name"]: "nonsense"})
                    assert answer.status_code == 422, (path, parameter["name"])
                    refused.add(answer.json()["field"])
    assert {"limit", "archived", "number", "stage", "state"} <= refused


def test_problems_name_every_code(schema):
    described = schema["components"]["schemas"]["Problem"]["properties"]["type"]["description"]
    assert set(re.findall(r"^- `([a-z-]+)`: ", described, re.MULTILINE)) == {*CODES.values(), *FINER_CODES}
    statuses = {int(name.removeprefix("Problem")) for name in schema["components"]["responses"]}
    assert statuses == set(CODES)


# Where the schema cannot say what is there, and why.
OPEN = {
    "campaigns_export": "a file, with a format of its own",
    "campaigns_send_file": "the same file",
    "me_data": "a file: everything that the site knows about somebody",
    "TakeStep.seen": "cells of the tracker, as they were read",
    "MakeAttack.seen": "the same cells",
    "UnitPage.seen": "the same cells",
    "Job.result": "each kind of job has its own",
    "CardView.fields": "each card game has its own",
    "CardView.own": "each card game has its own",
    "CardOpenQuestion.about": "each kind of question has its own",
    "CardEnding.facts": "each card game has its own",
    "CardNote.params": "each card game has its own",
    "CardEvent.values": "each card game has its own",
    "CardEvent.private": "each card game has its own",
    "CardScore.facts": "each card game has its own",
}


def test_every_body_and_every_answer_has_a_type(schema):
    seen: set[str] = set()
    result = {
        place
        for _, _, operation in operations(schema)
        for body in bodies(operation)
        if body.get("format") != "binary"
        for place in open_places(schema, body, operation["operationId"], seen)
    }
    assert result == set(OPEN)


# Lists that are whole in one answer, and what bounds them.
WHOLE_LISTS = {
    "campaigns_acts": "the acts that there are",
    "campaigns_entries": "goes on with the parameter “before”",
    "campaigns_standings": "a row for each kingdom",
    "campaigns_targets": "the territories of the kingdoms",
    "campaigns_kingdom_suggestions": "as many as were asked for, at most one for each kingdom",
    "battle_table_take_back_preview": "the steps of one battle",
    "battles_statistics": "the tables of the statistics page",
    "battles_photos": "at most eight",
    "plays_photos": "at most eight",
    "evenings": "the newest games",
    "print_sheets": "the sheets that there are",
    "tables_tallies": "the games and ways to play them",
    "tokens_list": "at most fifty",
}


def test_every_list_goes_on_by_cursor(schema):
    whole = {
        operation["operationId"]
        for path, method, operation in operations(schema)
        if method == "get" and not path.startswith("/api/v1/rules/")
        for body in bodies(operation)
        if followed(schema, body).get("type") == "array"
        and not {"cursor", "limit"} <= {parameter.get("name") for parameter in operation.get("parameters", ())}
    }
    assert whole == set(WHOLE_LISTS)


def test_every_act_has_its_own_body(schema):
    acts = schema["paths"]["/api/v1/campaigns/{code}/acts/"]["post"]["requestBody"]["content"]["application/json"]
    assert {row["title"] for row in acts["schema"]["oneOf"]} == set(list_acts())


def test_operations_have_names_of_their_own(schema):
    names = [operation["operationId"] for _, _, operation in operations(schema)]
    assert len(names) == len(set(names))


def test_webhooks_are_documented_as_they_are_sent(schema):
    import datetime as dt
    import json

    assert set(schema["webhooks"]) == {"group_notice", "personal_notice"}
    body = schema["webhooks"]["group_notice"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    at = dt.datetime(2026, 5, 14, tzinfo=dt.UTC)
    sent = json.loads(write_json(Notice("a-key", "A night", "On Friday.", at, "http://x/", (("Where", "Here"),)), "Us"))
    jsonschema.Draft202012Validator({**body, "components": schema["components"]}).validate(sent)


def test_feeds_are_documented(schema):
    feeds = {
        path: one["get"]["responses"]["200"]["content"] for path, one in schema["paths"].items() if "/api/" not in path
    }
    assert {path: next(iter(content)) for path, content in feeds.items()} == {
        "/groups/calendar/{token}.ics": "text/calendar",
        "/groups/calendar/{token}.atom": "application/atom+xml",
        "/nights/{code}/calendar.ics": "text/calendar",
        "/live/{logs}/": "text/event-stream",
    }
    for path in feeds:
        assert resolve(path.replace("{logs}", "1,2").replace("{token}", "abc").replace("{code}", "JHPP"))


def test_docs_need_no_other_server(db):
    page = Client().get("/api/docs/")
    script = Client().get("/api/docs/?script=")
    for answer in (page, script):
        assert answer.status_code == 200
        assert not re.findall(r"""(?:src|href|url)\s*[=:]\s*["'](?:https?:)?//""", answer.content.decode())


@pytest.mark.parametrize("kind", ["application/vnd.oai.openapi", "application/json"])
def test_schema_is_worked_out_once_and_stays_the_same_to_the_letter(kind, monkeypatch):
    first, other_width, version = (
        Client().get("/api/schema/", query, headers={"Accept": accepted})
        for query, accepted in (({}, kind), ({}, f"{kind}; indent=2"), ({"version": "7"}, kind))
    )
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    again = Client().get("/api/schema/", headers={"Accept": kind})
    assert again.content == first.content
    assert again.headers["Content-Disposition"] == first.headers["Content-Disposition"]
    assert again.headers["Content-Type"].startswith(kind)
    assert "Accept" in again.headers["Vary"]
    assert other_width.status_code == version.status_code == 200
    assert b"(7)" in version.content
    assert b"(7)" not in again.content
