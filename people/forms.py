"""The forms for accounts, guests, names and tokens."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from log import services as log_services
from pages.refusal_handling import add_refusal_to_form
from people import privacy
from people.accounts import services as accounts_services
from people.api_tokens.scopes import PLAY, READ, SCOPES
from people.api_tokens.services import MAX_LABEL
from people.models import Person
from people.name_validation import MAX_STORED, clean_name, clean_text
from refusal import Refusal

NAME_ATTRS = {"maxlength": MAX_STORED, "autocapitalize": "words", "spellcheck": "false"}


def submit_form(request: HttpRequest, form: forms.Form, act: Callable[[], object], *, raised: int = 0) -> int:
    """Do what a valid form asks for: 0 if it was done, else the status of the page that shows the form again.

    A refusal stands at its field; one with the status ``raised`` goes on.
    """
    if request.method != "POST":
        return 200
    if not form.is_valid():
        return 422
    try:
        act()
    except Refusal as refusal:
        if refusal.status == raised:
            raise
        add_refusal_to_form(form, refusal)
        return refusal.status
    return 0


class NameField(forms.CharField):
    def clean(self, value: Any) -> str:
        try:
            return clean_name(value if isinstance(value, str) else "")
        except Refusal as refusal:
            raise ValidationError(refusal.sentence) from refusal


class PasswordField(forms.CharField):
    def __init__(self, *, new: bool = False, **kwargs: Any) -> None:
        attrs = {
            "autocomplete": "new-password" if new else "current-password",
            "maxlength": accounts_services.MAX_PASSWORD,
        }
        kwargs.setdefault("error_messages", {"required": "The password is empty."})
        super().__init__(strip=False, widget=forms.PasswordInput(attrs=attrs), **kwargs)


class LogInForm(forms.Form):
    name = NameField(widget=forms.TextInput(attrs={**NAME_ATTRS, "autocomplete": "username"}))
    password = PasswordField()


class SignUpForm(forms.Form):
    name = NameField(
        help_text="The name other players see, in any alphabet. You also log in with it.",
        widget=forms.TextInput(attrs={**NAME_ATTRS, "autocomplete": "username"}),
    )
    password = PasswordField(new=True, help_text="At least 8 characters. A few words in a row are easy to remember.")


class FirstOwnerForm(SignUpForm):
    code = forms.CharField(
        label="Owner code",
        max_length=accounts_services.MAX_OWNER_CODE,
        help_text="The terminal printed it when the site started. manage.py owner_code prints it again.",
        error_messages={"required": "Enter the owner code."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class AccountForm(SignUpForm):
    """For a guest, who already has a player name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Log-in name"
        self.fields["name"].help_text = "Your player name stays the same."


class NewPasswordForm(forms.Form):
    password = PasswordField(new=True, label="New password", help_text="At least 8 characters.")


class ChangePasswordForm(forms.Form):
    old = PasswordField(label="Current password")
    password = PasswordField(
        new=True, label="New password", help_text="At least 8 characters. This logs you out everywhere else."
    )


class NameForm(forms.Form):
    name = NameField(label="Player name", widget=forms.TextInput(attrs=NAME_ATTRS))


class GuestForm(forms.Form):
    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=80)
    name = NameField(label="Their name", widget=forms.TextInput(attrs={**NAME_ATTRS, "autocomplete": "off"}))

    @classmethod
    def fresh(cls) -> "GuestForm":
        return cls(initial={"key": log_services.new_key()})


class MailForm(forms.Form):
    mail = forms.EmailField(
        required=False,
        label="E-mail address",
        max_length=accounts_services.MAX_MAIL,
        error_messages={"invalid": "Enter a valid e-mail address."},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text="Only used to send you a link if you forget your password. Clear it to remove it.",
    )


class ForgottenPasswordForm(forms.Form):
    name = NameField(
        label="Name or e-mail address", widget=forms.TextInput(attrs={**NAME_ATTRS, "autocomplete": "username"})
    )


class ResetPermissionForm(forms.Form):
    masters_may_reset = forms.BooleanField(required=False, label="My game masters can give me a link to a new password")


class ForgetForm(forms.Form):
    """Asks for the name as confirmation, because forgetting cannot be undone."""

    name = forms.CharField(max_length=1000, label="Name", widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_name(self) -> str:
        try:
            privacy.check_typed_name(self.person, self.cleaned_data["name"])
        except Refusal as refusal:
            raise ValidationError(refusal.sentence) from refusal
        return clean_text(self.cleaned_data["name"])


class TokenForm(forms.Form):
    label = forms.CharField(
        max_length=MAX_LABEL,
        label="What uses it",
        help_text="Such as “score board in the cellar”. Only you see it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=[(key, words) for key, words in SCOPES.items()],
        initial=[READ, PLAY],
        label="What it may do",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least “See what you see”."},
    )
