//! Parameters as environment variables.

use crate::BadInput;
use rpol::Space;

/// The variable of a parameter: upper case, with `_` for whatever is not a letter or digit of ASCII.
pub(crate) fn variable(param: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("RPOL_PARAM_{}", param.chars().map(safe).collect::<String>())
}

/// Refuses parameters that a child could not tell apart.
pub(crate) fn check(space: &Space) -> Result<(), BadInput> {
    let names: Vec<&String> = space.params().keys().collect();
    for (i, name) in names.iter().enumerate() {
        let own = variable(name);
        if let Some(other) = names[..i].iter().find(|other| variable(other) == own) {
            let problem = format!("{other:?} and {name:?} would both be {own} in the environment");
            return Err(BadInput(format!("params: {problem}: rename one")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rpol::Param;

    fn checked(params: [(&str, Param); 2]) -> Result<(), String> {
        check(&Space::new(params).map_err(|e| e.to_string())?).map_err(|e| e.0)
    }

    #[test]
    fn a_variable_is_upper_case_and_plain() {
        assert_eq!(variable("ttl_s"), "RPOL_PARAM_TTL_S");
        assert_eq!(variable("p99 ms=ä"), "RPOL_PARAM_P99_MS__");
    }

    #[test]
    fn names_that_collide_are_refused() {
        let one = || Param::float(0.0, 1.0);
        assert_eq!(checked([("a", one()), ("b", one())]), Ok(()));
        let both = checked([("a-b", one()), ("a b", one())]).expect_err("both are A_B");
        assert!(both.contains("RPOL_PARAM_A_B") && both.contains("rename"), "{both}");
    }
}
