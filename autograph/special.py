"""Special functions: `ag.special`, with the names of scipy.special.

Integers become floats. Gradients of any order, by all arguments but the orders of Bessel functions
and the parameters of `gammainc`, `gammaincc` and `betainc`: those are refused, with what to write.
The entropies, `expit` and its kin and `ndtr` are native; of the others CPython runs SciPy's
functions.
"""

from __future__ import annotations

from autograph.runtime.ops.table import OPS as _OPS

beta = _OPS.beta
betainc = _OPS.betainc
betaln = _OPS.betaln
cbrt = _OPS.cbrt
comb = _OPS.comb
digamma = psi = _OPS.digamma
entr = _OPS.entr
erf = _OPS.erf
erfc = _OPS.erfc
erfcinv = _OPS.erfcinv
erfinv = _OPS.erfinv
exp2 = _OPS.exp2
expit = _OPS.expit
factorial = _OPS.factorial
gamma = _OPS.gamma
gammainc = _OPS.gammainc
gammaincc = _OPS.gammaincc
gammaln = _OPS.gammaln
i0 = _OPS.i0
i0e = _OPS.i0e
i1 = _OPS.i1
i1e = _OPS.i1e
iv = _OPS.iv
jv = _OPS.jv
kl_div = _OPS.kl_div
log_expit = _OPS.log_expit
log_softmax = _OPS.log_softmax
logit = _OPS.logit
logsumexp = _OPS.logsumexp
ndtr = _OPS.ndtr
ndtri = _OPS.ndtri
polygamma = _OPS.polygamma
rel_entr = _OPS.rel_entr
softmax = _OPS.softmax
xlog1py = _OPS.xlog1py
xlogy = _OPS.xlogy

__all__ = [
    "beta",
    "betainc",
    "betaln",
    "cbrt",
    "comb",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp2",
    "expit",
    "factorial",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "iv",
    "jv",
    "kl_div",
    "log_expit",
    "log_softmax",
    "logit",
    "logsumexp",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "rel_entr",
    "softmax",
    "xlog1py",
    "xlogy",
]
