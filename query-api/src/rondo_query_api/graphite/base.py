"""Imports graphite-render, which reads a configuration file and needs libcairo at import time.

It gets the configuration beside this file. Without libcairo an empty module replaces its binding, so that everything
except images works.
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
