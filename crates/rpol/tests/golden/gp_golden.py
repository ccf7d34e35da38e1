"""gp.json: Gaussian-process regression with every kernel, in 50 digits by mpmath.

Where scikit-learn has the kernel, its answers are asserted to agree. Order of the gradients: a
kernel's lengthscales, then its further parameters; a scaled kernel's variance before the inner
kernel; the parts of a sum or product one after another.
"""

import mpmath
import numpy as np
from mpmath import mp, mpf

from emit import emit
from sklearn_check import agrees_with_sklearn

mp.dps = 50

N, TESTS, MEAN, SHARED_NOISE = 12, 5, 0.3, 0.04


# Kernels, as (parameters, x, y) -> value; `take` hands out the parameters in order.


def squared_distance(x, y, scales):
    return mpmath.fsum(((a - b) / s) ** 2 for a, b, s in zip(x, y, scales))


def squared_exponential(take, spec, x, y):
    return mpmath.exp(-squared_distance(x, y, take(len(x))) / 2)


def matern(polynomial, nu):
    def kernel(take, spec, x, y):
        s = mpmath.sqrt(2 * mpf(nu) * squared_distance(x, y, take(len(x))))
        return polynomial(s) * mpmath.exp(-s)

    return kernel


def rational_quadratic(take, spec, x, y):
    r2, (alpha,) = squared_distance(x, y, take(len(x))), take(1)
    return (1 + r2 / (2 * alpha)) ** -alpha


def periodic(take, spec, x, y):
    scales, periods = take(len(x)), take(len(x))
    terms = [
        (mpmath.sin(mpmath.pi * (a - b) / p) / s) ** 2 for a, b, s, p in zip(x, y, scales, periods)
    ]
    return mpmath.exp(-2 * mpmath.fsum(terms))


def linear(take, spec, x, y):
    scales, (bias,) = take(len(x)), take(1)
    return mpmath.fsum(a * b / s**2 for a, b, s in zip(x, y, scales)) + bias


def hamming(take, spec, x, y):
    return mpmath.exp(-mpmath.fsum(1 / s for a, b, s in zip(x, y, take(len(x))) if a != b))


def scaled(take, spec, x, y):
    (variance,) = take(1)
    return variance * evaluate(take, spec["inner"], x, y)


def sum_of(take, spec, x, y):
    return mpmath.fsum([evaluate(take, part, x, y) for part in spec["parts"]])


def product_of(take, spec, x, y):
    return mpmath.fprod([evaluate(take, part, x, y) for part in spec["parts"]])


KERNELS = {
    "squared_exponential": squared_exponential,
    "matern12": matern(lambda s: 1, 0.5),
    "matern32": matern(lambda s: 1 + s, 1.5),
    "matern52": matern(lambda s: 1 + s + s**2 / 3, 2.5),
    "rational_quadratic": rational_quadratic,
    "periodic": periodic,
    "linear": linear,
    "hamming": hamming,
    "scaled": scaled,
    "sum": sum_of,
    "product": product_of,
}


def evaluate(take, spec, x, y):
    return KERNELS[spec["name"]](take, spec, x, y)


def parameters(spec):
    own = [spec["variance"]] if "variance" in spec else []
    own += spec.get("lengthscales", []) + spec.get("periods", [])
    own += [spec[key] for key in ("alpha", "bias") if key in spec]
    inner = [spec["inner"]] if "inner" in spec else spec.get("parts", [])
    return own + [value for part in inner for value in parameters(part)]


def kernel(spec, theta, x, y):
    values = iter(theta)
    return evaluate(lambda count: [next(values) for _ in range(count)], spec, x, y)


# Regression. Letters as in Rasmussen and Williams, algorithm 2.1.


def regression(case, theta, noise, mean):
    spec, x, y = case["kernel"], case["inputs"], case["targets"]
    n = len(x)
    k = mpmath.matrix(n, n)
    for i in range(n):
        for j in range(i + 1):
            k[i, j] = k[j, i] = kernel(spec, theta, x[i], x[j])
        k[i, i] += noise[i % len(noise)]
    lower = mpmath.cholesky(k)
    residual = mpmath.matrix([value - mean for value in y])
    return lower, residual


def log_evidence(case, theta, noise, mean):
    lower, residual = regression(case, theta, noise, mean)
    v = forward(lower, residual)
    log_det = mpmath.fsum(mpmath.log(lower[i, i]) for i in range(lower.rows))
    return -dot(v, v) / 2 - log_det - lower.rows * mpmath.log(2 * mpmath.pi) / 2


