"""The page on which a person's coat of arms is changed."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from pages.arms_editor import read_arms_form
from people.guests import services as guests_services
from people.models import Person


def edit_arms(request: HttpRequest, person: Person, back: str) -> HttpResponse:
    sent = request.POST if request.method == "POST" else _form_data_of(person)
    form, is_preview = read_arms_form(sent)
    lawful = form.is_valid()
    if request.method == "POST" and lawful and form.arms and not is_preview:
        guests_services.set_arms(request.who, person, form.arms)
        messages.success(request, "Arms saved.")
        return redirect(back)
    context = {"form": form, "person": person, "back": back, "mine": person == request.who.person}
    return render(request, "people/change_arms.html", context, status=200 if lawful else 422)


def _form_data_of(person: Person) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({part: str(value) for part, value in person.arms.to_dict().items() if value not in ("", 0)})
    return data
