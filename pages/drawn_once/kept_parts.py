"""Parts of pages that were drawn once, kept by the values they were drawn from.

A part whose first element has an id gets the digest of its text as ``data-drawn``. A page that has it already says so,
and is sent an empty element with ``data-left-out`` instead (``live.left_out``).
"""

from __future__ import annotations

import re
import threading
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from hashlib import blake2b

from django.utils.safestring import SafeString, mark_safe

MOST_CHARACTERS = 16_000_000  # in one process
SHORT = 600  # characters: leaving out less than this would save nothing

_ROOT = re.compile(r'\s*<(\w+)(?=[^>]*?\sid="([^"]+)")')

_lock = threading.Lock()
_parts: OrderedDict[Hashable, Part] = OrderedDict()
_by_digest: dict[str, Part] = {}
_size = 0


@dataclass(frozen=True, slots=True)
class Part:
    text: SafeString
    digest: str = ""
    stub: str = ""


def get_or_draw(key: Hashable, draw: Callable[[], str], *, can_be_left_out: bool) -> SafeString:
    """The part that is kept under this key, or a new one."""
    with _lock:
        if (kept := _parts.get(key)) is not None:
            _parts.move_to_end(key)
            return kept.text
    text = draw()
    part = _named(text) if can_be_left_out else Part(mark_safe(text))
    _keep(key, part)
    return part.text


def leave_out(html: str, digests: Iterable[str]) -> str:
    """The page or part without what its viewer has already."""
    with _lock:
        found = [part for digest in digests if (part := _by_digest.get(digest)) is not None]
    for part in sorted(found, key=lambda part: -len(part.text)):  # a part can hold others
        html = html.replace(part.text, part.stub, 1)
    return html


def forget_all() -> None:
    global _size
    with _lock:
        _parts.clear()
        _by_digest.clear()
        _size = 0


def _named(text: str) -> Part:
    root = _ROOT.match(text) if len(text) >= SHORT else None
    if root is None:
        return Part(mark_safe(text))
    tag, name = root.groups()
    digest = urlsafe_b64encode(blake2b(text.encode(), digest_size=6).digest()).decode()
    named = f'{text[: root.end()]} data-drawn="{digest}"{text[root.end() :]}'
    return Part(mark_safe(named), digest, f'<{tag} id="{name}" data-left-out="{digest}"></{tag}>')


def _keep(key: Hashable, part: Part) -> None:
    global _size
    with _lock:
        if key in _parts:
            return
        _parts[key] = part
        _size += len(part.text)
        if part.digest:
            _by_digest[part.digest] = part
        while _size > MOST_CHARACTERS:
            _, oldest = _parts.popitem(last=False)
            _size -= len(oldest.text)
            _by_digest.pop(oldest.digest, None)
