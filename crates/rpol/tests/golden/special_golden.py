"""special.json: quantiles of the standard normal, by mpmath and by SciPy."""

import mpmath
import numpy as np
from scipy.special import ndtri

from emit import emit

mpmath.mp.dps = 50


def exact(p):
    """Newton's method on the distribution function, from SciPy's value."""
    z, p = mpmath.mpf(float(ndtri(p))), mpmath.mpf(p)
    for _ in range(3):
        # Far out on the right the distribution function is 1 to all digits: solve the mirror image.
        error = mpmath.ncdf(z) - p if p < 0.5 else (1 - p) - mpmath.ncdf(-z)
        z -= error / mpmath.npdf(z)
    return float(z)


def probabilities():
    tails = [10.0**-k for k in (300, 200, 100, 50, 20, 16, 13, 12, 11, 10, 8, 6, 4, 3, 2)]
    edges = [2.0**-53, 0.075, np.nextafter(0.075, 0), 0.925, 0.5 + 2.0**-40, 0.5 - 2.0**-40, 0.5]
    inside = np.random.default_rng(1).uniform(size=60).tolist()
    return tails + [1 - p for p in tails if p > 1e-16] + [float(p) for p in edges] + inside


def case(p):
    z, scipy_z = exact(p), float(ndtri(p))
    assert abs(z - scipy_z) <= 1e-14 * abs(z), (p, z, scipy_z)
    return {"p": p, "exact": z, "scipy": scipy_z}


emit("special.json", {"normal_quantile": [case(p) for p in probabilities()]})
