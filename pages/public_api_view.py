"""Base view for public API endpoints: it ignores log-ins, so the response is the same for everyone."""

from __future__ import annotations

from rest_framework.views import APIView


class PublicAPIView(APIView):
    authentication_classes: tuple[type, ...] = ()
    permission_classes: tuple[type, ...] = ()
