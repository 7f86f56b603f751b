"""graphite-render, imported: the one place that knows how.

It reads a configuration file and needs libcairo when it is imported. It gets the file that is beside this one; where
libcairo is missing an empty module stands in for its binding, so that all but images works.
"""

import os
import sys
from importlib import resources
from types import ModuleType

try:
    import cairocffi

    CAN_DRAW = hasattr(cairocffi, "ImageSurface")
except OSError:
    sys.modules["cairocffi"] = ModuleType("cairocffi")
    CAN_DRAW = False

with resources.as_file(resources.files(__package__).joinpath("base.yaml")) as configuration:
    os.environ["GRAPHITE_API_CONFIG"] = str(configuration)
    from graphite_render.app import app

__all__ = ["CAN_DRAW", "app"]
