"""Writes golden values as JSON: one line for each list of numbers, and numbers in the shortest form
that reads back to the same f64."""

import json
import pathlib
import sys


def text(value, indent=""):
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {text(v, inner)}" for k, v in value.items()]
        return block("{", parts, "}", indent)
    if isinstance(value, list) and any(isinstance(v, (list, dict)) for v in value):
        return block("[", [text(v, inner) for v in value], "]", indent)
    return json.dumps(value)


def block(opening, parts, closing, indent):
    body = f",\n{indent} ".join(parts)
    return f"{opening}\n{indent} {body}\n{indent}{closing}"


def emit(name, value):
    (pathlib.Path(sys.argv[1]) / name).write_text(text(value) + "\n")
