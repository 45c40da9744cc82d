"""What compiled templates call while they draw. Each function keeps to what Django's own templates do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from inspect import signature
from typing import Any

from django.conf import settings
from django.core.files.storage import storages
from django.template import Context
from django.template.base import Node, VariableDoesNotExist, render_value_in_context
from django.templatetags.static import StaticNode
from django.urls import get_script_prefix
from django.utils.html import conditional_escape
from django.utils.safestring import SafeData, SafeString, mark_safe


class _Missing:
    """A name that the context does not have. It is drawn as nothing and counts as None in conditions."""

    def __bool__(self) -> bool:
        return False


class _Nothing(str):
    """What a failure that Django hides leaves behind, however many names follow."""


MISSING = _Missing()
NOTHING = _Nothing()

_SHOWS_DIGITS_ONLY = not settings.USE_THOUSAND_SEPARATOR
# Types whose objects have no items, so that a name after a dot can only be an attribute.
_without_items: set[type] = set()


def look_up(current: Any, name: str) -> Any:
    """What ``current.name`` means in a template: an item, an attribute or a place in a list, called if it can be."""
    kind = type(current)
    try:
        if kind in _without_items:
            value = getattr(current, name)
        elif kind is dict:
            value = current[name]
        else:
            return _look_up_slowly(current, name)
    except (AttributeError, KeyError):
        return MISSING if current is None else _look_up_slowly(current, name)
    except Exception as error:
        return _hide(error)
    return call(value) if callable(value) else value


def _look_up_slowly(current: Any, name: str) -> Any:
    if current is MISSING or current is NOTHING:
        return current
    kind = type(current)
    try:
        if not hasattr(kind, "__getitem__"):
            _without_items.add(kind)
            value = _attribute(current, name)
        else:
            try:
                value = current[name]
            except (TypeError, AttributeError, KeyError, ValueError, IndexError):
                value = _attribute(current, name)
    except Exception as error:
        return _hide(error)
    return call(value) if callable(value) else value


def _attribute(current: Any, name: str) -> Any:
    try:
        return getattr(current, name)
    except (TypeError, AttributeError):
        if name in dir(current):  # a property failed
            raise
    try:
        return current[int(name)]
    except (IndexError, ValueError, KeyError, TypeError):
        return MISSING


def _hide(error: Exception) -> Any:
    if getattr(error, "silent_variable_failure", False):
        return NOTHING
    raise error


def call(value: Any) -> Any:
    """What a template makes of something that can be called."""
    if getattr(value, "do_not_call_in_templates", False):
        return value
    if getattr(value, "alters_data", False):
        return ""
    try:
        return value()
    except TypeError:
        try:
            needs = signature(value)
        except ValueError:
            return ""
        try:
            needs.bind()
        except TypeError:  # it needs arguments
            return ""
        raise
    except Exception as error:
        return _hide(error)


def require(value: Any) -> Any:
    """The argument of a filter must be there."""
    if value is MISSING:
        raise VariableDoesNotExist("A filter's argument is missing.")
    return value


def show(value: Any, context: Context) -> str:
    """A value as text of the page."""
    kind = type(value)
    if kind is SafeString:
        return value
    if kind is str:
        return escape(value)
    if kind is int and _SHOWS_DIGITS_ONLY:
        return str(value)
    if value is MISSING:
        return ""
    return render_value_in_context(value, context)


def show_tag(value: Any) -> str:
    """What a tag returned."""
    return value if type(value) is SafeString else str(conditional_escape(value))


def static_address(path: str) -> str:
    return _static_address(storages["staticfiles"], get_script_prefix(), path)


@lru_cache(maxsize=1024)
def _static_address(storage: object, prefix: str, path: str) -> str:
    """Kept for each storage, which alone knows the name of a file in this release."""
    return escape(StaticNode.handle_simple(path))


def filter_safely(function: Callable[..., Any], value: Any, *arguments: Any) -> Any:
    """A filter that leaves safe text safe."""
    found = function(value, *arguments)
    return mark_safe(found) if isinstance(value, SafeData) else found


def rows_of(value: Any) -> Any:
    """What a loop goes through."""
    if value is None or value is MISSING:
        return ()
    return value if hasattr(value, "__len__") else list(value)


def evaluate(condition: Any, context: Context, names: Mapping[str, Any]) -> Any:
    """A condition as Django evaluates it. Compiled ones come here when they fail: in Django that counts as False."""
    context.dicts.append({name: value for name, value in names.items() if value is not MISSING})
    try:
        return condition.eval(context)
    except VariableDoesNotExist:
        return None
    finally:
        context.dicts.pop()


def context_of(**names: object) -> dict[str, object]:
    """For a tag that reads only these names."""
    return {name: value for name, value in names.items() if value is not MISSING}


def draw_node(node: Node, context: Context) -> str:
    return str(node.render_annotated(context))
