"""The base form of everything that writes."""

from django import forms


class KeyForm(forms.Form):
    """Carries a key made by the server, so that sending the form twice acts once."""

    # No id, because a page can have several such forms.
    key = forms.CharField(widget=forms.HiddenInput(attrs={"id": False}), max_length=80)
