"""What every answer gets: headers for security and caches, symbols by their file, and less to send.

Only our own files, no inline scripts or styles, no shared caching.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.templatetags.static import static
from django.utils.cache import patch_vary_headers
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

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
FEATURES = (
    "accelerometer autoplay camera display-capture encrypted-media geolocation gyroscope magnetometer microphone midi "
    "payment publickey-credentials-get usb xr-spatial-tracking"
)
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in FEATURES.split())

# Pages differ by viewer, so only the browser caches them, and revalidates. Views can set their own header.
CACHE_CONTROL = "private, no-cache"


class Middleware:
    """``process_request`` looks at a request before everything further in, ``process_response`` at the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        self.process_request(request)
        return self.process_response(request, self.get_response(request))

    def process_request(self, request: HttpRequest) -> None:
        """Nothing by itself."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        return response


def transport_security() -> str:
    """Django sends this header only if it knows that the proxy spoke https. Browsers ignore it on plain http."""
    if not settings.SECURE_HSTS_SECONDS:
        return ""
    parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
    parts += ["includeSubDomains"] if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else []
    parts += ["preload"] if settings.SECURE_HSTS_PRELOAD else []
    return "; ".join(parts)


class SecurityHeadersMiddleware(Middleware):
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.transport_security = transport_security()

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        # No view has an exception: what the policy forbids is forbidden everywhere.
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        response.headers.setdefault("Cache-Control", CACHE_CONTROL)
        if self.transport_security:
            response.headers.setdefault("Strict-Transport-Security", self.transport_security)
        return response


# ── ``Link: preload`` for the stylesheets of every page: a browser asks for them at once ─────────────────


ON_EVERY_PAGE = ("css/tokens.css", "css/components.css")
HEAD = 4_000  # bytes in which a page links them


@cache
def _addresses() -> tuple[str, ...]:
    return tuple(static(name) for name in ON_EVERY_PAGE)


class PreloadLinksMiddleware(Middleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        # The documentation of the API has stylesheets of its own.
        used = [address for address in _addresses() if f'href="{address}"'.encode() in response.content[:HEAD]]
        if used:
            response.headers["Link"] = ", ".join(f"<{address}>; rel=preload; as=style" for address in used)
        return response


# ── Icons point at the file of symbols, which a browser keeps, instead of being in every page ────────────
# Drawings are made by code that knows nothing of addresses: they say ``#c-mouse``. The address of the file, with its
# hash, is put before that here, in whole pages and in live parts alike. A page that stands alone carries
# its own.


MARK = b'href="#c-'
STANDS_ALONE = b'<symbol id="c-'


@cache
def _address() -> bytes:
    return f'href="{static("img/symbols.svg")}#c-'.encode()


class SymbolFileMiddleware(Middleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        body = response.content
        if MARK in body and STANDS_ALONE not in body:
            response.content = body.replace(MARK, _address())
            if "Content-Length" in response.headers:  # Django has counted already
                response.headers["Content-Length"] = str(len(response.content))
        return response


# ── Compress answers that are text. Pages repeat themselves, and wifi in a cellar is slow ────────────────


# Pictures, prints and backups are compressed already. An event stream must leave the server line by line.
COMPRESSED_TYPES = (
    "text/html",
    "text/plain",
    "text/csv",
    "text/calendar",
    "application/json",
    "application/vnd.oai.openapi",
    "application/atom+xml",
    "application/xml",
    "image/svg+xml",
)


class CompressionMiddleware(GZipMiddleware):
    """gzip with random padding, so that the length of an answer does not betray a secret inside it (BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(COMPRESSED_TYPES):
            return response
        return super().process_response(request, response)


# ── Stylesheets and scripts: compressed with brotli, on a deployed site once and for all, at home here ───


# Our own files are smaller. Those of the API's documentation are megabytes: the best quality took a minute for them.
LARGE = 80_000


def compress(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=10 if len(data) < LARGE else 5))


class QuickCompressor(Compressor):
    compress_brotli = staticmethod(compress)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Of a deployed site: files are named by their content."""

    def create_compressor(self, **options: Any) -> Compressor:
        return QuickCompressor(**options)


COMPRESSED = (".css", ".js", ".svg")


@lru_cache(maxsize=256)
def _compress(path: str, modified: str, body: bytes) -> bytes:
    return compress(body)


class StaticCompressionMiddleware(Middleware):
    """In production WhiteNoise has files that were compressed once and for all."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        path = request.path_info
        if not (settings.AT_HOME and path.startswith(settings.STATIC_URL) and path.endswith(COMPRESSED)):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if (
            response.status_code != 200
            or request.method != "GET"
            or "br" not in request.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
        ):
            return response
        body = b"".join(response.streaming_content) if response.streaming else response.content
        made = HttpResponse(_compress(path, response.headers.get("Last-Modified", ""), body))
        for name, value in response.headers.items():
            if name not in ("Content-Length", "ETag"):
                made.headers[name] = value
        made.headers["Content-Encoding"] = "br"
        made.headers["Content-Length"] = str(len(made.content))
        response.close()
        return made
