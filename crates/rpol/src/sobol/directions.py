"""Writes directions.txt: Joe and Kuo's primitive polynomials and initial direction numbers
(new-joe-kuo-6), one dimension a line, read from the file SciPy ships."""

import pathlib
import sys

import numpy as np
import scipy.stats

DIMENSIONS = 1024
SOURCE = "_sobol_direction_numbers.npz"

def rows():
    table = np.load(pathlib.Path(scipy.stats.__file__).parent / SOURCE)
    for polynomial, initial in zip(table["poly"][:DIMENSIONS], table["vinit"]):
        degree = int(polynomial).bit_length() - 1
        yield " ".join(str(n) for n in [polynomial, *initial[:degree]]) + "\n"


def main():
    out = pathlib.Path(sys.argv[1])
    (out / "directions.txt").write_text("".join(rows()))


main()
