"""One operation of the API's schema: what every operation has, so that no view has to say it."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from drf_spectacular.openapi import AutoSchema as SpectacularAutoSchema

SCOPE_SENTENCE = "A token needs the scope **{scope}**."
_END_OF_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n\n")


class AutoSchema(SpectacularAutoSchema):
    # Names of operations that a view does not name itself.
    method_mapping = {"get": "show", "post": "create", "put": "change", "patch": "change", "delete": "remove"}

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if not operation:
            return operation
        scope = self._scope()
        summary, rest = split_summary(operation.get("description", ""))
        operation["summary"] = summary
        operation["description"] = rest
        if scope:
            operation["description"] = f"{rest}\n\n{SCOPE_SENTENCE.format(scope=scope)}".strip()
            operation["x-scope"] = scope
        operation.setdefault("security", [])
        if self.method == "DELETE" and (sent := self.get_request_serializer()) is not None:
            body = sent["application/json"] if isinstance(sent, dict) else self.resolve_serializer(sent, "request").ref
            operation["requestBody"] = {"content": {"application/json": {"schema": body}}}
        return operation

    # An operation knows from its types what others say with ``extend_schema``.

    def _operation(self) -> Any:
        return getattr(getattr(self.view, self.method.lower(), None), "operation", None)

    def get_operation_id(self) -> str:
        described = self._operation()
        return described.name if described else super().get_operation_id()

    def get_request_serializer(self) -> Any:
        described = self._operation()
        if not described:  # a DELETE has the body that its view declares, or none
            return None if self.method == "DELETE" else super().get_request_serializer()
        body = described.request_schema()
        return {"application/json": body} if body else None

    def get_override_parameters(self) -> Any:
        described = self._operation()
        return described.parameters if described else super().get_override_parameters()

    def get_response_serializers(self) -> Any:
        described = self._operation()
        return described.responses if described else super().get_response_serializers()

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A token or a session. ``needs_no_log_in`` of a view names the methods that work without either."""
        found: list[dict[str, list[str]]] = super().get_auth()
        return [*found, {}] if found and self.method in getattr(self.view, "needs_no_log_in", ()) else found

    def get_tags(self) -> list[str]:
        """The part of the site, so that the documentation has a heading for each: battles, campaigns, groups …"""
        part = self.path.removeprefix("/api/v1/").split("/")[0]
        return [settings.API_TAG_OF_PART.get(part, part)]

    def resolve_serializer(self, serializer: Any, direction: Any, *args: Any, **kwargs: Any) -> Any:
        """A PATCH is read like any other body: what its serializer requires is required."""
        if getattr(serializer, "partial", False):
            serializer.partial = False  # of a copy that the generator made
        return super().resolve_serializer(serializer, direction, *args, **kwargs)

    def _scope(self) -> str:
        """What ``ScopePermission`` will ask for; nothing where no log-in is looked at."""
        for permission in self.view.get_permissions():
            if hasattr(permission, "scope_for"):
                found: str = permission.scope_for(self.view, self.method)
                return found
        return ""


def split_summary(text: str) -> tuple[str, str]:
    """The first sentence, as a title, and the rest."""
    summary, *rest = _END_OF_SENTENCE.split(text.strip().replace("``", "`"), maxsplit=1)
    return " ".join(summary.removesuffix(".").split()), "".join(rest)
