"""The package under the adapter, or an empty one in its place, so that what needs none is tested anywhere. Import it first."""

import importlib.util
import sys
import types
from typing import Any

IS_THERE = importlib.util.find_spec("hurray") is not None


class Empty(types.ModuleType):
    """It has exceptions, which the adapter lists when it is imported, and nothing else."""

    def __getattr__(self, name: str) -> Any:
        if not name.endswith("Error"):
            raise AttributeError(f"{name}: the package is not installed, and this test needs it")
        made = type(name, (Exception,), {})
        setattr(self, name, made)
        return made


if not IS_THERE:
    sys.modules["hurray"] = Empty("hurray")
