"""Numbers and names of many rows as one value of another row, which saves a query."""

from __future__ import annotations

from typing import Any

from django.db.models import Aggregate, F, JSONField, TextField
from django.db.models.functions import Coalesce


class JoinedNumbers(Aggregate):
    """As a text, "3,17"."""

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "STRING_AGG((%(expressions)s)::text, ',')"
        return self.as_sql(compiler, connection, template=template, **extra)


class NamesById(Aggregate):
    """The people of rows: {"3": "Wren"}, with the name they have now. Give it the name of the foreign key."""

    function = "JSON_GROUP_OBJECT"
    output_field = JSONField()

    def __init__(self, person: str) -> None:
        super().__init__(person, Coalesce(F(f"{person}__merged_into__name"), F(f"{person}__name")))

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSONB_OBJECT_AGG", **extra)


def split_numbers(joined: str | None) -> list[int]:
    return [int(one) for one in (joined or "").split(",") if one]
