"""Security and cache headers: only our own files, no inline scripts or styles, no shared caching."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

CONTENT_SECURITY_POLICY = "; ".join(
    (
        # What a browser has no word of its own for: Firefox counts the file of symbols so.
        "default-src 'self'",
        "object-src 'none'",
        "media-src 'none'",
        "frame-src 'none'",
        "worker-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

# The site asks the browser for nothing but the screen.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "usb",
        "xr-spatial-tracking",
    )
)

# Pages differ by viewer, so only the browser caches them, and revalidates. Views can set their own header.
CACHE_CONTROL = "private, no-cache"


def transport_security() -> str:
    """Django sends this header only if it knows that the proxy spoke https. Browsers ignore it on plain http."""
    if not settings.SECURE_HSTS_SECONDS:
        return ""
    parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
    parts += ["includeSubDomains"] if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else []
    parts += ["preload"] if settings.SECURE_HSTS_PRELOAD else []
    return "; ".join(parts)


class SecurityHeadersMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.transport_security = transport_security()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # No view has an exception: what the policy forbids is forbidden everywhere.
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        response.headers.setdefault("Cache-Control", CACHE_CONTROL)
        if self.transport_security:
            response.headers.setdefault("Strict-Transport-Security", self.transport_security)
        return response
