"""Clients that others generate from the API's schema: without a warning, and with types that say something."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from tests.services import ROOT, skip_or_fail

NPM_PACKAGES = ("openapi-typescript@7", "typescript@5")
# What a program can rely on: the kinds of an answer can be told apart, and a body that lacks its key is noticed.
USE = """
import type { components, paths } from "./companion"

type Acts = paths["/api/v1/campaigns/{code}/acts/"]["post"]
type Sent = Acts["requestBody"]["content"]["application/json"]
type Written = Acts["responses"]["201"]["content"]["application/json"]

export const note: Sent = { key: "a-first-note", act: "note", body: { text: "It rained." } }
// @ts-expect-error a key is missing
export const wrong: Sent = { act: "note", body: { text: "It rained." } }

export function points(written: Written): number {
  let sum = 0
  for (const effect of written.effects ?? []) if (effect.do === "vp") sum += effect.by ?? 0
  return sum
}
export function branch(problem: components["schemas"]["Problem"]): string {
  return problem.type === "changed" ? "look again" : problem.detail
}
"""


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("schema") / "schema.json"
    path.write_bytes(Client().get("/api/schema/", headers={"Accept": "application/json"}).content)
    return path


def run(*words: str | Path, cwd: Path) -> str:
    # The generator looks for a linter to tidy its own output, which says nothing about the schema.
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"[-6000:]
    return done.stdout + done.stderr


def test_python_client_has_a_type_for_everything(schema, tmp_path):
    config = ROOT / "docs" / "openapi-python-client.yml"
    generate = (sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning")
    said = run(*generate, "--path", schema, "--config", config, "--output-path", "client", cwd=tmp_path)
    assert "warning" not in said.lower()
    assert said.splitlines() == ["Generating client"]
    (package,) = (path.parent for path in (tmp_path / "client").glob("*/client.py"))
    code = f"""
import importlib, pkgutil, typing
import {package.name} as package
for module in pkgutil.walk_packages(package.__path__, "{package.name}."):
    importlib.import_module(module.name)
from {package.name}.api.campaigns import campaigns_act
from {package.name} import models
answers = typing.get_args(typing.get_type_hints(campaigns_act.sync)["return"])
assert {{models.EntryAnswer, models.ActPreview, models.Problem}} <= set(answers), answers
answer = models.EntryAnswer.from_dict({{"entry": 3, "effects": [{{"do": "vp", "kingdom": "k1", "by": 2}}]}})
assert type(answer.effects[0]) is models.EffectVp, answer
"""
    run(sys.executable, "-c", code, cwd=package.parent)


def test_typescript_client_has_a_type_for_everything(schema, tmp_path):
    if shutil.which("npm") is None:
        skip_or_fail("npm", "npm")
    install = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", tmp_path, *NPM_PACKAGES)
    try:
        subprocess.run(install, timeout=300, check=True)
    except subprocess.SubprocessError:
        pytest.skip(f"npm cannot fetch {NPM_PACKAGES[0]}")  # the network is nothing that a machine can install
    programs = tmp_path / "node_modules" / ".bin"
    said = run(programs / "openapi-typescript", schema, "-o", tmp_path / "companion.ts", cwd=tmp_path)
    assert "⚠" not in said
    assert "warn" not in said.lower()
    (tmp_path / "use.ts").write_text(USE)
    run(programs / "tsc", "--noEmit", "--strict", "companion.ts", "use.ts", cwd=tmp_path)
