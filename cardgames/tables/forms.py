"""Forms for joining and hosting card tables."""

from typing import Any

from django import forms

from cardgames.engine import Deck, Game
from cardgames.engine.game_definition import OptionValue
from cardgames.models import Table
from cardgames.selectors import decks_for
from cardgames.tables import load_from_log
from cardgames.tables.core.acts import ChangeRules
from log.services import new_key
from pages.key_form import KeyForm
from people.guests import is_remembered_guest
from people.name_validation import MAX_STORED
from people.requester import Who

CURRENT_DECK = "current"


class JoinForm(forms.Form):
    """A code, and for guests a name: with both they sit down at once."""

    code = forms.CharField(
        label="Table code",
        max_length=10,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "size": 6}
        ),
    )

    def __init__(self, *args: Any, who: Who, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not who.is_known or is_remembered_guest(who):
            self.fields["name"] = forms.CharField(
                label="Your name",
                max_length=MAX_STORED,
                required=False,
                initial=who.display_name if who.is_known else "",
                widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
            )
            # No id, because a page can have several such forms.
            self.fields["key"] = forms.CharField(
                widget=forms.HiddenInput(attrs={"id": False}), max_length=80, required=False, initial=new_key
            )


class HostForm(KeyForm):
    """Seats, deck and options of a new table."""

    def __init__(self, *args: Any, who: Who, game: Game, table: Table | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.decks = decks_for(who, game.key)
        if table is not None:
            self._begin_with_rules_of(table)
        low, high = game.seat_limits(self.decks[0][1])
        if low != high:
            self.fields["seats"] = forms.TypedChoiceField(
                label="Seats",
                choices=[(n, "1 (solo)" if n == 1 else str(n)) for n in range(low, high + 1)],
                coerce=int,
                initial=2,
                required=False,
                empty_value=2,
                help_text="Bots can fill free seats.",
            )
        if not who.is_known:
            self._add_name()
        if len(self.decks) > 1:
            choices = [(key, deck.title) for key, deck in self.decks]
            self.fields["deck"] = forms.ChoiceField(label="Deck", choices=choices, initial=choices[0][0])
        for option in game.options:
            choices = [(str(number), label) for number, (_, label) in enumerate(option.choices)]
            self.fields[f"option_{option.key}"] = forms.ChoiceField(
                label=option.label, choices=choices, initial="0", help_text=option.text, required=False
            )

    def _add_name(self) -> None:
        """For a guest who is not known yet: hosting starts with a name."""
        self.fields["name"] = forms.CharField(
            label="Your name", max_length=MAX_STORED, widget=forms.TextInput(attrs={"autocomplete": "nickname"})
        )
        self.order_fields(["name", *self.fields])

    def _begin_with_rules_of(self, table: Table) -> None:
        """The deck of a table stays a choice, even if its copy was changed or deleted since."""
        current = load_from_log.parse_deck(table.game, table.rules, table.deck)
        same = next((key for key, deck in self.decks if deck == current), None)
        if same is None:
            same = CURRENT_DECK
            self.decks = [(same, current), *self.decks]
        self.initial |= {"deck": same, "seats": table.seats}
        for option in self.game.options:
            values = [value for value, _ in option.choices]
            self.initial[f"option_{option.key}"] = str(values.index(table.options.get(option.key, option.default)))

    @property
    def sent(self) -> ChangeRules:
        """Without the deck, and with the options that differ from the default."""
        chosen: dict[str, OptionValue] = {}
        for option in self.game.options:
            number = int(self.cleaned_data.get(f"option_{option.key}") or 0)
            if number:
                chosen[option.key] = option.choices[number][0]
        return ChangeRules(self.cleaned_data.get("seats"), chosen)

    def deck(self) -> Deck:
        wanted = self.cleaned_data.get("deck") or self.decks[0][0]
        return dict(self.decks)[wanted]

    def option_fields(self) -> list[Any]:
        return [field for field in self if field.name.startswith("option_")]

    def first_fields(self) -> list[Any]:
        return [field for field in self if not field.name.startswith("option_")]
