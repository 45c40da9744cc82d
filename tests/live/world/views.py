"""The world's pages: they do what the campaign's do, and fail on request."""

from django.contrib.auth import authenticate, login, logout
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt

from live.shared_parts import add_etag, not_modified_response
from log import services as log_services
from log.models import Log
from refusal import Refusal

_stumbled: set[str] = set()


def healthz(request):
    return HttpResponse("ok")


@csrf_exempt
def log_in(request):
    if request.method == "POST":
        user = authenticate(username=request.POST["name"], password="cheese-and-thyme")
        assert user
        login(request, user)
    return render(request, "world/elsewhere.html", {})


@csrf_exempt
def log_out(request):
    logout(request)
    return render(request, "world/elsewhere.html", {})


def _log(request, log_id):
    if not request.who.user:
        raise Http404
    return Log.objects.get(pk=log_id)


def _context(log):
    return {"log": log, "lines": list(log.entries.order_by("-number")[:500]), "key": log_services.new_key()}


def page(request, log_id):
    return render(request, "world/page.html", _context(_log(request, log_id)))


def elsewhere(request, log_id):
    return render(request, "world/elsewhere.html", {"log": _log(request, log_id)})


def lines(request, log_id):
    log = _log(request, log_id)
    if answer := not_modified_response(request, log.version):
        return answer
    return add_etag(request, render(request, "world/_lines.html", _context(log)))


def write(request, log_id):
    log = _log(request, log_id)
    text = request.POST.get("text", "")
    if text == "refuse me":
        raise Refusal("The ink has run out.", status=422)
    if text == "only once" and log.entries.filter(body__text=text).exists():
        raise Refusal("It is written already.", status=409)
    if text == "stumble once" and request.POST["key"] not in _stumbled:
        _stumbled.add(request.POST["key"])
        raise RuntimeError("stumbled")
    if text == "always stumble":
        raise RuntimeError("stumbled again")

    def act(writer):
        return {"entry": writer.append("note", actor=None, body={"text": text}).number}

    log_services.write(log.pk, who=request.who.ref, key=request.POST.get("key", ""), body={"text": text}, act=act)
    if request.headers.get("X-Outbox"):
        return render(request, "world/_lines.html", _context(_log(request, log_id)))
    return redirect("page", log.pk)


def go(request, log_id):
    write(request, log_id)
    if request.headers.get("X-Outbox"):
        return HttpResponse(headers={"HX-Redirect": f"/{log_id}/elsewhere/"})
    return redirect("elsewhere", log_id)
