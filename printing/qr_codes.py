"""QR codes as rows of 0 and 1, for the templates to draw."""

from __future__ import annotations

import segno


def qr_matrix(text: str) -> list[str]:
    return ["".join("1" if dark else "0" for dark in row) for row in segno.make(text, error="m", micro=False).matrix]
