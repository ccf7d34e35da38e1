//! Products of blocks, $C \leftarrow C - AB^\top$.
//!
//! Both factors are copied into strips first, so that the inner loop reads them in order, and the
//! sums of a small tile of $C$ stay in registers. Every entry is summed in one order, whatever the
//! width of the registers and the size of the caches: processors with and without AVX-512 agree in
//! every bit, and a log made on one passes an audit on the other.

use crate::simd::{Loops, Math, run};

/// Rows and columns of a tile: with its 48 sums and their factors it fits sixteen registers of four numbers, and two
/// tiles fit 32 registers of eight.
const ROWS: usize = 8;
const COLUMNS: usize = 6;
/// The longest sum in one go: so much of a strip stays in the nearest cache.
const DEPTH: usize = 256;
/// Strips of $A$ that stay in the second cache.
const STRIPS: usize = 24;

/// A matrix that is read: entry `(i, j)` is at `i * down + j * right`.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) data: &'a [f64],
    pub(super) down: usize,
    pub(super) right: usize,
}

impl<'a> View<'a> {
    /// Columns that begin every `stride` entries.
    pub(super) fn columns(data: &'a [f64], stride: usize) -> Self {
        Self { data, down: 1, right: stride }
    }

    pub(super) fn transposed(self) -> Self {
        Self { down: self.right, right: self.down, ..self }
    }

    /// What begins at row `i` and column `j`.
    pub(super) fn from(self, i: usize, j: usize) -> Self {
        let start = (i * self.down + j * self.right).min(self.data.len());
        Self { data: &self.data[start..], ..self }
    }
}

/// How much of $C$ is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// Its lower triangle; what lies above may be left as it is or not.
    Lower,
}

/// The size of a product.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Of $C$ and $A$.
    pub(super) rows: usize,
    /// Of $C$, and the rows of $B$.
    pub(super) columns: usize,
    /// How many terms a sum has.
    pub(super) depth: usize,
}

/// Room for the strips of both factors, used again by the next product.
#[derive(Default)]
pub(super) struct Strips {
    a: Vec<[f64; ROWS]>,
    b: Vec<[f64; COLUMNS]>,
}

impl Strips {
    /// $C \leftarrow C - AB^\top$, where a column of $C$ begins every `stride` entries of `c`.
    pub(super) fn subtract(
        &mut self,
        c: &mut [f64],
        stride: usize,
        Shape { rows, columns, depth }: Shape,
        [a, b]: [View<'_>; 2],
        part: Part,
    ) {
        for first in (0..depth).step_by(DEPTH) {
            let depth = DEPTH.min(depth - first);
            cut(a.from(0, first), rows, depth, &mut self.a);
            cut(b.from(0, first), columns, depth, &mut self.b);
            let shape = Shape { rows, columns, depth };
            run(Product { strips: self, c, stride, shape, part });
        }
    }
}

/// Copies `rows` of a matrix into strips of `W` of them, each column after column; the last is filled up with zeros.
fn cut<const W: usize>(from: View<'_>, rows: usize, depth: usize, to: &mut Vec<[f64; W]>) {
    to.resize(rows.div_ceil(W) * depth, [0.0; W]);
    for (top, strip) in (0..rows).step_by(W).zip(to.chunks_exact_mut(depth)) {
        let high = W.min(rows - top);
        if from.down == 1 && high == W {
            for (k, out) in strip.iter_mut().enumerate() {
                out.copy_from_slice(&from.data[k * from.right + top..][..W]);
            }
            continue;
        }
        if high < W {
            strip.fill([0.0; W]);
        }
        for i in 0..high {
            let row = &from.data[(top + i) * from.down..];
            for (k, out) in strip.iter_mut().enumerate() {
                out[i] = row[k * from.right];
            }
        }
    }
}

struct Product<'a> {
    strips: &'a Strips,
    c: &'a mut [f64],
    stride: usize,
    shape: Shape,
    part: Part,
}

impl Loops for Product<'_> {
    #[inline(always)]
    fn run<M: Math>(mut self) {
        let Shape { rows, columns, depth } = self.shape;
        let count = rows.div_ceil(ROWS);
        for block in (0..count).step_by(STRIPS) {
            let end = count.min(block + STRIPS);
            for (j, b) in (0..columns).step_by(COLUMNS).zip(self.strips.b.chunks_exact(depth)) {
                let mut strip = match self.part {
                    Part::Whole => block,
                    Part::Lower => block.max(j / ROWS),
                };
                while M::WIDE && strip + 2 <= end {
                    let (upper, lower) = self.strips.a[strip * depth..].split_at(depth);
                    let [upper, lower] = two_tiles::<M>(upper, &lower[..depth], b);
                    self.put(strip * ROWS, j, &upper);
                    self.put((strip + 1) * ROWS, j, &lower);
                    strip += 2;
                }
                for strip in strip..end {
                    let sums = tile::<M>(&self.strips.a[strip * depth..][..depth], b);
                    self.put(strip * ROWS, j, &sums);
                }
            }
        }
    }
}

/// The sums of a tile, column by column.
type Sums = [[f64; ROWS]; COLUMNS];

impl Product<'_> {
    /// Subtracts the part of a tile that is inside.
    #[inline(always)]
    fn put(&mut self, i: usize, j: usize, sums: &Sums) {
        let high = ROWS.min(self.shape.rows - i);
        let wide = COLUMNS.min(self.shape.columns - j);
        for (q, sums) in sums.iter().enumerate().take(wide) {
            let column = &mut self.c[(j + q) * self.stride + i..][..high];
            if high == ROWS {
                // Of a length that is known here, it needs no loop.
                column.iter_mut().zip(sums).take(ROWS).for_each(|(x, sum)| *x -= sum);
            } else {
                column.iter_mut().zip(sums).for_each(|(x, sum)| *x -= sum);
            }
        }
    }
}

#[inline(always)]
fn tile<M: Math>(a: &[[f64; ROWS]], b: &[[f64; COLUMNS]]) -> Sums {
    let mut sums = [[0.0; ROWS]; COLUMNS];
    for (a, b) in a.iter().zip(b) {
        for q in 0..COLUMNS {
            for p in 0..ROWS {
                sums[q][p] = M::mul_add(a[p], b[q], sums[q][p]);
            }
        }
    }
    sums
}

/// Two tiles below each other, for which every entry of `b` is fetched once.
#[inline(always)]
fn two_tiles<M: Math>(
    upper: &[[f64; ROWS]],
    lower: &[[f64; ROWS]],
    b: &[[f64; COLUMNS]],
) -> [Sums; 2] {
    let (mut above, mut below) = ([[0.0; ROWS]; COLUMNS], [[0.0; ROWS]; COLUMNS]);
    for ((upper, lower), b) in upper.iter().zip(lower).zip(b) {
        for q in 0..COLUMNS {
            for p in 0..ROWS {
                above[q][p] = M::mul_add(upper[p], b[q], above[q][p]);
            }
            for p in 0..ROWS {
                below[q][p] = M::mul_add(lower[p], b[q], below[q][p]);
            }
        }
    }
    [above, below]
}
