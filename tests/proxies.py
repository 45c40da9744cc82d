"""nginx and Caddy from Debian's packages, on the examples of deploy/ with other ports and certificates."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.services import ROOT, free_port, is_answering, skip_or_fail, stop_process, wait_for

PROXIES = ("nginx", "caddy")


@contextlib.contextmanager
def running_proxy(name: str, folder: Path, ports: dict[str, str]) -> Iterator[int]:
    """Its https port. ``ports`` says where the ports of the examples are here."""
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if program is None:
        skip_or_fail(name, name)
    if shutil.which("openssl") is None:
        skip_or_fail("openssl", "openssl")
    port = free_port()
    folder.mkdir()
    command = _nginx(program, folder, ports, port) if name == "nginx" else _caddy(program, folder, ports, port)
    with (folder / "output.txt").open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env={"HOME": str(folder)}, stdout=out, stderr=out)
    try:
        wait_for(lambda: process.poll() is not None or is_answering(port), 30, name)
        assert process.poll() is None, (folder / "output.txt").read_text()
        yield port
    finally:
        stop_process(process)


def _example(name: str, ports: dict[str, str]) -> str:
    text = (ROOT / "deploy" / name).read_text()
    return re.sub(r"127\.0\.0\.1:(\d+)", lambda found: f"127.0.0.1:{ports[found[1]]}", text)


def _nginx(program: str, folder: Path, ports: dict[str, str], port: int) -> list[str]:
    pem = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=mice.example.org", *pem]
    subprocess.run(words, check=True, capture_output=True)
    server = _example("nginx.conf", ports).replace("listen 443", f"listen 127.0.0.1:{port}")
    server = re.sub(r"(ssl_certificate) \S+;", rf"\1 {folder}/cert.pem;", server)
    server = re.sub(r"(ssl_certificate_key) \S+;", rf"\1 {folder}/key.pem;", server)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""
    # As in Debian's own nginx.conf.
    main = f"{user}daemon off;\npid {folder}/pid;\nworker_processes auto;\nevents {{ worker_connections 768; }}\n"
    (folder / "nginx.conf").write_text(f"{main}http {{\naccess_log off;\n{temporary}{server}}}\n")
    return [program, "-p", str(folder), "-e", str(folder / "error.txt"), "-c", str(folder / "nginx.conf")]


def _caddy(program: str, folder: Path, ports: dict[str, str], port: int) -> list[str]:
    site = _example("Caddyfile", ports)
    version = subprocess.run([program, "version"], capture_output=True, text=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:3])) > (2, 6, 2):
        # What the example says in its comments.
        site = re.sub(r"^\s*\w.*# from Caddy \S+ on: (.*)$", r"\1", site, flags=re.MULTILINE)
    here = f"admin off\nlocal_certs\nskip_install_trust\nhttps_port {port}\nauto_https disable_redirects\n"
    here += f"default_bind 127.0.0.1\nstorage file_system {folder}/storage\n"
    options, result, rest = site.partition("{\n")  # the example begins with its options
    assert (result, options) == ("{\n", "")
    (folder / "Caddyfile").write_text(result + here + rest)
    return [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
