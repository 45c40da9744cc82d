"""Choosing someone's coat of arms, with the editor every page of arms uses."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from pages.arms import arms_form
from people import keeping
from people.models import Person


def draw_arms(request: HttpRequest, person: Person, back: str) -> HttpResponse:
    sent = request.POST if request.method == "POST" else _as_sent(person)
    form, only_looks = arms_form(sent)
    lawful = form.is_valid()
    if request.method == "POST" and lawful and not only_looks:
        keeping.set_arms(request.who, person, form.arms)
        messages.success(request, "The arms are kept.")
        return redirect(back)
    context = {"form": form, "person": person, "back": back, "mine": person == request.who.person}
    return render(request, "people/arms.html", context, status=200 if lawful else 422)


def _as_sent(person: Person) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({part: str(value) for part, value in person.arms.to_dict().items() if value not in ("", 0)})
    return data
