"""One operation of the API's schema: what every operation has, so that no view has to say it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema as SpectacularAutoSchema

from pages.api_pagination import PAGE_PARAMETERS

SCOPE_SENTENCE = "A token needs the scope **{scope}**."


class AutoSchema(SpectacularAutoSchema):
    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        scope = self._scope()
        if operation and scope:
            sentence = SCOPE_SENTENCE.format(scope=scope)
            operation["description"] = "\n\n".join(filter(None, [operation.get("description", ""), sentence]))
            operation["x-scope"] = scope
        return operation

    # An operation knows from its types what others say with ``extend_schema``.

    def _operation(self) -> Any:
        return getattr(getattr(self.view, self.method.lower(), None), "operation", None)

    def get_operation_id(self) -> str:
        described = self._operation()
        return described.name if described else super().get_operation_id()

    def get_request_serializer(self) -> Any:
        described = self._operation()
        if not described:
            return super().get_request_serializer()
        body = described.request_schema()
        return {"application/json": body} if body else None

    def get_override_parameters(self) -> Any:
        described = self._operation()
        return PAGE_PARAMETERS if described and described.is_list else super().get_override_parameters()

    def get_response_serializers(self) -> Any:
        described = self._operation()
        if not described:
            return super().get_response_serializers()
        answer = described.response_schema()
        return {described.status: answer} if answer else {204: None}

    def get_tags(self) -> list[str]:
        """The part of the site, so that the documentation has a heading for each: battles, campaigns, groups …"""
        return [self.path.removeprefix("/api/v1/").split("/")[0] or "api"]

    def _scope(self) -> str:
        """What ``ScopePermission`` will ask for; nothing where no log-in is looked at."""
        for permission in self.view.get_permissions():
            if hasattr(permission, "scope_for"):
                found: str = permission.scope_for(self.view, self.method)
                return found
        return ""
