"""A small browser: keeps cookies, sends forms and JSON, and knows nothing of the product but its addresses."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

CSRF_COOKIE = "companion_csrf"  # kept in people's browsers, so its name stays


@dataclass(frozen=True)
class Answer:
    path: str
    status: int
    location: str
    raw: bytes

    @property
    def text(self) -> str:
        return " ".join("".join(Page(self.raw.decode()).words).split())

    @property
    def data(self) -> Any:
        return json.loads(self.raw)

    @property
    def forms(self) -> list[Form]:
        return Page(self.raw.decode()).forms

    def form(self, action: str = "", **wanted: str) -> Form:
        """The form that leads to this address, or with none to its own page, and that has these fields and buttons."""
        for form in self.forms:
            leads = urlsplit(form.action or self.path).path
            if leads == (action or urlsplit(self.path).path) and wanted.items() <= {
                *form.fields.items(),
                *form.buttons,
            }:
                return form
        raise AssertionError(
            f"{self.path} ({self.status}) has no form to {action or 'itself'} with {wanted}: {self.forms}"
        )


@dataclass
class Form:
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """The words and the forms of a page. Of a group of radio buttons the chosen one counts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.forms: list[Form] = []
        self._open = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("action", "")))
            self._open = True
        elif self._open and given.get("name"):
            name, value, kind = given["name"], given.get("value", ""), given.get("type", "")
            if tag == "button" or kind == "submit":
                self.forms[-1].buttons.append((name, value))
            elif tag in ("input", "textarea", "select") and (kind not in ("checkbox", "radio") or "checked" in given):
                self.forms[-1].fields[name] = value or ("on" if kind == "checkbox" else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False

    def handle_data(self, data: str) -> None:
        self.words.append(data)


class Browser:
    def __init__(self, port: int, cookies: dict[str, str] | None = None) -> None:
        self.port = port
        self.cookies = dict(cookies or {})

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        parts = urlsplit(path)
        where = parts.path + (f"?{parts.query}" if parts.query else "")
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0", **({"Cookie": cookies} if cookies else {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, where, body, {**sent, **headers})
            answer = connection.getresponse()
            raw = answer.read()
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return Answer(path, answer.status, answer.headers.get("Location", ""), raw)

    def get(self, path: str, *, follow: bool = False) -> Answer:
        answer = self.ask("GET", path)
        for _ in range(5):
            if not follow or answer.status not in (301, 302, 303):
                break
            answer = self.ask("GET", urljoin(path, answer.location))
        return answer

    def _csrf(self) -> dict[str, str]:
        if not self.cookies.get(CSRF_COOKIE):
            self.get("/log-in/")
        return {"X-CSRFToken": self.cookies.get(CSRF_COOKIE, "")}

    def post(self, path: str, fields: dict[str, Any], **headers: str) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        given = {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}
        return self.ask("POST", path, urlencode(given, doseq=True).encode(), **kind, **self._csrf(), **headers)

    def send(self, page: Answer, form: Form, **changes: str) -> Answer:
        """Press a form's button; what it asks for beyond what it holds stands in ``changes``."""
        return self.post(urljoin(page.path, form.action or page.path), {**form.fields, **changes})

    def send_file(self, path: str, fields: dict[str, str], name: str, raw: bytes) -> Answer:
        edge = "----edge-of-a-part"
        parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
        head = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="kept.json"\r\n\r\n'
        body = "".join([*parts, head]).encode() + raw + f"\r\n--{edge}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        return self.ask("POST", path, body, **kind, **self._csrf())

    def json(self, path: str) -> Any:
        answer = self.get(path)
        assert answer.status == 200, (path, answer.status, answer.raw[:500])
        return answer.data

    def post_json(self, path: str, **body: Any) -> Any:
        kind = {"Content-Type": "application/json"}
        answer = self.ask("POST", path, json.dumps(body).encode(), **kind, **self._csrf())
        assert answer.status < 300, (path, answer.status, answer.raw[:500])
        return answer.data
