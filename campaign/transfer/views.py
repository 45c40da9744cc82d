"""Export, import, archive and delete a campaign."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaign import selectors
from campaign.chronicle import export_and_import
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.seasons.cut_into_seasons import split_seasons
from campaign.forms import Answers, DeleteForm, ImportForm, UploadForm
from campaign.models import Campaign
from campaign.permissions import can_run
from campaign.transfer import import_uploads, services
from jobs.display import display_job
from pages.request_middleware import accept_bodies_up_to
from people.login_required import person_required
from refusal import Refusal


@require_GET
def export(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_member(request.who, code)
    context = {
        "campaign": campaign,
        "can_run": can_run(campaign, request.who),
        "exported": services.was_exported(request, campaign),
    }
    return render(request, "campaign/transfer/export.html", context)


@require_GET
def export_json(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_member(request.who, code)
    text = services.export_file(request, campaign)
    return _file(text, "application/json", campaign, "json")


@require_GET
def standings_csv(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_member(request.who, code)
    return _file(services.standings_csv(campaign), "text/csv; charset=utf-8", campaign, "csv", "standings-")


@require_GET
def entries_csv(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_member(request.who, code)
    return _file(services.entries_csv(campaign), "text/csv; charset=utf-8", campaign, "csv", "entries-")


def _file(text: str, content_type: str, campaign: Campaign, ending: str, prefix: str = "") -> HttpResponse:
    name = f"{prefix}{slugify(campaign.name)[:60] or campaign.code}-{timezone.localdate():%Y-%m-%d}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(text, content_type=content_type, headers=headers)


@accept_bodies_up_to(export_and_import.MAX_WITH_FORM)
@person_required
@require_http_methods(["GET", "POST"])
def upload_file(request: HttpRequest) -> HttpResponse:
    """Upload a file to be checked; nothing is imported yet."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data["file"]
        try:
            if sent.size > export_and_import.MAX_FILE:
                raise Refusal(f"The file is {sent.size / 2**20:.1f} MB. The limit is {export_and_import.MAX_MB} MB.")
            import_uploads.store_upload(request.who.person, sent.name, sent.read())
        except Refusal as refusal:
            form.add_error("file", refusal.sentence)
        else:
            return redirect("campaign:import_preview")
    return render(request, "campaign/transfer/upload.html", {"form": form}, status=422 if form.is_bound else 200)


@person_required
@require_http_methods(["GET", "POST"])
def import_preview(request: HttpRequest) -> HttpResponse:
    """The preview of a file, and the import."""
    person = request.who.person
    pending = import_uploads.find_pending_import(person)
    if pending is None or pending.job is None:
        return redirect("campaign:upload_file")
    if not pending.is_looked_through:
        context = {"file": pending.row, "job": display_job(pending.job, request.who)}
        return render(
            request, "campaign/transfer/import_progress.html", context, status=409 if request.method == "POST" else 200
        )
    preview = pending.arrival()
    mine = [row.number for row in preview.people if row.name.casefold() == person.name.casefold()]
    masters = [row.number for row in preview.people if row.is_master]
    form = ImportForm(request.POST or None, people=preview.people, initial={"me": next(iter(mine + masters), "")})

    def write(data: Answers) -> HttpResponse:
        campaign = services.import_campaign(request.who, preview, key=data["key"], me=data["me"])
        import_uploads.delete_upload(person)
        return redirect(campaign)

    return form.submit(write) or form.show(
        request,
        "campaign/transfer/import_preview.html",
        file=pending.row,
        preview=preview,
        seasons=split_seasons(effective_entries(preview.entries)),
        more=pending.more,
    )


@require_POST
def archive_campaign(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_master(request.who, code)
    services.set_archived(campaign, request.POST.get("to") != "out")
    return redirect("campaign:export", code)


@require_http_methods(["GET", "POST"])
def delete_campaign(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_master(request.who, code)
    form = DeleteForm(request.POST or None)
    exported = services.was_exported(request, campaign)

    def delete(data: Answers) -> HttpResponse:
        services.delete_campaign(campaign, typed=data["name"], exported=exported)
        return redirect("campaign:index")

    template = "campaign/transfer/delete.html"
    return form.submit(delete) or form.show(request, template, campaign=campaign, exported=exported)
