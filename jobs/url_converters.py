"""The URL converter for jobs: the token that cannot be guessed, or the number in an address from before tokens."""

from __future__ import annotations

from django.urls import register_converter


class JobRefConverter:
    regex = "[A-Za-z0-9_-]{22}|[0-9]{1,18}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(JobRefConverter, "job")
