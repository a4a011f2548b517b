"""The command itself: what it says without its extra, and that a large corpus is no obstacle."""

import subprocess
import sys

import pytest
from lsprotocol import types


@pytest.mark.parametrize("missing", ["pygls", "lsprotocol"])
def test_without_the_extra_one_line_says_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules['{missing}'] = None; from recall_lint.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "server"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "recall: error: the language server is not installed",
        "  = help: pip install 'recall-lint[lsp]'",
    ]


def test_ten_thousand_memos_are_judged_and_completed(memos, editor) -> None:
    memos.write(
        {f"{number % 100}/memo-{number:05}.md": f"---\ntitle: Memo {number}\n---\n" for number in range(10_000)}
    )
    editor.start()
    editor.open("new.md", "---\nsupersedes: memo-0999\n---\n")
    (found,) = editor.pull("new.md")
    assert found.code == "RL201"
    position = types.Position(1, 21)
    params = types.CompletionParams(editor.identifier("new.md"), position)
    offered = {each.label for each in editor.request(types.TEXT_DOCUMENT_COMPLETION, params).items}
    assert offered >= {f"memo-0999{digit}" for digit in range(10)}
    editor.change("new.md", "---\nsupersedes: memo-09999\n---\n")
    assert editor.pull("new.md") == []


def test_every_feature_is_announced(memos, editor) -> None:
    editor.start()
    offered = editor.capabilities
    assert offered.code_action_provider.code_action_kinds[-1] == "source.fixAll.recall"
    assert offered.diagnostic_provider.inter_file_dependencies
    assert offered.rename_provider.prepare_provider
    assert offered.workspace.file_operations.will_rename is not None
    for name in ("completion", "hover", "definition", "references", "document_link", "document_symbol", "code_lens"):
        assert getattr(offered, f"{name}_provider"), name


def test_a_root_that_is_no_folder_and_a_file_that_is_gone_are_no_trouble(memos, editor) -> None:
    editor.start(folders=[memos.folder / "nowhere"])
    editor.open("nowhere/deep/a.md", "---\nsupersedes: b\n---\n")
    assert [each.code for each in editor.pull("nowhere/deep/a.md")] == ["RL201"]
    assert editor.pull("not-open.md") == []
