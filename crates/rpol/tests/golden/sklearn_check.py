"""The answers of scikit-learn's GaussianProcessRegressor, for the kernels it shares with us."""

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

TOLERANCE = 1e-8
NU = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}


def translate(spec):
    """The kernel, the scale of its inputs, and what takes our gradient to scikit-learn's (None
    when they are the same). None alone when scikit-learn has no such kernel."""
    name, scales = spec["name"], spec.get("lengthscales", [])
    isotropic = len(set(scales)) == 1
    if name == "squared_exponential":
        return sk.RBF(scales), 1, None
    if name in NU:
        return sk.Matern(scales, nu=NU[name]), 1, None
    if name == "rational_quadratic" and isotropic:
        return sk.RationalQuadratic(scales[0], spec["alpha"]), 1, isotropic_alpha
    if name == "periodic" and len(scales) == 1:
        return sk.ExpSineSquared(scales[0], spec["periods"][0]), 1, None
    if name == "linear" and isotropic:
        return sk.DotProduct(np.sqrt(spec["bias"])), scales[0], bias_only
    if name == "scaled":
        return scaled(spec)
    return None


def scaled(spec):
    inner = translate(spec["inner"])
    if inner is None or inner[2] is not None:
        return None
    return sk.ConstantKernel(spec["variance"]) * inner[0], inner[1], None


def isotropic_alpha(ours):
    """scikit-learn orders by name: alpha first; its one lengthscale moves all of ours."""
    return [ours[-1], sum(ours[:-1])]


def bias_only(ours):
    """scikit-learn's parameter is the root of our bias."""
    return [2 * ours[-1]]


def agrees_with_sklearn(case):
    translated = translate(case["kernel"])
    if translated is None:
        return False
    kernel, scale, to_theirs = translated
    x, tests = (np.array(case[key]) / scale for key in ("inputs", "test_inputs"))
    noise = np.resize(case["noise_variance"], len(x))
    model = GaussianProcessRegressor(kernel, alpha=noise, optimizer=None)
    model.fit(x, np.array(case["targets"]) - case["constant_mean"])
    mean, sd = model.predict(tests, return_std=True)
    close(mean + case["constant_mean"], case["mean"])
    close(sd, case["sd"])
    evidence, gradient = model.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    close(evidence, case["log_evidence"])
    ours = case["gradient_log_params"]
    close(gradient, to_theirs(ours) if to_theirs else ours)
    return True


def close(theirs, ours):
    assert np.allclose(theirs, ours, rtol=TOLERANCE, atol=TOLERANCE), (theirs, ours)
