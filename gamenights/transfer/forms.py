"""The form to upload a file of plays."""

from __future__ import annotations

from django import forms


class UploadForm(forms.Form):
    file = forms.FileField(
        label="File",
        help_text="BG Stats (.json), BoardGameGeek (.xml) or a table (.csv), up to 20 MB. Nothing is imported yet.",
        widget=forms.FileInput(attrs={"accept": ".json,.bgsplay,.xml,.csv,.txt"}),
        error_messages={"empty": "The file is empty.", "required": "Choose a file."},
    )
