"""A client of the API without cookies: it only knows its token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client


class Api:
    """``check_answer`` looks at every answer, where a test sets it."""

    check_answer: Callable[[str, str, Any], None] | None = None

    def __init__(self, token: str = "") -> None:
        self.token = token

    @classmethod
    def log_in(cls, **body: object) -> Api:
        """A client with the token of a log-in."""
        answer = cls().post("log-in/", body)
        assert answer.status_code == 201, answer.content
        return cls(answer.json()["token"])

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """One request from a client that has just been started: whatever cookies were set are gone."""
        address = path if path.startswith("/") else f"/api/v1/{path}"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        answer = getattr(Client(), method)(
            address, *([] if body is None else [body]), content_type="application/json", headers=headers
        )
        assert not answer.cookies or not self.token, f"{method} {path} sets a cookie"
        return self._checked(method, address, answer)

    @classmethod
    def _checked(cls, method: str, address: str, answer: Any) -> Any:
        if cls.check_answer is not None:
            cls.check_answer(method, address, answer)
        return answer

    def send_bytes(self, path: str, body: bytes, content_type: str = "image/jpeg") -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        return Client().generic("POST", f"/api/v1/{path}", body, content_type=content_type, headers=headers)

    def get(self, path: str, query: dict[str, object] | None = None, **headers: str) -> Any:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        address = path if path.startswith("/") else f"/api/v1/{path}"
        return self._checked("get", address, Client().get(address, query, headers=headers))

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        return self.send("post", path, {} if body is None else body, **headers)

    def put(self, path: str, body: object = None) -> Any:
        return self.send("put", path, body)

    def patch(self, path: str, body: object = None) -> Any:
        return self.send("patch", path, body)

    def patch_with_key(self, path: str, body: object, key: str) -> Any:
        return self.send("patch", path, body, **{"Idempotency-Key": key})

    def delete(self, path: str) -> Any:
        return self.send("delete", path)

    def done(self, path: str, body: object = None) -> Any:
        """Post, which must succeed, and the answer."""
        answer = self.post(path, body)
        assert answer.status_code < 300, f"{path}: {answer.status_code} {answer.content.decode()[:500]}"
        return answer.json() if answer.content else None
