"""What differs between the versions of NumPy that run this. No other room asks which one runs.

| since | what | here |
| --- | --- | --- |
| 2.5 | `median`, `quantile` along several axes take arrays of no elements | `RESHAPES_TO_MERGE` |
| 2.5 | `linalg.eig` and `eigvals` are complex for every matrix | `EIGENVALUES_MAY_BE_REAL` |

NumPy's functions that are staged from NumPy's own code are as that code is.
"""

from __future__ import annotations

import numpy as np

_BEFORE_2_5 = np.lib.NumpyVersion(np.__version__) < "2.5.0"

RESHAPES_TO_MERGE = _BEFORE_2_5
EIGENVALUES_MAY_BE_REAL = _BEFORE_2_5
