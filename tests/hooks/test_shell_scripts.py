import os
import shutil
import subprocess

import pytest

SCRIPTS = ["pre-commit", "pre-merge-commit", "pre-push", "install", "uninstall"]


@pytest.mark.parametrize("name", [*SCRIPTS, "hooks.sh"])
def test_every_shell_here_can_parse_it(pytestconfig, name):
    for shell in filter(shutil.which, ("sh", "dash", "bash", "busybox")):
        words = [shell, "sh", "-n"] if shell == "busybox" else [shell, "-n"]
        done = subprocess.run(
            [*words, pytestconfig.rootpath / "hooks" / name], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), shell


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_can_be_run_and_asks_for_a_plain_shell(pytestconfig, name):
    script = pytestconfig.rootpath / "hooks" / name
    assert script.read_bytes().startswith(b"#!/bin/sh\n")
    assert b"\r" not in script.read_bytes()
    assert os.access(script, os.X_OK)
