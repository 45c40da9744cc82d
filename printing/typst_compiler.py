"""The press: Typst with our templates. One sheet at a time on a computer, whoever asks."""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from printing.setting import Setting
from refusal import Refusal

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE / "typst"
# Debian's fonts-droid-fallback, 4 MB: Chinese and Japanese where it is installed; else their code points in boxes.
FALLBACK = Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")
STANDARD = "ua-1"
PREVIEW, SMALL = 92.0, 54.0  # pixels to an inch


@cache
def release() -> str:
    """Says with what a sheet was made: other templates make another file of the same content."""
    import typst

    made = hashlib.sha256(typst.__version__.encode())
    for path in sorted(path for path in HERE.rglob("*") if path.suffix in (".typ", ".py")):
        made.update(path.name.encode() + path.read_bytes())
    made.update(b"fallback" if FALLBACK.is_file() else b"")
    return made.hexdigest()


@cache
def fonts() -> Any:
    """The compiler's own fonts and the one fallback, never whatever a system has: a sheet looks the same everywhere."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[FALLBACK.parent] if FALLBACK.is_file() else [])


@contextmanager
def turn() -> Iterator[None]:
    """One compile at a time on this computer. The lock is the kernel's: it falls with whoever held it."""
    with (settings.VAR / "press.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Press:
    """One sheet set in type, as PDF and as pictures of its pages; the second comes almost free."""

    def __init__(self, template: str, content: str, setting: Setting, **inputs: str) -> None:
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
            # One input: the compiler hashes several in no fixed order, and would then set a sheet it knows from the start.
            sys_inputs={"data": f'{{"how":{json.dumps({**self._how, "scripts": scripts})},{self._content[1:]}'},
        )

    def pdf(self) -> bytes:
        """With title, language and structure: a sheet that PDF/UA refuses is not handed out."""
        return self._guarded(format="pdf", pdf_standards=[STANDARD])[0]

    def pages(self, ppi: float = PREVIEW) -> list[bytes]:
        return self._guarded(format="png", ppi=ppi)

    def _guarded(self, **how: object) -> list[bytes]:
        try:
            made = self._compiler.compile(**how)
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A panic of the compiler is no Exception. Whatever it was, the person gets a sentence and the log the cause.
            cause = getattr(error, "diagnostic", "") or f"{type(error).__name__}: {error}"
            if self._scripts:  # a sign the fallback lacks after all: then all of them stand in boxes
                self._compiler = self._ready("")
                return self._guarded(**how)
            raise Spoiled(cause) from error
        return made if isinstance(made, list) else [made]


def pages_in(pdf: bytes) -> int:
    """How many pages it has: the root of its tree of pages says so."""
    return max(map(int, re.findall(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)", pdf)), default=1)


class Spoiled(Refusal):
    """The compiler could not set the sheet."""

    def __init__(self, cause: str) -> None:
        super().__init__(
            "The sheet could not be set in type. What stands in it is safe; the cause is in the site's log.", status=500
        )
        self.cause = cause
