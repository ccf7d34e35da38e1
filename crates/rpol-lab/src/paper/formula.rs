//! Numbers of the settings that depend on others: `"ckb_G * sqrt(T) / ckb_rho"`.

use anyhow::{Context, Result, bail, ensure};
use std::collections::HashMap;

/// Constants by name.
pub(super) type Constants = HashMap<String, f64>;

/// What a formula comes to.
pub(super) fn value(text: &str, constants: &Constants) -> Result<f64> {
    let mut reader = Reader { rest: text, constants };
    let value = reader.sum().with_context(|| format!("in the formula `{text}`"))?;
    ensure!(reader.next().is_none(), "in the formula `{text}`: `{}` is left over", reader.rest);
    ensure!(value.is_finite(), "the formula `{text}` is not a finite number");
    Ok(value)
}

struct Reader<'a> {
    rest: &'a str,
    constants: &'a Constants,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn sum(&mut self) -> Result<f64> {
        let mut total = self.product()?;
        loop {
            if self.eat('+') {
                total += self.product()?;
            } else if self.eat('-') {
                total -= self.product()?;
            } else {
                return Ok(total);
            }
        }
    }

    fn product(&mut self) -> Result<f64> {
        let mut total = self.atom()?;
        loop {
            if self.eat('*') {
                total *= self.atom()?;
            } else if self.eat('/') {
                total /= self.atom()?;
            } else {
                return Ok(total);
            }
        }
    }

    fn atom(&mut self) -> Result<f64> {
        match self.next() {
            Some('(') => self.bracketed(),
            Some(c) if c.is_ascii_digit() => {
                Ok(self.word(|c| c.is_ascii_digit() || c == '.').parse()?)
            }
            Some(c) if c.is_alphabetic() => {
                let name = self.word(|c| c.is_alphanumeric() || c == '_');
                if self.next() == Some('(') { self.function(name) } else { self.constant(name) }
            }
            Some(c) => bail!("`{c}` is not expected"),
            None => bail!("something is missing at the end"),
        }
    }

    fn bracketed(&mut self) -> Result<f64> {
        ensure!(self.eat('('), "`(` is missing");
        let value = self.sum()?;
        ensure!(self.eat(')'), "`)` is missing");
        Ok(value)
    }

    fn function(&mut self, name: &str) -> Result<f64> {
        let of: fn(f64) -> f64 = match name {
            "sqrt" => f64::sqrt,
            "ln" => f64::ln,
            "ceil" => f64::ceil,
            _ => bail!("`{name}` is not a function: use sqrt, ln or ceil"),
        };
        self.bracketed().map(of)
    }

    fn constant(&self, name: &str) -> Result<f64> {
        self.constants.get(name).copied().with_context(|| format!("`{name}` is not defined above"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Constants, value};

    #[test]
    fn formulas_come_to_what_they_say() {
        let constants = Constants::from([("T".into(), 500.0), ("G".into(), 2.0)]);
        let of = |text: &str| value(text, &constants).unwrap();
        assert_eq!(of("1 + 2 / T"), 1.004);
        assert_eq!(of("ceil(T / 7)"), 72.0);
        assert_eq!(of("G * sqrt(T * 5) / (3 - 1 - 1)"), 100.0);
        assert_eq!(of("ln(1)"), 0.0);
    }

    #[test]
    fn what_is_not_a_formula_is_refused() {
        for text in ["", "1 +", "x", "sin(1)", "(1", "1 2", "1 / 0", "2 $ 2", "1.2.3"] {
            assert!(value(text, &Constants::new()).is_err(), "{text}");
        }
    }
}
