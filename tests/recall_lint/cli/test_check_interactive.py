"""`recall check --interactive`, spoken to through a pseudo terminal."""

import os
import pty
import select
import subprocess
import sys
import termios
import time

import pytest

OLD = "# Limits\n"
NEW = "# New\n\nThis memo supersedes [[old]].\n\nThis memo supersedes [[rates]].\n"
PROMPT = "q quit: "


class Terminal:
    """A `recall` that runs in a terminal of its own."""

    def __init__(self, *arguments):
        self.fd, slave = pty.openpty()
        program = "from recall_lint.cli.main import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200"},
        )  # fmt: skip
        os.close(slave)
        self.said = ""

    def hear(self, words):
        """Read until these words were said since the last time."""
        heard = ""
        end = time.monotonic() + 30
        while words not in heard:
            assert time.monotonic() < end, heard
            if select.select([self.fd], [], [], 1)[0]:
                try:
                    heard += os.read(self.fd, 65536).decode()
                except OSError:
                    break
        self.said += heard
        assert words in heard, heard
        return heard

    def press(self, key):
        """Press a key once the program waits for one: what is typed before that is thrown away."""
        end = time.monotonic() + 30
        while termios.tcgetattr(self.fd)[3] & termios.ICANON:
            assert time.monotonic() < end
            time.sleep(0.005)
        os.write(self.fd, key.encode())

    def end(self):
        """The exit status; all that is still said is read."""
        while True:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            self.said += data.decode()
        os.close(self.fd)
        return self.process.wait(30)


@pytest.fixture
def dialogue(repository, monkeypatch):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])]))
    repository.write("old.md", OLD)
    repository.write("rates.md", OLD)
    repository.write("new.md", NEW)
    repository.commit()
    return lambda *words: Terminal("check", "--interactive", *words, "new.md")


def test_each_question_is_answered_by_a_key_and_written_at_once(dialogue, repository):
    terminal = dialogue("--strict")
    assert "[1/2]" in terminal.hear(PROMPT)
    terminal.press("a")
    assert "accepted" in terminal.hear(PROMPT)
    assert b"supersedes: old.md\n" in repository.read("new.md")
    terminal.press("d")
    assert terminal.end() == 0
    assert b"not-superseding rates.md" in repository.read("new.md")
    assert "next: git add new.md" in terminal.said
    assert repository.git("status", "--porcelain") == " M new.md\n"


def test_an_answer_is_undone_and_its_question_comes_back(dialogue, repository):
    terminal = dialogue()
    terminal.hear(PROMPT)
    terminal.press("a")
    terminal.hear(PROMPT)
    terminal.press("u")
    assert "[1/2]" in terminal.hear(PROMPT)
    assert repository.read("new.md").decode() == NEW
    terminal.press("s")
    terminal.hear(PROMPT)
    terminal.press("q")
    assert terminal.end() == 0
    assert repository.read("new.md").decode() == NEW
    assert "git add" not in terminal.said


def test_another_key_is_told_what_to_press_and_what_is_skipped_stays_open(dialogue, repository):
    terminal = dialogue("--strict")
    terminal.hear(PROMPT)
    terminal.press("x")
    assert "press one of" in terminal.hear(PROMPT)
    terminal.press("s")
    terminal.hear(PROMPT)
    terminal.press("s")
    assert terminal.end() == 1
    assert repository.read("new.md").decode() == NEW


def test_a_memo_without_a_question_says_so(dialogue, repository):
    repository.write("new.md", "plain\n")
    terminal = dialogue()
    assert terminal.end() == 0
    assert "No question is open." in terminal.said
