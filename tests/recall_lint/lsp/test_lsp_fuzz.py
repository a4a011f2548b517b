"""A client that behaves badly: the server lives, and says in the end what a fresh run of the command line says.

A seed is one run of 200 steps; `.ci/soak` does fifty of them, about five minutes.
"""

import json
import random

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from recall_core.model.escape import visible

PATHS = ["a.md", "b.md", "deep/c.md", "deep/Ünder d.md", "template.md", "no-memo.txt"]
PIECES = [
    "---\n", "supersedes: ", "[[a]]", '"[[b|x]]"', "a.md", "\n", "\r\n", "\r", "valid_until: ", "2026-02-30\n", "- ", "b\n",
    "# T\n", "This memo supersedes [[c]].\n", "<!-- recall: ignore RL201 -->\n", "# recall: ignore-file RL205\n", "[x](deep/c.md)",
    "\ufeff", "\u2028", "\x0b", "\x00", "\ud800", "\U0001f600", "é", "`" * 3, "|", ": ", "superseded_by: a\n", "...\n", " ",
]  # fmt: skip

REFUSED = -32602


def position(rng: random.Random) -> types.Position:
    return types.Position(rng.choice([0, 1, 2, 5, 99, 2**31 - 1]), rng.choice([0, 1, 7, 14, 500, 2**31 - 1]))


def request(rng: random.Random, named: types.TextDocumentIdentifier) -> tuple[str, object]:
    start, end = sorted((position(rng), position(rng)), key=lambda each: (each.line, each.character))
    place, context = types.Range(start, end), types.CodeActionContext([])
    everywhere = types.ReferenceContext(include_declaration=True)
    moved = types.FileRename(named.uri, f"{named.uri[:-3]}-{rng.randint(0, 9)}.md")
    return rng.choice(
        [
            (types.TEXT_DOCUMENT_HOVER, types.HoverParams(named, start)),
            (types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(named, start)),
            (types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(named, start)),
            (types.TEXT_DOCUMENT_REFERENCES, types.ReferenceParams(everywhere, named, start)),
            (types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(named, place, context)),
            (types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkParams(named)),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(named)),
            (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(named)),
            (types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(named, place)),
            (types.TEXT_DOCUMENT_PREPARE_RENAME, types.PrepareRenameParams(named, start)),
            (types.TEXT_DOCUMENT_RENAME, types.RenameParams(named, start, rng.choice(["x", "", "../y", "a\x00"]))),
            (types.WORKSPACE_WILL_RENAME_FILES, types.RenameFilesParams([moved])),
        ]
    )


def write_badly(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 14)))


def misbehave(rng: random.Random, editor, memos, texts: dict[str, str]) -> None:
    """One step, which may be one that no editor would take."""
    path = rng.choice(PATHS)
    named = editor.identifier(path)
    step = rng.randint(0, 11)
    if step < 5 and path in texts:
        texts[path] = write_badly(rng)
        editor.change(path, texts[path])
    elif step < 5:
        texts[path] = write_badly(rng)
        editor.open(path, texts[path])
    elif step < 9:
        method, params = request(rng, named)
        try:
            editor.request(method, params)
        except JsonRpcException as error:
            if error.code != REFUSED:  # broken
                raise
    elif step == 9 and path in texts:
        del texts[path]
        editor.close(path)
    elif step == 10:
        garbage = rng.choice([b"{", b"[]", b'{"jsonrpc":"2.0","method":"nonsense/at/all"}', b"\xff\xfe", b"null"])
        editor.client.protocol.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(garbage), garbage))
    else:
        content = write_badly(rng).encode("utf-8", "surrogatepass")
        memos.write({path: content})
        editor.tell_changed(path)


def test_a_client_that_behaves_badly_does_no_harm(memos, editor, rounds: int) -> None:
    memos.write({"recall.toml": "", "a.md": "# A\n", "c.md": "# C\n"})
    editor.start()
    for seed in range(rounds):
        rng, texts = random.Random(seed), dict[str, str]()
        for _ in range(200):
            misbehave(rng, editor, memos, texts)
        found = {}
        for path in texts:
            found[path] = [
                (each.code, each.range.start.line + 1, each.message.split("\n")[0]) for each in editor.pull(path)
            ]
        memos.write({path: text.encode("utf-8", "surrogatepass") for path, text in texts.items()})
        report = json.loads(memos.recall("lint", "--format", "json", "--no-cache"))
        for path in texts:
            wanted = [
                (each["code"], each["line"], visible(each["message"]))
                for each in report["diagnostics"]
                if each["path"] == path
            ]
            assert found[path] == wanted, (seed, path, texts[path])
        for path in texts:
            editor.close(path)
