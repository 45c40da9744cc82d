"""The smallest possible requester: an account that is still active, or a stranger. Refusals as JSON."""

from dataclasses import dataclass
from typing import Any

from django.http import JsonResponse

from refusal import Refusal


@dataclass
class Who:
    user: Any
    passes: tuple = ()
    person: None = None

    @property
    def is_known(self) -> bool:
        return self.user is not None

    @property
    def ref(self) -> str:
        return f"person:{self.user.pk}" if self.user else "browser:none"


class WhoMiddleware:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        request.who = Who(request.user if request.user.is_authenticated else None)
        return self.get_response(request)

    def process_exception(self, request, error):
        if isinstance(error, Refusal):
            return JsonResponse({"refusal": error.sentence}, status=error.status)
        return None
