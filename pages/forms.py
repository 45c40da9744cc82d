"""What every form that acts has in common."""

from __future__ import annotations

from django import forms


class KeyForm(forms.Form):
    """Every form that acts carries a key made by the server, so that a tap sent twice counts once."""

    # Nothing points at it, and several such forms stand on one page: it needs no id.
    key = forms.CharField(widget=forms.HiddenInput(attrs={"id": False}), max_length=80)
