"""Where the embedded server and its data live when nobody says otherwise."""

import os
import sys
from collections.abc import Mapping


def user_data_folder(variables: Mapping[str, str], platform: str = sys.platform) -> str:
    """A user's data folder on this platform; `variables` is the environment."""
    if chosen := variables.get("RECALL_DATA_DIR"):
        return chosen
    home = os.path.expanduser("~")
    if platform == "win32":
        return os.path.join(variables.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), "recall", "data")
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "recall")
    return os.path.join(variables.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "recall")
