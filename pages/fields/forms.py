"""A form from the dataclass that is sent: its fields, labels, limits and sentences stand there."""

import datetime as dt
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast, get_args, get_origin

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from dataclass_json import Ask, OneOf, Text, Whole, bare_type, check_field, find_mark, type_of_field
from log.services import new_key
from pages.key_form import KeyForm
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal

T = TypeVar("T")
R = TypeVar("R")
MOMENT = "%Y-%m-%dT%H:%M"
Cleaned = MutableMapping[str, Any]  # as Django has it in ``cleaned_data``


class MomentField(forms.DateTimeField):
    """A day and time as the phone's own picker gives it. The form says in which zone."""

    def __init__(self, **kwargs: object) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
        super().__init__(input_formats=[MOMENT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"], widget=widget, **kwargs)
        self.error_messages["invalid"] = "Enter a day and a time."

    def to_python(self, value: object) -> dt.datetime | None:
        moment = super().to_python(value)
        return moment.replace(tzinfo=None) if moment is not None else None


class DataclassForm(KeyForm, Generic[T]):
    """``class NightForm(DataclassForm[ChangeNight])`` asks for every field with ``Ask``. Fields that are declared stay
    as they are; ``left_out`` are asked for in another way, which ``clean_left_out`` puts together."""

    kind: ClassVar[type]
    left_out: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        for base in getattr(cls, "__orig_bases__", ()):
            if get_args(base) and isinstance(get_args(base)[0], type):
                cls.kind = get_args(base)[0]

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        now: T | None = None,
        zone: dt.tzinfo | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        self.zone = zone or timezone.get_current_timezone()
        known = {} if now is None else {name: self._shown(getattr(now, name)) for name in self.asked()}
        super().__init__(data or None, initial={"key": new_key(), **known, **(initial or {})})
        for name in self.asked():
            if name not in self.fields:
                self.fields[name] = make_field(self.kind, name)
        self.order_fields(self.field_order or ["key", *(name for name in self.asked())])

    @classmethod
    def asked(cls) -> list[str]:
        names = [row.name for row in fields(cls.kind) if find_mark(type_of_field(cls.kind, row.name), Ask) is not None]
        return [name for name in names if name not in cls.left_out]

    def _shown(self, value: Any) -> Any:
        return value.astimezone(self.zone).strftime(MOMENT) if isinstance(value, dt.datetime) else value

    def in_zone(self, moment: dt.datetime | None) -> dt.datetime | None:
        return moment.replace(tzinfo=self.zone) if moment else None

    def clean(self) -> Cleaned:
        """What Django has parsed, tidied and checked as the API does."""
        data: Cleaned = self.cleaned_data
        for name in self.asked():
            if name in data:
                value = self.in_zone(data[name]) if isinstance(data[name], dt.datetime) else data[name]
                try:
                    data[name] = check_field(self.kind, name, value)
                except Refusal as refusal:
                    self.add_error(name, refusal.sentence)
        return data

    def clean_left_out(self) -> Cleaned:
        return {}

    @property
    def sent(self) -> T:
        """The dataclass; the form is valid."""
        names = {row.name for row in fields(self.kind) if row.init}
        values = {name: value for name, value in self.cleaned_data.items() if name in names}
        return cast(T, self.kind(**{**values, **self.clean_left_out()}))

    def submit(self, request: HttpRequest, service: Callable[[str, T], R]) -> R | Literal[True] | None:
        """What ``service(key, sent)`` answered, or True; None if nothing was sent, or it was not right.

        Refusals stand at their fields; whoever may not do it at all is refused as everywhere.
        """
        if request.method != "POST" or not self.is_valid():
            return None
        try:
            return service(self.cleaned_data["key"], self.sent) or True
        except Refusal as refusal:
            if refusal.status == 403:
                raise
            add_refusal_to_form(self, refusal)
            return None


class QueryForm(DataclassForm[T]):
    """One that asks by its address and writes nothing. What is empty counts as left out."""

    key = None

    def clean(self) -> Cleaned:
        for name in [name for name, value in self.cleaned_data.items() if value in ("", None)]:
            del self.cleaned_data[name]
        return super().clean()


def make_field(kind: type, name: str) -> forms.Field:
    """The field of a form for one of a dataclass."""
    hint = type_of_field(kind, name)
    row = next(row for row in fields(kind) if row.name == name)
    ask, text, whole = find_mark(hint, Ask), find_mark(hint, Text), find_mark(hint, Whole)
    assert ask is not None
    bare, is_optional = bare_type(hint)
    needs_text = text is not None and not text.empty
    said: Cleaned = {
        "label": ask.label,
        "help_text": ask.hint,
        "required": row.default is MISSING and row.default_factory is MISSING and not is_optional,
    }
    if (choice := find_mark(hint, OneOf)) is not None:
        return forms.ChoiceField(choices=lambda: list(choice.choices()), **said)
    if isinstance(bare, type) and issubclass(bare, Enum):
        members = [(member.value, getattr(member, "label", member.value)) for member in bare if member.value != ""]
        return forms.ChoiceField(choices=members, **said)
    if get_origin(bare) is Literal:
        return forms.ChoiceField(choices=[(word, word) for word in get_args(bare)], **said)
    if bare is str and text is not None:
        attributes = {"maxlength": text.most}
        widget = forms.TextInput(attributes) if ask.lines == 1 else forms.Textarea({**attributes, "rows": ask.lines})
        return forms.CharField(widget=widget, **{**said, "required": said["required"] and needs_text})
    if bare is dt.datetime:
        return MomentField(**said)
    if bare is dt.date:
        return forms.DateField(widget=forms.DateInput({"type": "date"}), **said)
    if bare is bool:
        return forms.BooleanField(**{**said, "required": False})
    if bare in (int, float) and whole is not None:
        field = forms.IntegerField if bare is int else forms.FloatField
        return field(min_value=whole.least, max_value=whole.most, **said)
    raise TypeError(f"Declare {kind.__name__}.{name} in its form: nothing is known for {bare}.")
