"""The page of your API tokens: make one with its scopes, end one."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from pages.refusal_handling import add_refusal_to_form
from people.api_tokens import services
from people.api_tokens.scopes import PLAY, READ, SCOPES
from people.api_tokens.services import MAX_LABEL
from people.login_required import person_required
from people.models import ApiToken
from refusal import Refusal
from text import join_list


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


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """A new token is shown in the answer that makes it, and never again."""
    form = TokenForm(request.POST or None)
    made, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = services.create_token(request, **form.cleaned_data)
                form, status = TokenForm(), 200
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    rows = [
        (row, join_list(row.scopes.split())) for row in ApiToken.objects.of_person(request.who).select_related("log_in")
    ]
    return render(request, "people/api_tokens/tokens.html", {"form": form, "made": made, "rows": rows}, status=status)


@require_POST
@person_required
def end_token(request: HttpRequest, pk: int) -> HttpResponse:
    services.end_token(get_object_or_404(ApiToken.objects.of_person(request.who), pk=pk))
    messages.success(request, "API token ended.")
    return redirect("people:my_tokens")
