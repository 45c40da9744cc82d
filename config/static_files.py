"""Static files: compressed with brotli, and named by their content on a deployed site."""

from __future__ import annotations

from typing import Any

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Our own files are smaller. Those of the API's documentation are megabytes: the best quality took a minute for them.
LARGE = 80_000


def compress(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=10 if len(data) < LARGE else 5))


class QuickCompressor(Compressor):
    compress_brotli = staticmethod(compress)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    def create_compressor(self, **options: Any) -> Compressor:
        return QuickCompressor(**options)
