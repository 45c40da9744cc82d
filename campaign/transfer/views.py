"""Files of a campaign: taken out as JSON or CSV, taken in again; the archive and the end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaign import archive, arriving, carrying
from campaign.annals import parcel
from campaign.annals.chapters import chapters
from campaign.annals.lines import effective
from campaign.file_forms import DeleteForm, FileForm, TakeInForm
from campaign.models import Campaign
from campaign.views import run_by, visible
from jobs.sheet import job_sheet
from log.door import new_key
from pages.refusals import say
from people.wall import known_only
from refusal import Refusal


def _of_member(request: HttpRequest, code: str) -> Campaign:
    """A file names everybody at the table, so it is for those who sit there."""
    campaign = visible(request, code)
    if not Campaign.objects.of(request.who).filter(pk=campaign.pk).exists():
        raise Refusal("Only members of this campaign take its files.", status=403)
    return campaign


def _exported(request: HttpRequest, campaign: Campaign) -> bool:
    """Whether this browser has taken the file as it stands now."""
    return request.session.get(f"exported-{campaign.code}") == campaign.log.version


@require_GET
def export(request: HttpRequest, code: str) -> HttpResponse:
    campaign = _of_member(request, code)
    context = {
        "campaign": campaign,
        "may_run": Campaign.objects.run_by(request.who).filter(pk=campaign.pk).exists(),
        "exported": _exported(request, campaign),
    }
    return render(request, "campaign/export.html", context)


@require_GET
def export_json(request: HttpRequest, code: str) -> HttpResponse:
    campaign = _of_member(request, code)
    text = parcel.written(carrying.contents(campaign))
    request.session[f"exported-{campaign.code}"] = campaign.log.version
    return _file(text, "application/json", campaign, "json")


@require_GET
def standings_csv(request: HttpRequest, code: str) -> HttpResponse:
    campaign = _of_member(request, code)
    return _file(carrying.standings_csv(campaign), "text/csv; charset=utf-8", campaign, "csv", "standings-")


@require_GET
def entries_csv(request: HttpRequest, code: str) -> HttpResponse:
    campaign = _of_member(request, code)
    return _file(carrying.entries_csv(campaign), "text/csv; charset=utf-8", campaign, "csv", "entries-")


def _file(text: str, content_type: str, campaign: Campaign, ending: str, prefix: str = "") -> HttpResponse:
    name = f"{prefix}{slugify(campaign.name)[:60] or campaign.code}-{timezone.localdate():%Y-%m-%d}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(text, content_type=content_type, headers=headers)


# --- taking a file in -------------------------------------------------------------------------------------------------


@known_only
@require_http_methods(["GET", "POST"])
def take_in(request: HttpRequest) -> HttpResponse:
    """First the file, which is laid down to be looked through; nothing is imported yet."""
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data["file"]
        try:
            if sent.size > parcel.MOST:
                raise Refusal(f"The file has {sent.size / 1024 / 1024:.1f} MB. {parcel.MOST_MB} MB is the most.")
            arriving.lay_down(request.who.person, sent.name, sent.read())
        except Refusal as refusal:
            form.add_error("file", refusal.sentence)
        else:
            return redirect("campaign:arrival")
    return render(request, "campaign/take_in.html", {"form": form}, status=422 if form.is_bound else 200)


@known_only
@require_http_methods(["GET", "POST"])
def arrival(request: HttpRequest) -> HttpResponse:
    """What the file holds, what is odd about it, and the one button that takes it in."""
    person = request.who.person
    found = arriving.waiting(person)
    if found is None or found.job is None:
        return redirect("campaign:take_in")
    if not found.is_looked_through:
        context = {"file": found.row, "job": job_sheet(found.job)}
        return render(request, "campaign/arriving.html", context, status=409 if request.method == "POST" else 200)
    held = found.arrival()
    mine = next((one.number for one in held.people if one.name.casefold() == person.name.casefold()), None)
    initial = {"key": new_key(), "me": mine or next((one.number for one in held.people if one.is_master), "")}
    form = TakeInForm(request.POST or None, people=held.people, initial=initial)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            campaign = carrying.take_in(request.who, held, key=data["key"], me=data["me"])
        except Refusal as refusal:
            say(form, refusal)
        else:
            arriving.put_away(person)
            return redirect(campaign)
    context = {
        "file": found.row,
        "held": held,
        "seasons": chapters(effective(held.lines)),
        "more": found.more,
        "form": form,
    }
    return render(request, "campaign/arrival.html", context, status=422 if form.is_bound else 200)


# --- the archive and the end ------------------------------------------------------------------------------------------


@require_POST
def put_in_archive(request: HttpRequest, code: str) -> HttpResponse:
    campaign = run_by(request, code)
    archive.take_out(campaign) if request.POST.get("to") == "out" else archive.put_in(campaign)
    return redirect("campaign:export", code)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, code: str) -> HttpResponse:
    campaign = run_by(request, code)
    form = DeleteForm(request.POST or None)
    exported = _exported(request, campaign)
    if request.method == "POST" and form.is_valid():
        try:
            archive.delete(campaign, typed=form.cleaned_data["name"], exported=exported)
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect("campaign:index")
    context = {"campaign": campaign, "form": form, "exported": exported}
    return render(request, "campaign/delete.html", context, status=422 if form.is_bound else 200)
