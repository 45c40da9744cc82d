"""One operation of the API's schema: what every operation has, so that no view has to say it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema as SpectacularAutoSchema

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
