"""Photos by API. The body of the request that adds one is the picture itself."""

from __future__ import annotations

import io

from django.db.models import Model
from django.http import FileResponse, Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pages.api_parsers import FileParser, read_body
from photos import services
from photos.display import build_photos
from photos.file_headers import EMPTY, MAX_BYTES
from photos.permissions import get_visible_photo
from refusal import Refusal


class PhotoSerializer(serializers.Serializer):
    code = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    state = serializers.ChoiceField(
        ["preparing", "ready", "failed"], help_text="only whoever added a photo sees it before it is ready"
    )
    error = serializers.CharField(allow_blank=True, help_text="why it could not be read")
    width = serializers.IntegerField(help_text="0 until it is ready")
    height = serializers.IntegerField()
    is_reported = serializers.BooleanField()
    can_remove = serializers.BooleanField()
    can_report = serializers.BooleanField()
    can_keep = serializers.BooleanField()


class PhotoActSerializer(serializers.Serializer):
    act = serializers.ChoiceField(["report", "keep"])
    reason = serializers.CharField(max_length=1000, default="", allow_blank=True, help_text="for report")


class PhotosOf(APIView):
    """The photos of one thing. A view of the app above finds it with ``find_subject``."""

    parser_classes = (FileParser,)
    max_body = MAX_BYTES + 1024

    def find_subject(self, request: Request, **names: str) -> Model:
        raise NotImplementedError

    @extend_schema(responses=PhotoSerializer(many=True))
    def get(self, request: Request, **names: str) -> Response:
        """The photos of this play or battle."""
        shown = build_photos(self.find_subject(request, **names), request.who)
        return Response(PhotoSerializer(shown.rows, many=True).data)

    @extend_schema(
        parameters=[OpenApiParameter("key", str, required=True, description="a new key for each photo")],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: PhotoSerializer(many=True)},
    )
    def post(self, request: Request, **names: str) -> Response:
        """Add a photo: the body is the picture. A job draws it anew, without where and when it was taken."""
        subject = self.find_subject(request, **names)
        if not request.data:
            raise Refusal(EMPTY, field="photo")
        key = request.query_params.get("key", "")
        services.add_photo(subject, request.who, key=key, file=io.BytesIO(request.data))
        return Response(PhotoSerializer(build_photos(subject, request.who).rows, many=True).data, status=201)


class PhotoDetail(APIView):
    @extend_schema(
        parameters=[OpenApiParameter("small", bool, description="the small version")],
        responses={(200, "image/jpeg"): OpenApiTypes.BINARY},
        operation_id="photos_show",
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The picture, or its small version."""
        found = get_visible_photo(request.who, code)
        if not found.is_drawn:
            raise Refusal(found.error or "The photo is still being prepared. Try again in a moment.", status=409)
        path = found.small_path if request.query_params.get("small") == "true" else found.path
        try:
            return FileResponse(
                path.open("rb"), content_type="image/jpeg", headers={"Cache-Control": "private, no-cache"}
            )
        except FileNotFoundError:
            raise Http404 from None

    @extend_schema(request=PhotoActSerializer, responses={204: None}, operation_id="photos_act")
    def post(self, request: Request, code: str) -> Response:
        """Report a photo, which hides it until a host decides; or keep it after a report."""
        found = get_visible_photo(request.who, code)
        sent = read_body(PhotoActSerializer, request)
        if sent["act"] == "report":
            services.report_photo(found, request.who, reason=sent["reason"])
        else:
            services.keep_photo(found, request.who)
        return Response(status=204)

    @extend_schema(responses={204: None}, operation_id="photos_remove")
    def delete(self, request: Request, code: str) -> Response:
        """Delete a photo, pixels and all."""
        services.remove_photo(get_visible_photo(request.who, code), request.who)
        return Response(status=204)
