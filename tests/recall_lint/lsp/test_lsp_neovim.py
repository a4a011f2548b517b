"""Neovim without a screen shows a finding, applies a candidate of `check`, and writes the file byte for byte.

Neovim is a package of the system, installed by `.ci/run`; where CI has none the test fails, elsewhere it is skipped.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from recall_lint.cli.main import main; main()"
SETTINGS = Path(__file__).resolve().parents[3] / "docs" / "editors" / "neovim.lua"

SCRIPT = """
vim.g.recall_command = vim.fn.json_decode(os.getenv("RECALL_COMMAND"))
vim.cmd("filetype on")
vim.cmd("luafile " .. os.getenv("RECALL_SETTINGS"))
vim.cmd("edit new.md")
local function wait(condition)
  if not vim.wait(30000, condition, 20) then
    error("nothing came")
  end
end
wait(function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 30000)
for id, answer in pairs(answers) do
  for _, action in ipairs(answer.result) do
    if action.title:find("declare that", 1, true) then
      vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(id).offset_encoding)
    end
  end
end
wait(function() return #vim.diagnostic.get(0) == 0 end)
vim.cmd("write")
io.stdout:write(vim.fn.json_encode({ code = found.code, line = found.lnum }))
vim.cmd("qall!")
"""


@pytest.mark.skipif(
    shutil.which("nvim") is None and not os.environ.get("CI"), reason="Neovim is not installed; CI installs it"
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_neovim_shows_a_finding_and_applies_a_candidate(memos, tmp_path: Path, end: str) -> None:
    text = "---\ntitle: New — naïve\n---\n\nThis memo supersedes [[old]].\n".replace("\n", end)
    memos.write({"old.md": "# Old\n", "new.md": text})
    (tmp_path / "drive.lua").write_text(SCRIPT, "utf-8")
    environment = {
        **os.environ,
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "RECALL_CACHE_DIR": str(tmp_path / "cache"),
        "RECALL_COMMAND": json.dumps([sys.executable, "-c", PROGRAM, "server"]),
        "RECALL_SETTINGS": str(SETTINGS),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-n", "-c", f"luafile {tmp_path / 'drive.lua'}", "-c", "cquit!"],
        cwd=memos.folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout[done.stdout.index("{") :]) == {"code": "RL301", "line": 4}
    written = (memos.folder / "new.md").read_bytes().decode()
    head, tail = text.split(f"naïve{end}")
    assert written.startswith(f"{head}naïve{end}supersedes: old")
    assert written.endswith(tail)
    assert written.count(end) == text.count(end) + 1
    assert memos.recall("lint", "--format", "concise") == ""
