"""Constrained minimisation in the manner of ``scipy.optimize``: see :func:`minimize_constrained`."""

from .minimize import minimize_constrained

__all__ = ["minimize_constrained"]
