"""log, log1p, log2 and log10, branch-free, for float32 and float64.

x = 2**k m with sqrt(1/2) <= m < sqrt(2), found by integer arithmetic on the bits of x; then with
f = m - 1 and s = f / (2 + f), log(1 + f) = f - f*f/2 + s * (f*f/2 + R(s*s)). The coefficients of
R are those of fdlibm (Sun Microsystems, 1993), and so is the splitting of 1 / ln 2 and 1 / ln 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import (
    HALF32,
    HALF64,
    MANTISSA32,
    MANTISSA64,
    ONE32,
    ONE64,
    ZERO32,
    ZERO64,
    exp_float32,
    exp_float64,
)
from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    float32_bits,
    float64_bits,
    select,
)

LOG32_SMALLEST = np.float32(1.17549435e-38)
LOG32_LIFT = np.float32(8388608.0)  # 2**23
LOG32_LIFT_POWER = np.float32(23.0)
LOG32_ROOT_BITS = np.int32(0x3F3504F3)  # sqrt(1/2)
LOG32_G1 = np.float32(0.66666662693)
LOG32_G2 = np.float32(0.40000972152)
LOG32_G3 = np.float32(0.28498786688)
LOG32_G4 = np.float32(0.24279078841)
LOG32_LN2_HIGH = np.float32(6.9313812256e-01)
LOG32_LN2_LOW = np.float32(9.0580006145e-06)
LOG32_TINY = np.float32(2.0**-26)
LOG32_TWO = np.float32(2.0)
LOG1P_32_CAP = np.int32(0x32000000)  # 100 << 23
LOG32_ONE_BITS = np.int32(0x3F800000)
INFINITY32 = np.float32(np.inf)
NAN32 = np.float32(np.nan)

LOG64_SMALLEST = np.float64(2.2250738585072014e-308)
LOG64_LIFT = np.float64(18014398509481984.0)  # 2**54
LOG64_LIFT_POWER = np.float64(54.0)
LOG64_ROOT_BITS = np.int64(0x3FE6A09E667F3BCD)  # sqrt(1/2)
LOG64_G1 = np.float64(6.666666666666735130e-01)
LOG64_G2 = np.float64(3.999999999940941908e-01)
LOG64_G3 = np.float64(2.857142874366239149e-01)
LOG64_G4 = np.float64(2.222219843214978396e-01)
LOG64_G5 = np.float64(1.818357216161805012e-01)
LOG64_G6 = np.float64(1.531383769920937332e-01)
LOG64_G7 = np.float64(1.479819860511658591e-01)
LOG64_LN2_HIGH = np.float64(6.93147180369123816490e-01)
LOG64_LN2_LOW = np.float64(1.90821492927058770002e-10)
LOG64_TINY = np.float64(2.0**-55)
LOG64_TWO = np.float64(2.0)
LOG1P_64_CAP = np.int64(100 << 52)
LOG64_ONE_BITS = np.int64(0x3FF0000000000000)
LOG64_HIGH_BITS = np.int64(-4294967296)
INFINITY64 = np.float64(np.inf)
NAN64 = np.float64(np.nan)
LOG2_64_HIGH = np.float64(1.44269504072144627571e00)  # 1 / ln 2
LOG2_64_LOW = np.float64(1.67517131648865118353e-10)
LOG10_64_HIGH = np.float64(4.34294481878168880939e-01)  # 1 / ln 10
LOG10_64_LOW = np.float64(2.50829467116452752298e-11)
LOG10_64_TWO_HIGH = np.float64(3.01029995663611771306e-01)  # log10(2)
LOG10_64_TWO_LOW = np.float64(3.69423907715893078616e-13)

# For log2 and log10 of float32 in float64: log(1 + f) = 2s + s*z*Q(z), z = s*s, to 2**-37
LOG_OF_32_Q0 = np.float64(0.6666666564552638)
LOG_OF_32_Q1 = np.float64(0.4000033517330737)
LOG_OF_32_Q2 = np.float64(0.2853730970306333)
LOG_OF_32_Q3 = np.float64(0.23582129556391107)
LOG2_OF_32 = np.float64(1.4426950408889634)
LOG10_OF_32 = np.float64(0.4342944819032518)
LOG10_OF_32_TWO = np.float64(0.3010299956639812)


def log_float32(x: Any) -> Any:
    """log(x); -inf at 0, nan below."""
    y = select(x < LOG32_SMALLEST, x * LOG32_LIFT, x)
    bits = float32_bits(y)
    n = np.int32(np.int32(bits - LOG32_ROOT_BITS) >> MANTISSA32)
    f = bits_to_float32(bits - np.int32(n << MANTISSA32)) - ONE32
    k = select(x < LOG32_SMALLEST, np.float32(n) - LOG32_LIFT_POWER, np.float32(n))
    s = f / (LOG32_TWO + f)
    z = s * s
    p = LOG32_G4 * z + LOG32_G3
    p = p * z + LOG32_G2
    p = p * z + LOG32_G1
    h = HALF32 * (f * f)
    y = k * LOG32_LN2_HIGH - ((h - (s * (h + z * p) + k * LOG32_LN2_LOW)) - f)
    y = select(x < INFINITY32, y, x)
    y = select(x > ZERO32, y, -INFINITY32)
    return select(x >= ZERO32, y, NAN32)


def log_float64(x: Any) -> Any:
    """log(x); -inf at 0, nan below."""
    y = select(x < LOG64_SMALLEST, x * LOG64_LIFT, x)
    bits = float64_bits(y)
    n = (bits - LOG64_ROOT_BITS) >> MANTISSA64
    f = bits_to_float64(bits - (n << MANTISSA64)) - ONE64
    k = select(x < LOG64_SMALLEST, np.float64(n) - LOG64_LIFT_POWER, np.float64(n))
    s = f / (LOG64_TWO + f)
    z = s * s
    p = LOG64_G7 * z + LOG64_G6
    p = p * z + LOG64_G5
    p = p * z + LOG64_G4
    p = p * z + LOG64_G3
    p = p * z + LOG64_G2
    p = p * z + LOG64_G1
    h = HALF64 * (f * f)
    y = k * LOG64_LN2_HIGH - ((h - (s * (h + z * p) + k * LOG64_LN2_LOW)) - f)
    y = select(x < INFINITY64, y, x)
    y = select(x > ZERO64, y, -INFINITY64)
    return select(x >= ZERO64, y, NAN64)


def log1p_float32(x: Any) -> Any:
    """log(1 + x), accurate near 0; -inf at -1, nan below."""
    u = ONE32 + x
    lost = select(x < ONE32, x - (u - ONE32), ONE32 - (u - x))
    bits = float32_bits(u)
    n = np.int32(np.int32(bits - LOG32_ROOT_BITS) >> MANTISSA32)
    power = np.int32(n << MANTISSA32)
    scale = bits_to_float32(LOG32_ONE_BITS - select(power < LOG1P_32_CAP, power, LOG1P_32_CAP))
    f = (bits_to_float32(bits - power) - ONE32) + lost * scale
    k = np.float32(n)
    s = f / (LOG32_TWO + f)
    z = s * s
    p = LOG32_G4 * z + LOG32_G3
    p = p * z + LOG32_G2
    p = p * z + LOG32_G1
    h = HALF32 * (f * f)
    y = k * LOG32_LN2_HIGH - ((h - (s * (h + z * p) + k * LOG32_LN2_LOW)) - f)
    y = select(u < INFINITY32, y, x)
    y = select(u > ZERO32, y, -INFINITY32)
    y = select(u >= ZERO32, y, NAN32)
    return select(x * x < LOG32_TINY * LOG32_TINY, x, y)


def log1p_float64(x: Any) -> Any:
    """log(1 + x), accurate near 0; -inf at -1, nan below."""
    u = ONE64 + x
    lost = select(x < ONE64, x - (u - ONE64), ONE64 - (u - x))
    bits = float64_bits(u)
    n = (bits - LOG64_ROOT_BITS) >> MANTISSA64
    power = n << MANTISSA64
    scale = bits_to_float64(LOG64_ONE_BITS - select(power < LOG1P_64_CAP, power, LOG1P_64_CAP))
    f = (bits_to_float64(bits - power) - ONE64) + lost * scale
    k = np.float64(n)
    s = f / (LOG64_TWO + f)
    z = s * s
    p = LOG64_G7 * z + LOG64_G6
    p = p * z + LOG64_G5
    p = p * z + LOG64_G4
    p = p * z + LOG64_G3
    p = p * z + LOG64_G2
    p = p * z + LOG64_G1
    h = HALF64 * (f * f)
    y = k * LOG64_LN2_HIGH - ((h - (s * (h + z * p) + k * LOG64_LN2_LOW)) - f)
    y = select(u < INFINITY64, y, x)
    y = select(u > ZERO64, y, -INFINITY64)
    y = select(u >= ZERO64, y, NAN64)
    return select(x * x < LOG64_TINY * LOG64_TINY, x, y)


def log_mantissa(m: Any) -> Any:
    """log(m) for float64 m between sqrt(1/2) and sqrt(2), to 2**-37 of its value."""
    f = m - ONE64
    s = f / (LOG64_TWO + f)
    z = s * s
    p = LOG_OF_32_Q3 * z + LOG_OF_32_Q2
    p = p * z + LOG_OF_32_Q1
    p = p * z + LOG_OF_32_Q0
    return s * (z * p) + (s + s)


def log2_float32(x: Any) -> Any:
    """log2(x), exact at powers of 2; computed in float64."""
    y = select(x < LOG32_SMALLEST, x * LOG32_LIFT, x)
    bits = float32_bits(y)
    n = np.int32(np.int32(bits - LOG32_ROOT_BITS) >> MANTISSA32)
    m = bits_to_float32(bits - np.int32(n << MANTISSA32))
    k = select(x < LOG32_SMALLEST, np.float32(n) - LOG32_LIFT_POWER, np.float32(n))
    y = np.float32(np.float64(k) + log_mantissa(np.float64(m)) * LOG2_OF_32)
    y = select(x < INFINITY32, y, x)
    y = select(x > ZERO32, y, -INFINITY32)
    return select(x >= ZERO32, y, NAN32)


def log10_float32(x: Any) -> Any:
    """log10(x), exact at powers of 10; computed in float64."""
    y = select(x < LOG32_SMALLEST, x * LOG32_LIFT, x)
    bits = float32_bits(y)
    n = np.int32(np.int32(bits - LOG32_ROOT_BITS) >> MANTISSA32)
    m = bits_to_float32(bits - np.int32(n << MANTISSA32))
    k = select(x < LOG32_SMALLEST, np.float32(n) - LOG32_LIFT_POWER, np.float32(n))
    y = np.float32(np.float64(k) * LOG10_OF_32_TWO + log_mantissa(np.float64(m)) * LOG10_OF_32)
    y = select(x < INFINITY32, y, x)
    y = select(x > ZERO32, y, -INFINITY32)
    return select(x >= ZERO32, y, NAN32)


def log2_float64(x: Any) -> Any:
    """log2(x), exact at powers of 2."""
    y = select(x < LOG64_SMALLEST, x * LOG64_LIFT, x)
    bits = float64_bits(y)
    n = (bits - LOG64_ROOT_BITS) >> MANTISSA64
    f = bits_to_float64(bits - (n << MANTISSA64)) - ONE64
    k = select(x < LOG64_SMALLEST, np.float64(n) - LOG64_LIFT_POWER, np.float64(n))
    s = f / (LOG64_TWO + f)
    z = s * s
    p = LOG64_G7 * z + LOG64_G6
    p = p * z + LOG64_G5
    p = p * z + LOG64_G4
    p = p * z + LOG64_G3
    p = p * z + LOG64_G2
    p = p * z + LOG64_G1
    h = HALF64 * (f * f)
    # log(m) = high + low, high with 32 bits fewer, so that its product is exact
    high = bits_to_float64(float64_bits(f - h) & LOG64_HIGH_BITS)
    low = (f - high) - h + s * (h + z * p)
    main = high * LOG2_64_HIGH
    rest = (low + high) * LOG2_64_LOW + low * LOG2_64_HIGH
    w = k + main
    y = (rest + ((k - w) + main)) + w
    y = select(x < INFINITY64, y, x)
    y = select(x > ZERO64, y, -INFINITY64)
    return select(x >= ZERO64, y, NAN64)


def log10_float64(x: Any) -> Any:
    """log10(x)."""
    y = select(x < LOG64_SMALLEST, x * LOG64_LIFT, x)
    bits = float64_bits(y)
    n = (bits - LOG64_ROOT_BITS) >> MANTISSA64
    f = bits_to_float64(bits - (n << MANTISSA64)) - ONE64
    k = select(x < LOG64_SMALLEST, np.float64(n) - LOG64_LIFT_POWER, np.float64(n))
    s = f / (LOG64_TWO + f)
    z = s * s
    p = LOG64_G7 * z + LOG64_G6
    p = p * z + LOG64_G5
    p = p * z + LOG64_G4
    p = p * z + LOG64_G3
    p = p * z + LOG64_G2
    p = p * z + LOG64_G1
    h = HALF64 * (f * f)
    high = bits_to_float64(float64_bits(f - h) & LOG64_HIGH_BITS)
    low = (f - high) - h + s * (h + z * p)
    main = high * LOG10_64_HIGH
    first = k * LOG10_64_TWO_HIGH
    rest = k * LOG10_64_TWO_LOW + (low + high) * LOG10_64_LOW + low * LOG10_64_HIGH
    w = first + main
    y = (rest + ((first - w) + main)) + w
    y = select(x < INFINITY64, y, x)
    y = select(x > ZERO64, y, -INFINITY64)
    return select(x >= ZERO64, y, NAN64)


def softplus_float32(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""
    return select(x > ZERO32, x, select(x == x, ZERO32, x)) + log1p_float32(exp_float32(-abs(x)))


def softplus_float64(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""
    return select(x > ZERO64, x, select(x == x, ZERO64, x)) + log1p_float64(exp_float64(-abs(x)))
