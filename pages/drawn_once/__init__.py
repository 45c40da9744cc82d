"""Parts of pages that are drawn once for many viewers."""
