"""Import plays with a preview, and export them."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_http_methods, require_safe

from gamenights.transfer import exports, services
from gamenights.transfer.models import PlaysUpload
from gamenights.transfer.preview import build_doubtful, read_preview
from groups.selectors import get_group_as_member, get_visible_group
from jobs.display import display_job
from jobs.models import State
from jobs.permissions import get_job_with_result
from log.services import new_key
from pages.request_middleware import accept_bodies_up_to
from people.login_required import person_required
from refusal import Refusal


class UploadForm(forms.Form):
    file = forms.FileField(
        label="File",
        help_text="BG Stats (.json), BoardGameGeek (.xml) or a table (.csv), up to 20 MB. Nothing is imported yet.",
        widget=forms.FileInput(attrs={"accept": ".json,.bgsplay,.xml,.csv,.txt"}),
        error_messages={"empty": "The file is empty.", "required": "Choose a file."},
    )


@accept_bodies_up_to(services.MAX_BODY)
@person_required
@require_http_methods(["GET", "POST"])
def upload_file(request: HttpRequest, code: str) -> HttpResponse:
    """Upload a file to be checked; nothing is imported yet."""
    group = get_group_as_member(request.who, code)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data["file"]
        try:
            services.store_upload(group, request.who.person, sent.name, sent.read())
        except Refusal as refusal:
            form.add_error("file", refusal.sentence)
        else:
            return redirect("gamenights:import_preview", code)
    context = {"group": group, "form": form}
    return render(request, "gamenights/transfer/upload.html", context, status=422 if form.is_bound else 200)


@person_required
@require_http_methods(["GET", "POST"])
def import_preview(request: HttpRequest, code: str) -> HttpResponse:
    """What a file would add, who is doubtful, and what is left out; then the import."""
    group = get_group_as_member(request.who, code)
    ordered = services.find_order(group, request.who, request.POST.get("key", "")) if request.method == "POST" else None
    pending = services.find_pending(group, request.who.person)
    if job := ordered or (pending and pending.import_job):
        return redirect("gamenights:import_progress", job.token)
    if pending is None or pending.job is None:
        return redirect("gamenights:import_plays", code)
    context = {"group": group, "file": pending}
    if not pending.is_checked:
        context["job"] = display_job(pending.job, request.who)
        status = 409 if request.method == "POST" else 200
        return render(request, "gamenights/transfer/progress.html", context, status=status)
    errors: dict[str, str] = {}
    if request.method == "POST":
        answers = {name: value for name, value in request.POST.items() if name.startswith("person-")}
        try:
            job = services.order_import(
                group, request.who, key=request.POST.get("key", ""), upload=pending, answers=answers
            )
        except Refusal as refusal:
            if not (refusal.field or "").startswith("person-"):
                raise
            errors[refusal.field or ""] = refusal.sentence
        else:
            return redirect("gamenights:import_progress", job.token)
    preview = read_preview(pending)
    context |= {
        "preview": preview,
        "more": preview.left_out - len(preview.left_out_rows),
        "doubtful": build_doubtful(preview),
        "answers": request.POST,
        "errors": errors,
        "key": new_key(),
    }
    return render(request, "gamenights/transfer/preview.html", context, status=422 if errors else 200)


@person_required
@require_safe
def import_progress(request: HttpRequest, ref: str) -> HttpResponse:
    """How far the import is; once it is done, the group with its new plays."""
    job = get_job_with_result(request.who, ref, services.IMPORT_JOB)
    group = get_visible_group(request.who, job.args["group"])
    if job.state == State.DONE:
        plays = job.result["plays"]
        messages.success(request, f"{plays} play{pluralize(plays)} imported.")
        if request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Redirect": group.get_absolute_url()})
        return redirect(group)
    row = PlaysUpload.objects.defer("packed").filter(import_job=job).first()
    context = {"group": group, "file": row, "job": display_job(job, request.who)}
    return render(request, "gamenights/transfer/import_progress.html", context)


@require_safe
def export_plays(request: HttpRequest, code: str, form: str) -> HttpResponseBase:
    return exports.export_response(get_group_as_member(request.who, code), form)
