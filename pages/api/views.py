"""The API's schema. Working it out takes a second, and it is the same for everyone while a process runs."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

kept_schemas: dict[str, tuple[bytes, dict[str, str]]] = {}


class SchemaView(SpectacularAPIView):
    @extend_schema(exclude=True)  # it does not describe itself
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        kind = request.accepted_renderer.media_type
        if set(request.GET) - {"format"} or request.accepted_media_type != kind:  # a version, or a width of indents
            return self._work_out(request, *args, **kwargs)
        if kind not in kept_schemas:
            made = self.finalize_response(request, self._work_out(request, *args, **kwargs), *args, **kwargs).render()
            headers = {name: made.headers[name] for name in ("Content-Type", "Content-Disposition")}
            kept_schemas[kind] = made.content, headers
        content, headers = kept_schemas[kind]
        return HttpResponse(content, headers=headers)

    def _work_out(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        return super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
