"""Variables, filters and conditions of a template as Python expressions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.template.base import FilterExpression, Variable
from django.template.defaulttags import TemplateLiteral
from django.utils.safestring import mark_safe

_CONSTANT_NAMES = {"True": "True", "False": "False", "None": "None"}
_COMPARED = {"in", "not in", "is", "is not", "==", "!=", ">", ">=", "<", "<="}


class CannotCompile(Exception):
    """Django draws this template itself."""


@dataclass
class Loop:
    """A ``{% for %}`` around what is compiled. Its counters are worked out only where they are read."""

    index: str
    length: str
    parent: Loop | None
    is_read: bool = False

    def read(self, names: tuple[str, ...]) -> str | None:
        """``forloop.counter`` and the like; None for anything else."""
        self.is_read = True
        if not names:
            return self.as_dict()
        if names[0] == "parentloop":
            if self.parent is None:  # it may be a loop of the template that includes this one
                raise CannotCompile("parentloop")
            return self.parent.read(names[1:])
        return self._counters().get(names[0]) if len(names) == 1 else None

    def as_dict(self) -> str:
        self.is_read = True
        rows = [f"{name!r}: {value}" for name, value in self._counters().items()]
        rows.append(f"'parentloop': {self.parent.as_dict() if self.parent else '{}'}")
        return "{" + ", ".join(rows) + "}"

    def _counters(self) -> dict[str, str]:
        i, n = self.index, self.length
        return {
            "counter0": i,
            "counter": f"({i} + 1)",
            "revcounter": f"({n} - {i})",
            "revcounter0": f"({n} - {i} - 1)",
            "first": f"({i} == 0)",
            "last": f"({i} == {n} - 1)",
        }


@dataclass
class Names:
    """Where the names of a template are found: its own loops and ``with``, or what it is given."""

    free: dict[str, str] = field(default_factory=dict)  # by name, the parameter of the function
    own: dict[str, str | Loop] = field(default_factory=dict)
    globals: dict[str, object] = field(default_factory=dict)
    temporaries: int = 0

    def constant(self, value: Any) -> str:
        """A value that the function finds among its globals."""
        if type(value) in (int, float, bool, type(None)):
            return repr(value)
        name = f"k{len(self.globals)}"
        self.globals[name] = value
        return name

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def find(self, name: str) -> str:
        """The Python expression for a whole name."""
        if (own := self.own.get(name)) is not None:
            return own.as_dict() if isinstance(own, Loop) else own
        if name in _CONSTANT_NAMES:
            return _CONSTANT_NAMES[name]
        if name == "block" or not f"v_{name}".isidentifier():
            raise CannotCompile(name)
        return self.free.setdefault(name, f"v_{name}")


def compile_variable(variable: Variable, names: Names) -> str:
    """May be ``MISSING`` when it is worked out."""
    if variable.translate:
        raise CannotCompile(variable.var)
    if variable.lookups is None:
        return names.constant(variable.literal)
    first, *rest = variable.lookups
    own = names.own.get(first)
    if isinstance(own, Loop) and (counter := own.read(tuple(rest))) is not None:
        return counter
    found = names.find(first)
    for name in rest:
        found = f"look_up({found}, {name!r})"
    return found


def compile_filtered(expression: FilterExpression, names: Names, otherwise: str | None) -> str:
    """A variable and its filters. ``otherwise`` stands for what is missing; None leaves it as ``MISSING``."""
    if not expression.is_var:
        found = names.constant(expression.var)
    else:
        found = compile_variable(expression.var, names)
        can_be_missing = expression.var.lookups is not None and found not in _CONSTANT_NAMES
        if expression.filters and otherwise is None:
            otherwise = "''"
        if can_be_missing and otherwise is not None:
            it = names.temporary()
            found = f"({otherwise} if ({it} := {found}) is MISSING else {it})"
    for function, arguments in expression.filters:
        found = _compile_filter(function, arguments, found, names)
    return found


def _compile_filter(function: Any, arguments: list[tuple[bool, Any]], value: str, names: Names) -> str:
    given = [
        f"require({compile_variable(argument, names)})" if is_variable else names.constant(mark_safe(argument))
        for is_variable, argument in arguments
    ]
    if getattr(function, "expects_localtime", False):
        value = f"template_localtime({value}, context.use_tz)"
    if getattr(function, "needs_autoescape", False):
        given.append("autoescape=True")
    call = names.constant(function)
    if not getattr(function, "is_safe", False):
        return f"{call}({', '.join([value, *given])})"
    if "autoescape=True" in given:
        it = names.temporary()
        inside = ", ".join([it, *given])
        return f"(mark_safe({call}({inside})) if isinstance(({it} := {value}), SafeData) else {call}({inside}))"
    return f"filter_safely({', '.join([call, value, *given])})"


def compile_condition(condition: Any, names: Names) -> str:
    """An expression of which only the truth counts."""
    if isinstance(condition, TemplateLiteral):
        return compile_filtered(condition.value, names, "None" if condition.value.filters else None)
    if condition.id == "not":
        return f"(not {compile_condition(condition.first, names)})"
    if condition.id in ("and", "or"):
        first, second = compile_condition(condition.first, names), compile_condition(condition.second, names)
        return f"({first} {condition.id} {second})"
    if condition.id in _COMPARED:
        first, second = _compile_operand(condition.first, names), _compile_operand(condition.second, names)
        return f"({first} {condition.id} {second})"
    raise CannotCompile(condition.id)


def _compile_operand(condition: Any, names: Names) -> str:
    if isinstance(condition, TemplateLiteral):
        return compile_filtered(condition.value, names, "None")
    return f"bool({compile_condition(condition, names)})"


def can_fail(condition: Any) -> bool:
    """Whether Django would hide a failure of this condition."""
    if not isinstance(condition, TemplateLiteral):
        return True
    return any(is_variable for _, arguments in condition.value.filters for is_variable, _ in arguments)


def names_in(condition: Any) -> set[str]:
    """The names that a condition reads from the context."""
    if not isinstance(condition, TemplateLiteral):
        return set().union(*(names_in(one) for one in (condition.first, condition.second) if one is not None))
    variables = [condition.value.var] if condition.value.is_var else []
    variables += [
        argument for _, arguments in condition.value.filters for is_variable, argument in arguments if is_variable
    ]
    return {one.lookups[0] for one in variables if one.lookups is not None}
