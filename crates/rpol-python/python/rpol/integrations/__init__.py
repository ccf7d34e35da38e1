"""rpol inside of other frameworks. Each module imports its framework, and only that one:

* :mod:`rpol.integrations.optuna`: ``RpolSampler``, a sampler of Optuna 4 and 5;
* :mod:`rpol.integrations.gest`: ``RpolGenerator``, a generator of gest-api (Xopt, libEnsemble, Optimas);
* :mod:`rpol.integrations.scipy`: ``minimize_constrained``, in the manner of ``scipy.optimize``;
* :mod:`rpol.integrations.ray`: ``RpolSearch``, a searcher of Ray Tune.
"""
