"""Nothing of what a model runs is reported to anybody, and nothing is left in the user's folders."""

import os
import subprocess
import sys
from pathlib import Path

CODE = """
from recall_core.adapters.embedders.choose import choose_embedder
print(choose_embedder("local").embed_queries(["a question"]).shape)
"""


def test_the_local_model_leaves_no_trace_in_the_home_folder(tmp_path: Path) -> None:
    # Without being told not to, onnxruntime writes an identifier below ~/.cache and sends it to its maker.
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    places = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env={**kept, **places}, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "(1, 384)", done.stderr
    assert list(tmp_path.iterdir()) == []
