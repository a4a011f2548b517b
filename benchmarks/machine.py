"""Where figures come from: without it they mean nothing."""

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from benchmarks.environment import Environment
from benchmarks.processes import call


def describe_machine(environment: Environment) -> Mapping[str, Any]:
    """Facts for the results: machine, Python, what is measured, and how busy it was."""
    facts = environment.facts
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "python": facts["python"],
        "git": _git_version(),
        "recall": facts["recall"],
        "yaml_c_parser": facts["c_parser"],
        "compiled": facts["compiled"] == facts["modules"],
        "uncompiled_modules": facts["modules"] - facts["compiled"],
    }


def remarks(machine: Mapping[str, Any]) -> list[str]:
    """What about this machine makes the figures worth less, in sentences."""
    said = []
    if not machine["compiled"]:
        missing = machine["uncompiled_modules"]
        said.append(
            f"{missing} of recall's modules are not compiled, so each start compiles them anew; "
            "`--install` measures a proper installation"
        )
    if machine["load"][0] > (machine["cores"] or 1):
        said.append(f"the machine is busy (load {machine['load'][0]} on {machine['cores']} cores): wall times mislead")
    if not machine["yaml_c_parser"]:
        said.append("PyYAML has no C parser here")
    return said


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def _git_version() -> str:
    return call(["git", "--version"]).strip().removeprefix("git version ")
