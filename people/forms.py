"""What people type here, with its labels. What is wrong with it is said by the same refusals as everywhere."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from log import door
from people import accounts
from people.names import clean_name
from refusal import Refusal

NAME = {"maxlength": 200, "autocapitalize": "words", "spellcheck": "false"}


class NameField(forms.CharField):
    def clean(self, value: Any) -> str:
        try:
            return clean_name(value if isinstance(value, str) else "")
        except Refusal as refusal:
            raise ValidationError(refusal.sentence) from refusal


class PasswordField(forms.CharField):
    def __init__(self, *, new: bool = False, **kwargs: Any) -> None:
        attrs = {"autocomplete": "new-password" if new else "current-password", "maxlength": accounts.PASSWORD_MOST}
        kwargs.setdefault("error_messages", {"required": "The password is empty."})
        super().__init__(strip=False, widget=forms.PasswordInput(attrs=attrs), **kwargs)


class LogInForm(forms.Form):
    name = NameField(widget=forms.TextInput(attrs={**NAME, "autocomplete": "username"}))
    password = PasswordField()


class SignUpForm(forms.Form):
    name = NameField(
        help_text="What the table calls you, in any alphabet. You log in with it.",
        widget=forms.TextInput(attrs={**NAME, "autocomplete": "username"}),
    )
    password = PasswordField(new=True, help_text="At least 8 characters. A few words in a row are easy to keep.")


class AccountForm(SignUpForm):
    """For someone who has a name at the table already."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Name to log in with"
        self.fields["name"].help_text = "The name at the table stays as it is."


class NewPasswordForm(forms.Form):
    password = PasswordField(new=True, label="New password", help_text="At least 8 characters.")


class ChangePasswordForm(forms.Form):
    old = PasswordField(label="Password so far")
    password = PasswordField(new=True, label="New password", help_text="At least 8 characters. Your other log-ins end.")


class NameForm(forms.Form):
    name = NameField(label="Name at the table", widget=forms.TextInput(attrs=NAME))


class FriendForm(forms.Form):
    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=80)
    name = NameField(label="Their name", widget=forms.TextInput(attrs={**NAME, "autocomplete": "off"}))

    @classmethod
    def fresh(cls) -> FriendForm:
        return cls(initial={"key": door.new_key()})


class MailForm(forms.Form):
    mail = forms.EmailField(
        required=False,
        label="Mail address",
        max_length=254,
        error_messages={"invalid": "This is not a mail address."},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text="Used only to send you a link when the password is forgotten. Empty it to remove it.",
    )


class ForgottenForm(forms.Form):
    name = NameField(label="Name or mail address", widget=forms.TextInput(attrs={**NAME, "autocomplete": "username"}))


class ResetTrustForm(forms.Form):
    masters_may_reset = forms.BooleanField(
        required=False, label="A game master of mine may give me a link to a new password"
    )


class ForgetForm(forms.Form):
    """The name typed once more, because what follows cannot be undone."""

    name = forms.CharField(
        max_length=1000, label="The name, as it stands above", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected

    def clean_name(self) -> str:
        typed = clean_name_or_nothing(self.cleaned_data["name"])
        if typed.casefold() != self.expected.casefold():
            raise ValidationError("This is not the name. Nothing was changed.")
        return typed


class InvitationForm(forms.Form):
    label = forms.CharField(
        required=False,
        max_length=200,
        label="For whom",
        help_text="Only you see this note.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def clean_name_or_nothing(text: str) -> str:
    try:
        return clean_name(text)
    except Refusal:
        return ""
