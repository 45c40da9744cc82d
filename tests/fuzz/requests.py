"""Random requests to every address: bodies of the API from its schema, forms from the pages, junk everywhere."""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import jsonschema
from django.core.cache import cache
from django.test import Client

from tests.fuzz.bodies import JUNK, Bodies
from tests.fuzz.world import World

FIELD = re.compile(r'<(?:input|select|textarea|button)\b[^>]*\bname="([^"]+)"[^>]*?(?:\bvalue="([^"]*)")?')
# They end the session of a whole run or the demo itself.
LEFT_OUT = re.compile(r"^(/api/v1/)?(log-out/|me/forget|me/log-ins/|ops/backup|site/backup)")
SHARE_OF_API = 0.6


@dataclass
class Findings:
    requests: int = 0
    seconds: float = 0
    statuses: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    off_schema: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.broken and not self.off_schema


class Fuzzer:
    def __init__(self, world: World, seed: str) -> None:
        self.world = world
        self.rng = random.Random(seed)
        self.bodies = Bodies(self.rng, world.schema["components"]["schemas"], world.known)
        self.operations = [
            (path, method, operation)
            for path, operations in world.schema["paths"].items()
            if path.startswith("/api/")
            for method, operation in operations.items()
        ]
        self.writes = [row for row in self.operations if "requestBody" in row[2]]
        self.fields: dict[str, list[tuple[str, str]]] = {}
        self.found = Findings()

    def run(self, requests: int) -> Findings:
        begun = time.monotonic()
        while self.found.requests < requests:
            if self.found.requests % 50 == 0:
                cache.clear()  # rate limits would answer most of it
            client = self.rng.choice(self.world.clients)
            if self.rng.random() < SHARE_OF_API:
                self._send_to_api(client)
            else:
                self._send_to_page(client)
        self.found.seconds = time.monotonic() - begun
        return self.found

    def _send_to_api(self, client: Client) -> None:
        wanted = self.writes if self.rng.random() < 0.85 else self.operations
        path, method, operation = self.rng.choice(wanted)
        if LEFT_OUT.match(path):
            return
        address = re.sub(r"\{(\w+)\}", lambda name: self._address_value(name[1], path), path)
        body: Any = None
        if content := operation.get("requestBody", {}).get("content", {}).get("application/json"):
            schema = content["schema"]
            if "oneOf" in schema:  # acts and steps: each as often as the others
                schema = self.rng.choice(schema["oneOf"])
            self.found.kinds[f"{path} {schema.get('title', '')}".strip()] += 1
            body = self.bodies.make(schema)
        text = _as_json(body)
        answer = client.generic(method.upper(), address, text, content_type="application/json")
        self._note(f"{method.upper()} {address} {text[:300]}", answer)
        self._check_schema(f"{method.upper()} {path}", operation, answer)

    def _send_to_page(self, client: Client) -> None:
        route = self.rng.choice(self.world.routes)
        if LEFT_OUT.match(route):
            return
        address = "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda name: self._address_value(name[1], route), route)
        method = self.rng.choice(("GET",) * 5 + ("POST",) * 10 + ("HEAD", "PUT", "DELETE"))
        if method != "POST":
            query = {self._word(): self._text() for _ in range(self.rng.randint(0, 2))}
            answer = client.generic(method, address, QUERY_STRING=_as_query(query))
            if method == "GET" and answer.status_code == 200 and "html" in answer.get("Content-Type", ""):
                self.fields[route] = FIELD.findall(answer.content.decode(errors="replace"))[:60]
            self._note(f"{method} {address}?{_as_query(query)[:200]}", answer)
            return
        given = {name: value for name, value in self.fields.get(route, [("key", "")]) if self.rng.random() < 0.8}
        for name in list(given):
            if self.rng.random() < 0.3:
                given[name] = self._text()
        given.setdefault("key", f"fuzz-key-{self.rng.getrandbits(48):x}")
        if self.rng.random() < 0.3:
            given[self._word()] = self._text()
        headers = {"HX-Request": "true"} if self.rng.random() < 0.3 else {}
        answer = client.post(address, _as_query(given), "application/x-www-form-urlencoded", headers=headers)
        self._note(f"POST {address} {_as_query(given)[:300]}", answer)

    def _address_value(self, name: str, path: str) -> str:
        if self.rng.random() < 0.05:
            return self.rng.choice(("%00", "x" * 100, "%ed%a0%80", "-1", "9" * 30))
        if name == "code" and self.rng.random() < 0.95:
            name = next((part for part in path.split("/") if part in self.world.values), name)
        return str(self.rng.choice(self.world.values.get(name) or self.world.values["*"]))

    def _word(self) -> str:
        return str(
            self.rng.choice(("key", "act", "name", "code", "seat", "from", "page", "text", "word", "kind", "at"))
        )

    def _text(self) -> str:
        value = self.rng.choice(JUNK) if self.rng.random() < 0.5 else self.rng.choice(self.world.known)
        return value if isinstance(value, str) else json.dumps(value)

    def _note(self, request: str, answer: Any) -> None:
        self.found.requests += 1
        self.found.statuses[answer.status_code] += 1
        if answer.status_code >= 500 and answer.status_code != 503:
            self.found.broken.append(f"{answer.status_code} {request.encode('ascii', 'backslashreplace').decode()}")

    def _check_schema(self, name: str, operation: dict[str, Any], answer: Any) -> None:
        """A JSON answer has the shape the schema promises; a refusal has a sentence."""
        if "json" not in answer.get("Content-Type", "") or answer.status_code >= 500:
            return
        body = json.loads(answer.content)
        promised = operation["responses"].get(str(answer.status_code))
        if promised is None:
            self.found.off_schema.append(f"{name}: {answer.status_code} is not documented")
        if answer.status_code >= 400:
            is_problem = answer["Content-Type"] == "application/problem+json"
            if not (is_problem and isinstance(body, dict) and body.get("detail") == body.get("refusal")):
                self.found.off_schema.append(f"{name}: {answer.status_code} without a sentence: {str(body)[:80]}")
            return
        content = (promised or {}).get("content", {}).get("application/json")
        if content is None:
            return
        schema = {**content["schema"], "components": self.world.schema["components"]}
        errors = jsonschema.Draft202012Validator(schema).iter_errors(body)
        if error := next(errors, None):
            where = "/".join(map(str, error.absolute_path))
            self.found.off_schema.append(f"{name}: {answer.status_code} {where}: {error.message[:120]}")


def _as_json(body: Any) -> str:
    return "" if body is None else json.dumps(body)


def _as_query(given: dict[str, str]) -> str:
    from urllib.parse import urlencode

    return urlencode(given, errors="surrogatepass")
