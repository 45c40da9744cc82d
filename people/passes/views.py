"""Links: opening one (redirect to an address without the token, ask before anything happens), and those you made."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.refusal_handling import add_refusal_to_form
from pages.site_address_for_guests import guest_url
from people.accounts import log_ins, services as accounts_services
from people.forms import NameForm
from people.login_required import person_page, person_required
from people.models import Pass, PersonalLink
from people.passes import services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal

LINK_KEY = "personal_link"


def _render_dead_link(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    return render(request, "people/passes/dead_link.html", {"sentence": sentence}, status=status)


# ── Personal links ───────────────────────────────────────────────────────────────────────────────────────


@never_cache
@require_safe
def open_personal_link(request: HttpRequest, token: str) -> HttpResponse:
    link = services.find_by_token(request, PersonalLink, token)
    if link is None:
        return _render_dead_link(request, services.NO_SUCH_PERSONAL_LINK, 404)
    request.session[LINK_KEY] = link.pk
    return redirect("people:confirm_personal_link")


@never_cache
@require_http_methods(["GET", "POST"])
def confirm_personal_link(request: HttpRequest) -> HttpResponse:
    """Ask "Continue as Wren?" before logging in."""
    offered = request.session.get(LINK_KEY)
    link = (
        PersonalLink.objects.filter(pk=offered or 0)
        .select_related("person__merged_into", "made_by__merged_into")
        .first()
    )
    if link is None:
        if request.who.is_known:
            return redirect("/")
        return _render_dead_link(
            request, "Open your personal link again. If it still does not work, it has been replaced.", 404
        )
    person = link.person.root
    if refusal := services.personal_link_refusal(link):
        return _render_dead_link(request, refusal.sentence, refusal.status)
    if request.method == "POST":
        if request.who.person != person:
            log_ins.log_in_by_link(request, link)
        request.session.pop(LINK_KEY, None)
        return redirect("/")
    return render(request, "people/passes/confirm_personal_link.html", {"person": person})


# ── Passes ───────────────────────────────────────────────────────────────────────────────────────────────


@never_cache
@require_safe
def open_pass(request: HttpRequest, token: str) -> HttpResponse:
    row = services.find_by_token(request, Pass, token)
    if row is None:
        return _render_dead_link(request, services.NO_SUCH_LINK, 404)
    services.offer_pass(request, row)
    return redirect("people:accept_pass", row.pk)


def _get_offer(request: HttpRequest, pk: int) -> tuple[Pass, services.PassKind, services.PassPrompt]:
    """The pass opened in this browser, if it still works."""
    row = services.find_offer(request, pk)
    if row is None:
        raise Http404
    return row, *services.require_open(row, request.who)


@never_cache
@require_http_methods(["GET", "POST"])
def accept_pass(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what the pass is for, and accept it."""
    try:
        row, kind, prompt = _get_offer(request, pk)
        if kind.page:
            return kind.page(request, row)
        if request.method == "POST":
            if kind.needs_person and not request.who.is_known:
                raise Refusal("Log in or enter your name first.", status=403)
            return redirect(services.accept_pass(request, row))
    except Refusal as refusal:
        if refusal.status != 410:
            raise
        return _render_dead_link(request, refusal.sentence, 410)
    return _render_prompt(request, row, kind, prompt, NameForm())


@never_cache
@require_POST
def accept_pass_by_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept a pass with just a name: creates a guest with a personal link."""
    try:
        row, kind, prompt = _get_offer(request, pk)
        if not kind.needs_person or request.who.is_known:
            raise Http404
        form = NameForm(request.POST)
        if form.is_valid():
            try:
                services.check_newcomer(request, row, kind, form.cleaned_data["name"])
            except Refusal as refusal:
                add_refusal_to_form(form, refusal)
                return _render_prompt(request, row, kind, prompt, form, refusal.status)
            to = services.accept_by_name(request, row, form.cleaned_data["name"])
            messages.success(request, "Your personal link is on your page. Use it to log in again.")
            return redirect(to)
    except Refusal as refusal:
        if refusal.status != 410:
            raise
        return _render_dead_link(request, refusal.sentence, 410)
    return _render_prompt(request, row, kind, prompt, form, 422)


def _render_prompt(
    request: HttpRequest,
    row: Pass,
    kind: services.PassKind,
    prompt: services.PassPrompt,
    form: NameForm,
    status: int = 200,
) -> HttpResponse:
    context = {
        "pass": row,
        "kind": kind,
        "prompt": prompt,
        "form": form,
        "maker": row.made_by and row.made_by.root,
        "newcomer": kind.needs_person and not request.who.is_known,
        "can_sign_up": accounts_services.is_sign_up("open")
        or (kind.invites and accounts_services.is_sign_up("invite")),
    }
    return render(request, "people/passes/accept.html", context, status=status)


# ── Links you made ───────────────────────────────────────────────────────────────────────────────────────


@person_page
def list_invitations(request: HttpRequest) -> HttpResponse:
    """Every link you have made, and whether it is still open."""
    if request.method == "POST":
        return redirect(
            "people:show_pass",
            sign_up_claim_and_reset_links.create_invitation(request.who, request.POST.get("label", "")[:200]).pk,
        )
    made = [(row, services.state_of(row)) for row in Pass.objects.made_by_person(request.who)[:200]]
    titled = [(row, state, kind.title) for row, state in made if (kind := services.kind_of(row))]
    context = {
        "open": [row for row in titled if row[1] == "open"],
        "past": [row for row in titled if row[1] != "open"][:50],
        "can_invite": request.who.user is not None and sign_up_claim_and_reset_links.can_invite(request.who),
    }
    return render(request, "people/passes/invitations.html", context)


@never_cache
@person_required
@require_safe
def show_pass(request: HttpRequest, pk: int) -> HttpResponse:
    """One link with its QR code."""
    row = get_object_or_404(Pass.objects.made_by_person(request.who), pk=pk)
    kind = services.kind_of(row)
    state = services.state_of(row)
    prompt = kind.prompt(row, Who.of(None)) if kind else None  # as a stranger sees it
    address = guest_url(row.get_absolute_url()) if state == "open" and row.token else None
    context = {"pass": row, "kind": kind, "state": state, "prompt": prompt, "address": address}
    return render(request, "people/passes/show.html", context)


@require_POST
@person_required
def revoke_pass(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Pass.objects.made_by_person(request.who), pk=pk)
    services.revoke_pass(row)
    messages.success(request, "Link revoked.")
    return redirect("people:invitations")
