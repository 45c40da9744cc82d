"""Correcting the past: strike, amend or restore any entry, with everything that would change shown before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import door, petitions, reading, rewriting
from campaign.annals import consent
from campaign.annals.corrections import KEEP, Preview, state_before
from campaign.annals.lines import AMEND, Line, effective
from campaign.annals.state import State
from campaign.annals.tales import tale
from campaign.annals.terms import term_of
from campaign.annals.wording import listed
from campaign.changes import change_words
from campaign.counted import corrected, counted
from campaign.forms import ResultForm, WhyForm
from campaign.models import Campaign
from campaign.sheet import effect_rows, ledger, names_for
from campaign.views import visible
from log.door import new_key
from pages.numbers import whole
from pages.refusals import say
from refusal import Refusal
from rulebook.targets import target as target_of

CHOICE = "choice-"


@require_http_methods(["GET", "POST"])
def strike(request: HttpRequest, code: str, number: int) -> HttpResponse:
    return put_right(request, code, "strike", number)


@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, code: str, number: int) -> HttpResponse:
    return put_right(request, code, "restore", number)


@require_http_methods(["GET", "POST"])
def amend(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """An entry filled in as it was written; then the preview; then one confirm.

    One that was told unit by unit is corrected unit by unit, on the form it was told with; ``?plain`` asks for this one all the same.
    """
    campaign = visible(request, code)
    lines = reading.lines_of(campaign)
    line = next((line for line in effective(lines) if line.number == number), None)
    if line is None or line.act not in ("result", *rewriting.REWRITTEN):
        raise Http404
    if line.act != "result":
        return _rewrite(request, campaign, line, state_before(lines, line.place))
    if line.body.get("told") and request.method == "GET" and "plain" not in request.GET:
        return redirect("battles:correct", code, line.body["battle"])
    then = state_before(lines, line.place)
    key, attacker = line.body["target"], line.body["attacker"]
    fought = target_of(then.realm(), attacker, key, then.rules())
    data = request.POST if "outcome" in request.POST else None
    told = counted(line.act, {**line.body, "defender": fought.holder}, then)
    initial = {**ResultForm.initial_of(told), "key": new_key(), "played_on": line.played_on}
    form = ResultForm(data, state=then, attacker=attacker, defender=fought.holder, siege=fought.siege, initial=initial)
    form.fields["played_on"].disabled = True  # an amended line folds where it stood
    if data is not None and form.is_valid():
        body = corrected(line.body, form.body(key, line.body["battle"]), line.act, then)
        try:
            return put_right(request, code, "amend", number, body=body, carried=_carried(form))
        except Refusal as refusal:
            if refusal.status != 422:
                raise
            say(form, refusal)
    context = {"campaign": campaign, "form": form, "fought": fought, "place": then.place_name(key), "number": number}
    context["told"] = bool(line.body.get("report"))
    return render(request, "campaign/amend.html", context, status=422 if form.is_bound else 200)


def _rewrite(request: HttpRequest, campaign: Campaign, line: Line, then: State) -> HttpResponse:
    form = rewriting.form_of(line, then, request.POST)
    if form is None:
        return redirect("campaign:strike", campaign.code, line.number)
    if form.is_valid():
        try:
            body = {**line.body, **form.body()}
            return put_right(request, campaign.code, "amend", line.number, body=body, carried=_carried(form))
        except Refusal as refusal:
            if refusal.status != 422:
                raise
            say(form, refusal)
    context = {"campaign": campaign, "form": form, "number": line.number}
    return render(request, "campaign/rewrite.html", context, status=422 if form.is_bound else 200)


def put_right(
    request: HttpRequest,
    code: str,
    kind: str,
    number: int,
    body: dict[str, Any] | None = None,
    carried: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """What a correction changes, and its confirm. ``carried`` are the answers of the form before, sent once more."""
    campaign = visible(request, code)
    data = request.POST
    choices = {
        at: value
        for name, value in data.items()
        if name.startswith(CHOICE) and value in ("keep", "recompute", "strike")
        if (at := whole(name.removeprefix(CHOICE))) is not None
    }
    lines = reading.lines_of(campaign)
    preview = door.preview(lines, kind, number, body, choices)
    said, status = "", 200
    if data.get("confirm"):
        try:
            done = petitions.lay_correction(
                campaign,
                request.who,
                key=data.get("key", ""),
                kind=kind,
                target=number,
                why=data.get("why", "").strip(),
                digest=data.get("digest", ""),
                body=body,
                choices=choices,
            )
        except Refusal as refusal:
            if refusal.status not in (409, 422):
                raise
            said, status = refusal.sentence, refusal.status
        else:
            if "entry" not in done:
                return redirect("campaign:petition", code, done["petition"])
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    why = WhyForm(initial={"key": new_key(), "why": data.get("why", "")})
    why.fields["why"].required = kind != "restore"
    context = {"campaign": campaign, "kind": kind, "number": number, "preview": preview, "said": said, "why": why}
    context |= _told(request, campaign, preview)
    context |= _asked(request, campaign, preview)
    context["carried"] = carried
    return render(request, "campaign/correct.html", context, status=status)


def _asked(request: HttpRequest, campaign: Campaign, preview: Preview) -> dict[str, Any]:
    """Whether this one may confirm it, and who is asked before it is written."""
    state = reading.state_of(campaign)
    if door.is_master(state, request.who):
        own = consent.side_of(state, preview.touches, set(request.who.person.all_ids()))
        return {"may": True, "asked": "", "own": state.kingdoms[own].name if own else ""}
    if term_of(state.terms, "correct") != "touched" or request.who.person is None:
        return {"may": False, "asked": ""}
    mine = set(request.who.person.all_ids())
    keys = [key for key in preview.touches if consent.askable(state, key, away=True)]
    keys = [key for key in keys if not consent.speaks_for(state, key, mine)]
    names = names_for(campaign, state, campaign.members.select_related("person__merged_into"))
    asked = listed([names.person(state.kingdoms[key].acting) for key in keys])
    return {"may": True, "asked": asked or "the game master"}


def _told(request: HttpRequest, campaign: Campaign, preview: Preview) -> dict[str, Any]:
    """The preview in words: the line itself, the later lines it touches, and what is otherwise afterwards."""
    state = reading.state_of(campaign)
    names = names_for(campaign, state, campaign.members.select_related("person__merged_into"))
    numbers = [preview.target, *(flag.number for flag in preview.flags)]
    by_number = {row.number: row for row in ledger(campaign, request.who, names, numbers=numbers)}
    flags = [
        {
            "flag": flag,
            "line": by_number[flag.number],
            "recomputed": effect_rows(flag.recomputed, names) if flag.recomputed is not None else (),
            "name": f"{CHOICE}{flag.number}",
        }
        for flag in preview.flags
    ]
    reads = ""
    if preview.kind == AMEND and (line := by_number.get(preview.target)):
        told = preview.bundle["amend"][str(preview.target)]
        reads = tale(Line(line.number, line.act, told["body"], told["effects"], ""), names)
    return {
        "reads": reads,
        "line": by_number.get(preview.target),
        "flags": flags,
        "changes": [row for change in preview.changes if (row := change_words(change, names))],
        "keep": KEEP,
    }


def _carried(form: Any) -> list[tuple[str, str]]:
    """The form's answers again as hidden fields, so that the confirm sends what was previewed."""
    carried = []
    for name in map(form.add_prefix, form.fields):
        if name == "key":
            continue
        value = form.data.getlist(name) if hasattr(form.data, "getlist") else [form.data.get(name)]
        carried += [(name, one) for one in value if one not in (None, "")]
    return carried
