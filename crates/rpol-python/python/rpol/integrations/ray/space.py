"""Ray Tune's domains as axes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ray.tune.search.sample import Categorical, Domain, Float, Integer, LogUniform, Quantized, Uniform
from ray.tune.search.variant_generator import parse_spec_vars
from ray.tune.utils import flatten_dict

from .._axis import Axis, Choice, Real, Stepped
from .._refusal import refused
from .._space import Space

KNOWN = "use uniform, loguniform, quniform, qloguniform, randint, lograndint, qrandint, qlograndint or choice"


def converted(config: Mapping[str, Any]) -> Space:
    """The domains of a configuration, nested ones as ``outer/inner``; constants stay Ray's."""
    _, domains, grids = parse_spec_vars(dict(config))
    if grids:
        raise refused(_name(grids[0][0]), "grid_search tries every value: use choice")
    if not domains:
        raise refused("param_space", f"nothing in it may vary: {KNOWN}")
    return Space({_name(path): _axis(_name(path), domain) for path, domain in domains})


def flat(config: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration with the names of the space."""
    found: dict[str, Any] = flatten_dict(dict(config), prevent_delimiter=True)
    return found


def nested(setting: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration as the trainable gets it."""
    config: dict[str, Any] = {}
    for name, value in setting.items():
        *outer, inner = name.split("/")
        place = config
        for step in outer:
            place = place.setdefault(step, {})
        place[inner] = value
    return config


def _name(path: tuple[str | int, ...]) -> str:
    """As Ray writes it; a configuration cannot be put together again from positions in a list."""
    name = "/".join(str(step) for step in path)
    if not all(isinstance(step, str) and "/" not in step for step in path):
        raise refused(name, "stands in a list or has a / in its name: give it a plain name of its own")
    return name


def _axis(name: str, domain: Domain) -> Axis:
    sampler = domain.get_sampler()
    quantum = sampler.q if isinstance(sampler, Quantized) else None
    shape = sampler.get_sampler() if isinstance(sampler, Quantized) else sampler
    log = isinstance(shape, LogUniform)
    if log or isinstance(shape, Uniform):
        if isinstance(domain, Categorical):
            return Choice(domain.categories)
        if isinstance(domain, Float):
            return _real(domain, quantum, log)
        if isinstance(domain, Integer):
            return _integer(domain, quantum, log)
    kinds = f"{type(domain).__name__} with {type(shape).__name__}"
    raise refused(name, f"{kinds} has no finite range: {KNOWN}")


def _real(domain: Float, quantum: float | None, log: bool) -> Axis:
    if quantum is None:
        return Real(domain.lower, domain.upper, log)
    first, last = round(domain.lower / quantum), round(domain.upper / quantum)
    within = domain.lower, domain.upper
    return Stepped(first, last, quantum, log=log, whole=False, within=within)


def _integer(domain: Integer, quantum: int | None, log: bool) -> Axis:
    """Ray's integers end before the upper bound, unless they are quantised by more than 1."""
    if quantum is None or quantum == 1:
        return Stepped(domain.lower, domain.upper - 1, log=log)
    first, last = math.ceil(domain.lower / quantum), math.floor(domain.upper / quantum)
    return Stepped(first, last, quantum, log=log)
