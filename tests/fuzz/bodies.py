"""Bodies that nearly fit: made from a JSON Schema, then spoilt in one place or several."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, -(2**63), 10**30, 1.5, 1e308, "", " ", "0", "²", "k1", "A", "\u0000", "\ud800",
    "\u202e", "x" * 300, "x" * 30_000, "🧀", "<script>", "2026-02-30", "../../etc/passwd", "%00", "'; --", [], [[]],
    [None], [{}], list(range(300)), {}, {"": None}, {"a": {"b": {"c": {"d": {"e": []}}}}}, {"k1": {"k1": {}}},
)  # fmt: skip
DEEPEST = 6


class Bodies:
    """``known`` are values that the site really has: names of kingdoms, units, cards, people."""

    def __init__(self, rng: random.Random, components: Schema, known: Sequence[Any]) -> None:
        self.rng = rng
        self.components = components
        self.known = known

    def make(self, schema: Schema) -> Any:
        """A body for this schema: right in half of all cases, as far as a schema can tell."""
        value = self._value(schema, 0)
        while self.rng.random() < 0.5:
            value = self._spoil(value)
        return value

    def _value(self, schema: Schema, depth: int) -> Any:
        rng = self.rng
        if "$ref" in schema:
            schema = self.components[schema["$ref"].rsplit("/", 1)[1]]
        for choice in ("oneOf", "anyOf", "allOf"):
            if choice in schema:
                return self._value(rng.choice(schema[choice]), depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return rng.choice(schema["enum"])
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = rng.choice(kind)
        if depth > DEEPEST:
            return None
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array" and "prefixItems" in schema:
            return [self._value(part, depth + 1) for part in schema["prefixItems"]]
        if kind == "array":
            most = min(schema.get("maxItems", 4), 4)
            return [self._value(schema.get("items", {}), depth + 1) for _ in range(rng.randint(0, most))]
        if kind == "integer":
            low = schema.get("minimum", -1)
            return rng.randint(low, max(low, min(schema.get("maximum", low + 12), low + 12)))
        if kind == "number":
            return rng.choice((0, 0.5, 3, -1.5))
        if kind == "boolean":
            return rng.random() < 0.5
        if kind == "null":
            return None
        return rng.choice(self.known) if rng.random() < 0.8 else f"fuzz-{rng.random():.9f}"

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        made = {
            name: self._value(part, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if name in schema.get("required", ()) or self.rng.random() < 0.6
        }
        if "key" in made and self.rng.random() < 0.9:
            made["key"] = f"fuzz-key-{self.rng.getrandbits(48):x}"
        more = schema.get("additionalProperties")
        if isinstance(more, Mapping):
            for _ in range(self.rng.randint(0, 3)):
                made[str(self.rng.choice(self.known))] = self._value(more, depth + 1)
        return made

    def _spoil(self, value: Any) -> Any:
        """The same with something else in one place."""
        rng = self.rng
        if isinstance(value, dict) and value and rng.random() < 0.9:
            name = rng.choice(list(value))
            turn = rng.random()
            if turn < 0.15:
                return {k: v for k, v in value.items() if k != name}
            if turn < 0.25:
                return value | {rng.choice(("mood", "", "\u0000", "__class__", "id")): rng.choice(JUNK)}
            return value | {name: self._spoil(value[name])}
        if isinstance(value, list) and value and rng.random() < 0.7:
            at = rng.randrange(len(value))
            return [*value[:at], self._spoil(value[at]), *value[at + 1 :]]
        return rng.choice(JUNK)
