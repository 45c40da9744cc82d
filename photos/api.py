"""Photos by API. The body of the request that adds one is the picture itself."""

import io
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from django.db.models import Model
from django.http import FileResponse, Http404, HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Text
from pages.api.operations import Query, SentAgain, SentFileOnce, operation
from pages.api.parsers_and_renderers import FileParser
from photos import services
from photos.display import PhotoRow, build_photos
from photos.permissions import get_visible_photo
from photos.pictures import EMPTY, MAX_BYTES
from refusal import Refusal


@dataclass(frozen=True)
class ActOnPhoto:
    act: Literal["report", "keep"]
    reason: Annotated[str, Text("The reason", 1000, empty=True), "for report"] = ""


@dataclass(frozen=True)
class ShowPhoto:
    small: Annotated[bool, "the small version"] = False


class PhotosOf(APIView):
    """The photos of one thing. A view of the app above finds it with ``find_subject``; ``part`` begins the names of its
    operations.
    """

    part: ClassVar[str]
    parser_classes = (FileParser,)
    max_body = MAX_BYTES + 1024

    def find_subject(self, request: Request, **names: str) -> Model:
        raise NotImplementedError

    @operation("{part}_photos")
    def get(self, request: Request, **names: str) -> tuple[PhotoRow, ...]:
        """The photos of this play or battle."""
        return build_photos(self.find_subject(request, **names), request.who).rows

    @operation("{part}_photo_add", status=201)
    def post(self, request: Request, sent: SentFileOnce, **names: str) -> tuple[PhotoRow, ...]:
        """Add a photo: the body is the picture. A job draws it anew, without where and when it was taken."""
        subject = self.find_subject(request, **names)
        if not sent.value:
            raise Refusal(EMPTY, field="photo")
        services.add_photo(subject, request.who, key=sent.key, file=io.BytesIO(sent.value))
        return build_photos(subject, request.who).rows


class PhotoDetail(APIView):
    @operation("photos_show", file="image/jpeg")
    def get(self, request: Request, code: str, query: Query[ShowPhoto]) -> HttpResponseBase:
        """The picture, or its small version."""
        photo = get_visible_photo(request.who, code)
        if not photo.is_drawn:
            raise Refusal(photo.error or "The photo is still being prepared. Try again in a moment.", status=409)
        path = photo.small_path if query.value.small else photo.path
        try:
            return FileResponse(
                path.open("rb"), content_type="image/jpeg", headers={"Cache-Control": "private, no-cache"}
            )
        except FileNotFoundError:
            raise Http404 from None

    @operation("photos_act")
    def post(self, request: Request, code: str, sent: SentAgain[ActOnPhoto]) -> None:
        """Report a photo, which hides it until a host decides; or keep it after a report."""
        photo = get_visible_photo(request.who, code)
        if sent.value.act == "report":
            services.report_photo(photo, request.who, reason=sent.value.reason)
        else:
            services.keep_photo(photo, request.who)

    @operation("photos_remove")
    def delete(self, request: Request, code: str) -> None:
        """Delete a photo, pixels and all."""
        services.remove_photo(get_visible_photo(request.who, code), request.who)