def posterior(case, theta, noise, mean):
    lower, residual = regression(case, theta, noise, mean)
    v = forward(lower, residual)
    means, deviations, cross, prior = [], [], [], []
    for x in case["test_inputs"]:
        k = mpmath.matrix([kernel(case["kernel"], theta, x, z) for z in case["inputs"]])
        w = forward(lower, k)
        cross.append(list(k))
        prior.append(kernel(case["kernel"], theta, x, x))
        means.append(mean + dot(w, v))
        deviations.append(mpmath.sqrt(prior[-1] - dot(w, w)))
    return {"mean": means, "sd": deviations, "cross": cross, "prior_variance": prior}


def forward(lower, b):
    v = mpmath.matrix(b.rows, 1)
    for i in range(b.rows):
        v[i] = (b[i] - mpmath.fdot((lower[i, j], v[j]) for j in range(i))) / lower[i, i]
    return v


def dot(a, b):
    return mpmath.fdot(zip(a, b))


def gradient(function, at):
    """Central differences with a step far below f64: 30 digits are right."""
    step = mpf(10) ** -17
    out = []
    for i in range(len(at)):
        up, down = list(at), list(at)
        up[i], down[i] = up[i] + step, down[i] - step
        out.append((function(up) - function(down)) / (2 * step))
    return out


def exponentials(logs):
    return [mpmath.exp(value) for value in logs]


def logs(values):
    return [mpmath.log(value) for value in values]


def solve(case):
    theta = [mpf(value) for value in parameters(case["kernel"])]
    noise = [mpf(value) for value in case["noise_variance"]]
    mean = mpf(case["constant_mean"])
    case |= posterior(case, theta, noise, mean)
    case["log_evidence"] = log_evidence(case, theta, noise, mean)
    case["gradient_log_params"] = gradient(
        lambda t: log_evidence(case, exponentials(t), noise, mean), logs(theta)
    )
    case["gradient_log_noise"] = gradient(
        lambda s: log_evidence(case, theta, exponentials(s), mean), logs(noise)
    )
    case["gradient_mean"] = gradient(lambda m: log_evidence(case, theta, noise, m[0]), [mean])[0]
    return plain(case)


def plain(value):
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return float(value) if isinstance(value, mpf) else value


# Cases.


def stationary(name, *lengthscales, **further):
    return {"name": name, "lengthscales": list(lengthscales), **further}


def kernels():
    se = stationary("squared_exponential", 0.5, 0.8)
    line = stationary("linear", 1.2, 0.9, bias=0.4)
    wave = stationary("periodic", 0.9, 1.4, periods=[0.6, 0.75])
    m32 = stationary("matern32", 0.7, 0.4)
    m52 = stationary("matern52", 0.6, 0.35, 1.1)
    return [
        se,
        stationary("squared_exponential", 0.5, 0.8, 1.3),
        stationary("matern12", 0.6, 0.9),
        m32,
        m52,
        stationary("rational_quadratic", 0.4, 0.7, alpha=1.7),
        stationary("rational_quadratic", 0.55, 0.55, alpha=0.8),
        wave,
        stationary("periodic", 0.9, periods=[0.6]),
        line,
        stationary("linear", 0.8, 0.8, 0.8, bias=0.25),
        stationary("hamming", 0.8, 1.9, 1.2),
        {"name": "sum", "parts": [se, line]},
        {"name": "product", "parts": [m32, wave]},
        {"name": "scaled", "variance": 2.5, "inner": m52},
        {
            "name": "scaled",
            "variance": 0.7,
            "inner": {
                "name": "sum",
                "parts": [{"name": "scaled", "variance": 1.6, "inner": se}, line],
            },
        },
    ]


def dimensions(spec):
    if "lengthscales" in spec:
        return len(spec["lengthscales"])
    return dimensions(spec["inner"] if "inner" in spec else spec["parts"][0])


def inputs(rng, count, spec):
    dims = dimensions(spec)
    if spec["name"] == "hamming":
        return rng.integers(0, 3, size=(count, dims)).astype(float).tolist()
    return rng.uniform(size=(count, dims)).tolist()


def case(spec, noise, seed):
    rng = np.random.default_rng(seed)
    x = inputs(rng, N, spec)
    # Targets of moderate size that depend on the inputs and carry some noise.
    y = [float(np.sin(3 * sum(p)) + 0.2 * rng.normal()) for p in x]
    shared = [SHARED_NOISE]
    return {
        "kernel": spec,
        "inputs": x,
        "targets": y,
        "noise_variance": shared if noise == "shared" else rng.uniform(0.01, 0.2, N).tolist(),
        "constant_mean": MEAN,
        "test_inputs": inputs(rng, TESTS, spec),
    }


def main():
    cases, checked = [], 0
    for seed, spec in enumerate(kernels()):
        for noise in ("shared", "per_point"):
            solved = solve(case(spec, noise, seed))
            checked += agrees_with_sklearn(solved)
            cases.append(solved)
    print(f"{len(cases)} cases, {checked} of them agree with scikit-learn")
    emit("gp.json", cases)


main()
