//! New inputs from old ones: bytes flipped, parts cut, doubled and exchanged, words put in.

use rpol::random::Stream;
use std::collections::BTreeSet;
use std::fs;

/// Longer inputs are cut.
const LONGEST: usize = 128 << 10;
/// How many inputs are learned to begin from, beside those of the corpus.
const MOST: usize = 2_000;
/// Words that no example has.
const WORDS: [&str; 34] = [
    "NaN",
    "Infinity",
    "1e999",
    "-1e308",
    "1e308",
    "5e-324",
    "-0.0",
    "0",
    "-1",
    "1e16",
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "18446744073709551615",
    "18446744073709551616",
    "9007199254740993",
    "-9223372036854775808",
    "1000000000",
    "\\u0000",
    "\\ud800",
    "\u{202e}",
    "\u{feff}",
    "[[[[[[[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "'",
    "\"",
    "\n",
    "\t",
    "\u{301}",
    "\u{212a}",
    "K",
    ",",
];

pub(crate) struct Mutator {
    inputs: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    random: Stream,
    /// How many inputs are those of the corpus.
    given: usize,
}

impl Mutator {
    pub(crate) fn new(target: &str, seed: u64) -> Self {
        let mut inputs = first_inputs(target);
        let mut words: BTreeSet<Vec<u8>> = WORDS.iter().map(|w| w.as_bytes().to_vec()).collect();
        for input in &inputs {
            let parts = input.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            words.extend(parts.filter(|p| !p.is_empty() && p.len() < 40).map(<[u8]>::to_vec));
        }
        inputs.push(Vec::new());
        let (given, words) = (inputs.len(), words.into_iter().collect());
        Self { inputs, words, random: Stream::new(seed, 0), given }
    }

    pub(crate) fn inputs(&self) -> Vec<Vec<u8>> {
        self.inputs.clone()
    }

    /// An input that led to something new is a good one to begin from; where there are enough it takes the place of one
    /// that was learned before.
    pub(crate) fn learn(&mut self, input: Vec<u8>) {
        if self.inputs.len() < self.given + MOST {
            return self.inputs.push(input);
        }
        let place = self.given + self.random.below(MOST);
        self.inputs[place] = input;
    }

    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut input = self.any_input();
        for _ in 0..=self.random.below(5) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn any_input(&mut self) -> Vec<u8> {
        self.inputs[self.random.below(self.inputs.len())].clone()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let (from, to) = self.part(input);
        let word = self.words[self.random.below(self.words.len())].clone();
        match self.random.below(10) {
            0 if !input.is_empty() => {
                input[from.min(to.saturating_sub(1))] ^= 1 << self.random.below(8)
            }
            1 if from < to => input[from] = self.random.next_u64() as u8,
            2 => drop(input.drain(from..to)),
            3 => {
                let part = input[from..to].to_vec();
                let at = self.random.below(input.len() + 1);
                drop(input.splice(at..at, part));
            }
            4 => {
                let other = self.any_input();
                let (begin, end) = self.part(&other);
                drop(input.splice(from..to, other[begin..end].iter().copied()));
            }
            5 => drop(input.splice(from..from, word)),
            6 => self.exchange_line(input),
            _ => self.exchange_word(input, &word),
        }
    }

    /// A short part, mostly.
    fn part(&mut self, input: &[u8]) -> (usize, usize) {
        let from = self.random.below(input.len() + 1);
        let most = 1 << self.random.below(12);
        (from, (from + self.random.below(most + 1)).min(input.len()))
    }

    /// The whole word at some place for another: what is left is often understood.
    fn exchange_word(&mut self, input: &mut Vec<u8>, word: &[u8]) {
        let at = self.random.below(input.len().max(1));
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-+".contains(byte);
        let Some(begin) = input.iter().skip(at).position(is_part).map(|skipped| at + skipped)
        else {
            return;
        };
        let length = input[begin..].iter().take_while(|byte| is_part(byte)).count();
        drop(input.splice(begin..begin + length, word.iter().copied()));
    }

    /// A whole line for one of another input.
    fn exchange_line(&mut self, input: &mut Vec<u8>) {
        let other = self.any_input();
        let lines: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
        let mut own: Vec<Vec<u8>> =
            input.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let line = lines[self.random.below(lines.len())].to_vec();
        let at = self.random.below(own.len());
        match self.random.below(2) {
            0 => own[at] = line,
            _ => own.insert(at, line),
        }
        *input = own.join(&b'\n');
    }
}

/// Those of the corpus.
fn first_inputs(target: &str) -> Vec<Vec<u8>> {
    let folder = crate::fuzz_folder().join("corpus").join(target);
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = files.map(|file| file.path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}
