"""Make .venv and install a lock file: python3 bootstrap.py [run|dev]. Anything missing is explained in one sentence.

The syntax suits old Pythons too, so that they can tell you they are too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
LOCKS = {"run": "requirements.txt", "dev": "requirements-dev.txt"}


def stop(sentence):
    sys.stderr.write(sentence + "\n")
    sys.exit(1)


def main(purpose):
    check_python()
    stamp = os.path.join(VENV, "installed-" + purpose)
    wanted = fingerprint(purpose)
    if read(stamp) == wanted or (purpose == "run" and read(os.path.join(VENV, "installed-dev")) == fingerprint("dev")):
        return
    if not os.access(HERE, os.W_OK):
        stop("You cannot write to this folder. Move the project to a folder of your own, then try again.")
    if read(os.path.join(VENV, "python")) != python_version():
        make_venv()
    install(os.path.join(HERE, LOCKS[purpose]))
    for name in LOCKS:
        other = os.path.join(VENV, "installed-" + name)
        if os.path.exists(other):
            os.remove(other)
    write(stamp, wanted)


def check_python():
    if sys.version_info[:2] < OLDEST:
        stop(
            "Python %d.%d is too old. Install Python 3.11 or newer (sudo apt install python3), "
            "or choose another one: make run PYTHON=python3.12" % sys.version_info[:2]
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        stop(
            "Python's venv module is missing. Install it (sudo apt install python%d.%d-venv), then try again."
            % sys.version_info[:2]
        )


def make_venv():
    say("Creating .venv with Python " + python_version())
    if os.path.isdir(VENV):
        shutil.rmtree(VENV)
    if subprocess.call([sys.executable, "-m", "venv", VENV]):
        stop("Could not create .venv. The lines above say why.")
    write(os.path.join(VENV, "python"), python_version())


def install(lock):
    """Use uv if it can be installed, because it takes seconds; otherwise use pip."""
    python = os.path.join(VENV, "bin", "python")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    say("Installing packages (about a minute the first time)")
    uv = os.path.join(VENV, "bin", "uv")
    if os.path.exists(uv) or subprocess.call(pip + ["uv"], **quiet) == 0:
        if (
            subprocess.call(
                [
                    uv,
                    "pip",
                    "install",
                    "--quiet",
                    "--compile-bytecode",
                    "--python",
                    python,
                    "--require-hashes",
                    "-r",
                    lock,
                ]
            )
            == 0
        ):
            return
        say("uv could not install everything. Trying pip.")
    if subprocess.call(pip + ["--require-hashes", "-r", lock]):
        stop("Could not install everything. The lines above say why. The first time, you need a network connection.")


def fingerprint(purpose):
    with open(os.path.join(HERE, LOCKS[purpose]), "rb") as lock:
        return hashlib.sha256(lock.read() + python_version().encode()).hexdigest()


def python_version():
    return "%d.%d" % sys.version_info[:2]


def read(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return ""


def write(path, text):
    with open(path, "w") as file:
        file.write(text + "\n")


def say(sentence):
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "run")
