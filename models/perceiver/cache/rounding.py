"""What is stored is rounded, so that a cache holds the same numbers wherever it is read and compresses well.

A detector's boxes are off by more than 1/64 of a pixel. Of its features more has to stay: materials differ in components
of small variance.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

BOX_STEPS: Final = 480 * 64  # over the width of the picture: 1/64 pixel at 480x320
FEATURE_BITS: Final = 12  # of the 16 of half precision: sign, 5 of the exponent, 6 of the mantissa

_CLEARED: Final = 16 - FEATURE_BITS
_LARGEST: Final = float(np.array(0x7BFF >> _CLEARED << _CLEARED, np.uint16).view(np.float16))  # below infinity


def round_boxes(boxes: NDArray[Any], width: int) -> NDArray[np.float32]:
    """Corners to the nearest 1/64 pixel of a picture that is 480 pixels wide, in single precision.

    Args:
        boxes: corners in pixels of a picture that is `width` pixels wide, of any shape.
        width: of the picture.

    Returns:
        Corners of the same shape, off by half a step at most.
    """
    step = width / BOX_STEPS
    return (np.rint(np.asarray(boxes, np.float64) / step) * step).astype(np.float32)


def round_features(features: NDArray[Any]) -> NDArray[np.float16]:
    """Half precision whose low bits of the mantissa are zero; round to nearest, ties to even.

    Args:
        features: of any shape; what is larger than the largest number of these bits is clipped.

    Returns:
        Features of the same shape, off by 1/128 of their size at most.
    """
    bits = np.clip(features, -_LARGEST, _LARGEST).astype(np.float16).view(np.uint16).astype(np.uint32)
    even = (bits >> _CLEARED) & 1
    nearest = (bits + (1 << (_CLEARED - 1)) - 1 + even) >> _CLEARED << _CLEARED
    return nearest.astype(np.uint16).view(np.float16)
