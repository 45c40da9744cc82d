"""Compiles sheets with Typst, one at a time per machine."""

import fcntl
import hashlib
import importlib.metadata
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from printing.sheet_registry import PaperSetting
from refusal import Refusal

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE / "typst"
# Debian's fonts-droid-fallback, 4 MB: Chinese and Japanese if installed; otherwise code points in boxes.
FALLBACK = Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")
STANDARD = "ua-1"
PREVIEW, SMALL = 92.0, 54.0  # pixels per inch


@cache
def compiler_version() -> str:
    """A hash of Typst, templates and code: a change makes new files."""

    made = hashlib.sha256(importlib.metadata.version("typst").encode())
    for path in sorted(path for path in HERE.rglob("*") if path.suffix in (".typ", ".py")):
        made.update(path.name.encode() + path.read_bytes())
    made.update(b"fallback" if FALLBACK.is_file() else b"")
    return made.hexdigest()


@cache
def fonts() -> Any:
    """Only Typst's own fonts and the fallback, so that a sheet looks the same everywhere."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[FALLBACK.parent] if FALLBACK.is_file() else [])


@contextmanager
def compile_lock() -> Iterator[None]:
    """One compile at a time on this machine. The kernel frees the lock if the process dies."""
    with (settings.VAR / "press.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class SheetCompiler:
    """One sheet, compiled to PDF and to page images; the second is almost free."""

    def __init__(self, template: str, content: str, setting: PaperSetting, **inputs: str) -> None:
        self._template = template
        self._content = content
        self._how = {**setting.inputs(), **inputs}
        self._compiler = self._ready("cjk" if FALLBACK.is_file() else "")

    def _ready(self, scripts: str) -> Any:
        import typst

        self._scripts = scripts
        return typst.Compiler(
            str(TEMPLATES / self._template),
            root=str(TEMPLATES),
            font_paths=fonts(),
            # One input: several are hashed in random order, which defeats the compiler's cache.
            sys_inputs={"data": f'{{"how":{json.dumps({**self._how, "scripts": scripts})},{self._content[1:]}'},
        )

    def pdf(self) -> bytes:
        """An accessible PDF (PDF/UA), or an error."""
        return self._guarded(format="pdf", pdf_standards=[STANDARD])[0]

    def pages(self, ppi: float = PREVIEW) -> list[bytes]:
        return self._guarded(format="png", ppi=ppi)

    def _guarded(self, **how: object) -> list[bytes]:
        try:
            made = self._compiler.compile(**how)
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A compiler panic is not an Exception. The log gets the cause.
            cause = getattr(error, "diagnostic", "") or f"{type(error).__name__}: {error}"
            if self._scripts:  # a glyph is missing: use boxes for all of them
                self._compiler = self._ready("")
                return self._guarded(**how)
            raise CompileError(cause) from error
        return made if isinstance(made, list) else [made]


def count_pages(pdf: bytes) -> int:
    """The page count, from the root of the page tree."""
    return max(map(int, re.findall(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)", pdf)), default=1)


class CompileError(Refusal):
    """Typst could not compile the sheet."""

    def __init__(self, cause: str) -> None:
        super().__init__("The sheet could not be made. Your data is safe; the server log has the details.", status=500)
        self.cause = cause
