"""Emacs with eglot, without a screen, shows a finding. Its packages are those of the system (`emacs-nox`, `elpa-eglot`)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from recall_lint.cli.main import main; main()"
SETTINGS = Path(__file__).resolve().parents[3] / "docs" / "editors" / "emacs.el"

SCRIPT = """
(define-derived-mode markdown-mode text-mode "Markdown")
(setq eglot-sync-connect 30 recall-command (list (getenv "RECALL_PYTHON") "-c" (getenv "RECALL_PROGRAM") "server"))
(load (getenv "RECALL_SETTINGS"))
(find-file "new.md")
(let ((markdown-mode-hook nil)) (markdown-mode))
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) 30)))
  (while (and (< (float-time) end) (null (flymake-diagnostics)))
    (flymake-start)
    (accept-process-output nil 0.1)))
(dolist (found (flymake-diagnostics))
  (princ (format "%s:%s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))))
(kill-emacs (if (flymake-diagnostics) 0 3))
"""


def has_eglot() -> bool:
    if shutil.which("emacs") is None:
        return False
    return (
        subprocess.run(["emacs", "--batch", "--eval", "(require 'eglot)"], capture_output=True, check=False).returncode
        == 0
    )


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs_shows_a_finding(memos, tmp_path: Path) -> None:
    memos.write({"old.md": "# Old\n", "new.md": "---\ntitle: é\n---\n\nThis memo supersedes [[old]].\n"})
    (tmp_path / "drive.el").write_text(SCRIPT, "utf-8")
    environment = {
        **os.environ,
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "HOME": str(tmp_path),
        "RECALL_CACHE_DIR": str(tmp_path / "cache"),
        "RECALL_PROGRAM": PROGRAM,
        "RECALL_PYTHON": sys.executable,
        "RECALL_SETTINGS": str(SETTINGS),
    }
    done = subprocess.run(
        ["emacs", "--batch", "-l", str(tmp_path / "drive.el")],
        cwd=memos.folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("5:recall [RL301]: this sentence speaks of replacement")
