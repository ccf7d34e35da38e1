//! What a command measured, read from its output.

use super::json_object::Object;
use super::last_object;
use crate::BadInput;
use crate::common::text::{plain, quoted};
use crate::run::process::stream::CapturedStream;
use regex::Regex;
use rpol::study::{Metrics, Reported, Run};
use rpol::{Spec, nearest};

/// How the metrics of a study are read.
///
/// Those with a regular expression are its only group, in its last match. The others are keys of the last JSON object on
/// stdout: a number, or `[mean, standard error]`. Further keys are no matter; a metric twice in that object is refused.
#[derive(Debug)]
pub(crate) struct Reader {
    spec: Spec,
    patterns: Vec<(String, Regex)>,
}

/// What a try of the command gave.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reading {
    /// What was measured.
    pub(crate) metrics: Metrics,
    /// Why that is no result: a metric of the objective or a constraint is not among it.
    pub(crate) problem: Option<String>,
    /// What else is wrong: a tracked metric that cannot be read.
    pub(crate) note: Option<String>,
    /// Metrics of which the output, of a command that ended well, says nothing at all: rather a wrong name than a failure.
    pub(crate) lacking: Vec<String>,
}

impl Reader {
    /// Refuses an expression that cannot be read, or has not exactly one group.
    pub(crate) fn new(spec: &Spec, run: &Run) -> Result<Self, BadInput> {
        let pattern = |(metric, text): (&String, &String)| {
            let refuse = |problem: String| BadInput(format!("run.metrics.{metric}: {problem}"));
            let pattern = Regex::new(text).map_err(|error| refuse(error.to_string()))?;
            match pattern.captures_len() - 1 {
                1 => Ok((metric.clone(), pattern)),
                groups => {
                    let remedy = "put one pair of ( ) around the number, and (?: ) elsewhere";
                    Err(refuse(format!("{text:?} has {groups} groups: {remedy}")))
                }
            }
        };
        let patterns = run.metrics.iter().map(pattern).collect::<Result<_, _>>()?;
        Ok(Self { spec: spec.clone(), patterns })
    }

    pub(crate) fn read(&self, output: &CapturedStream) -> Reading {
        let (mut reading, mut problems, mut notes) = (Reading::default(), Vec::new(), Vec::new());
        let needed = self.spec.outputs();
        let keys: Vec<&str> = self.spec.metrics();
        let (by_pattern, by_key): (Vec<&str>, Vec<&str>) =
            keys.into_iter().partition(|metric| self.pattern(metric).is_some());
        let object = Object::read(&output.end, &by_key);
        let is_bare = last_object::last(&output.end).is_none();
        for metric in by_pattern.iter().chain(&by_key) {
            let found = match self.pattern(metric) {
                Some(pattern) => matched(metric, pattern, &output.end).map(Some),
                None => object.as_ref().map_err(Clone::clone).and_then(|o| o.get(metric)),
            };
            let is_needed = needed.contains(metric);
            let is_silent = match self.pattern(metric) {
                Some(_) => found.is_err(),
                None => is_bare || matches!(found, Ok(None)),
            };
            if is_needed && is_silent {
                reading.lacking.push((*metric).into());
            }
            match found.and_then(|found| self.admitted(metric, found)) {
                Ok(Some(value)) => drop(reading.metrics.insert((*metric).into(), value)),
                Ok(None) if !is_needed => {}
                Ok(None) => problems.push((*metric, missing(metric, object.as_ref().ok()))),
                Err(problem) if !is_needed => notes.push((*metric, problem)),
                Err(problem) => problems.push((*metric, problem)),
            }
        }
        reading.problem = grouped(&problems).map(|problem| problem + &printed(output));
        reading.note = grouped(&notes).filter(|_| problems.is_empty());
        reading
    }

    fn pattern(&self, metric: &str) -> Option<&Regex> {
        self.patterns.iter().find(|(own, _)| own == metric).map(|(_, pattern)| pattern)
    }

    /// A value within the bounds that the study declares.
    fn admitted(&self, metric: &str, found: Option<Reported>) -> Result<Option<Reported>, String> {
        let Some(value) = found.map(|found| found.value.get()) else { return Ok(None) };
        let bound = self.spec.objective.bound().filter(|_| metric == self.spec.objective.metric());
        if let Some(bound) = bound.filter(|bound| value.abs() > *bound) {
            return Err(format!("{value} is beyond its bound {bound}"));
        }
        for constraint in self.spec.constraints.iter().filter(|c| c.metric() == metric) {
            constraint.admit(value).map_err(|error| error.to_string())?;
        }
        Ok(found)
    }
}

fn matched(metric: &str, pattern: &Regex, text: &str) -> Result<Reported, String> {
    let last = pattern.captures_iter(text).last().and_then(|found| found.get(1));
    let last = last.ok_or_else(|| format!("{:?} matches nothing on stdout", pattern.as_str()))?;
    let found = last.as_str().trim();
    let number = found.parse::<f64>().map_err(|_| {
        format!("{:?} matches {}: a number such as 0.5 is needed", pattern.as_str(), quoted(found))
    })?;
    Reported::new(metric, number, None).map_err(|error| error.to_string())
}

fn missing(metric: &str, object: Option<&Object>) -> String {
    let keys: Vec<&str> =
        object.iter().flat_map(|object| &object.keys).map(String::as_str).collect();
    let meant = nearest(metric, &keys).map(|key| format!("did you mean {}? ", quoted(key)));
    let printed: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
    let printed = if keys.is_empty() { "no key".into() } else { printed.join(", ") };
    format!("{}the last JSON object on stdout has {printed}", meant.unwrap_or_default())
}

/// Several metrics may lack for one cause: it is said once.
fn grouped(problems: &[(&str, String)]) -> Option<String> {
    let mut causes: Vec<&String> = Vec::new();
    for (_, cause) in problems.iter() {
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    let said = |cause: &&String| {
        let of = problems.iter().filter(|(_, own)| own == *cause).map(|(metric, _)| plain(metric));
        format!("no value of {}: {cause}", of.collect::<Vec<_>>().join(", "))
    };
    let said: Vec<String> = causes.iter().map(said).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn printed(output: &CapturedStream) -> String {
    const SHOWN: usize = 200;
    let text = output.end.trim();
    if text.is_empty() {
        return "; it printed nothing".into();
    }
    let from = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    let all = if output.cut {
        format!(" (the last MiB of {} bytes)", output.seen)
    } else {
        String::new()
    };
    let how = if from > 0 || output.cut { "its output ends with" } else { "it printed" };
    format!("; {how} {:?}{all}", &text[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(regex: &str, output: &str) -> Reading {
        let spec = Spec::from_toml(&format!(
            "name = 's'\nobjective = {{ metric = 'cost', bound = 100 }}\nconstraints = ['p99 <= 1']\ntrack = ['mem']\n\
             [params]\nx = {{ type = 'float', low = 0, high = 1 }}\n[run]\ncommand = ['true']\n{regex}"
        ));
        let spec = spec.expect("a definition");
        let reader = Reader::new(&spec, spec.run.as_ref().expect("[run]")).expect("expressions");
        reader.read(&CapturedStream { end: output.into(), seen: output.len() as u64, cut: false })
    }

    fn problem(output: &str) -> String {
        read("", output).problem.expect(output)
    }

    #[test]
    fn numbers_and_standard_errors_are_read_and_other_keys_are_not() {
        let reading =
            read("", r#"{"cost": 2, "p99": [0.5, 0.1], "host": "a", "all": {"cost": 9}}"#);
        assert_eq!((reading.problem, reading.note), (None, None));
        let p99 = reading.metrics["p99"];
        assert_eq!((p99.value.get(), p99.sem.map(|sem| sem.get())), (0.5, Some(0.1)));
        assert_eq!(reading.metrics["cost"].value.get(), 2.0);
        assert_eq!(reading.metrics.len(), 2);
    }

    #[test]
    fn the_reason_names_the_metric_and_shows_what_was_printed() {
        for (output, parts) in [
            ("", ["no value of cost", "printed nothing"]),
            ("0.5\n", ["no value of cost, p99: there is no JSON object", "it printed \"0.5\""]),
            (r#"{"cost": 0,5, "p99": 1}"#, ["no value of cost", "cannot be read"]),
            (r#"{"cost": NaN, "p99": 1}"#, ["no value of cost", "is NaN: a finite number"]),
            (r#"{"cost": 1e999, "p99": 1}"#, ["no value of cost", "1e999"]),
            (r#"{"cost": "0.5", "p99": 1}"#, ["no value of cost", "is \"0.5\": a number"]),
            (r#"{"cost": null, "p99": 1}"#, ["no value of cost", "is null"]),
            (r#"{"cost": 1, "cost": 2, "p99": 1}"#, ["\"cost\" stands there twice", "no value"]),
            (r#"{"cost": 101, "p99": 1}"#, ["no value of cost: 101", "bound 100"]),
            (r#"{"cost": 1, "P99": 1}"#, ["no value of p99", "has \"cost\", \"P99\""]),
            ("{}", ["no value of cost", "has no key"]),
            ("{\"cost\": 1}\x1b[31m", ["no value of p99", "\\u{1b}[31m"]),
        ] {
            let problem = problem(output);
            assert!(parts.iter().all(|part| problem.contains(part)), "{output}: {problem}");
        }
        assert!(problem(&"x".repeat(1 << 20)).len() < 600);
    }

    #[test]
    fn of_two_objects_the_last_counts() {
        let reading = read("", "{\"cost\": 1, \"p99\": 2}\n{\"cost\": 3, \"p99\": 4}\n");
        assert_eq!(reading.metrics["cost"].value.get(), 3.0);
    }

    #[test]
    fn what_is_there_is_kept_where_something_lacks() {
        let reading = read("", r#"{"p99": 7}"#);
        assert_eq!(reading.metrics["p99"].value.get(), 7.0);
        assert!(reading.problem.expect("no cost").contains("cost"));
    }

    #[test]
    fn a_tracked_metric_that_cannot_be_read_costs_no_result() {
        let reading = read("", r#"{"cost": 1, "p99": 1, "mem": "much"}"#);
        assert_eq!((reading.problem, reading.metrics.len()), (None, 2));
        assert!(reading.note.expect("a note").contains("mem"));
    }

    #[test]
    fn the_last_match_of_an_expression_counts() {
        let regex = "[run.metrics]\ncost = 'cost: (\\S+)'\n";
        let output = "cost: 1\ncost: 2e1 {\"p99\": 1}";
        assert_eq!(read(regex, output).metrics["cost"].value.get(), 20.0);
        for (output, part) in [
            ("cost: 0,5 {\"p99\": 1}", "\"0,5\""),
            ("cost: nan {\"p99\": 1}", "NaN"),
            ("{\"p99\": 1, \"cost\": 3}", "matches nothing"),
        ] {
            let problem = read(regex, output).problem.expect(output);
            assert!(problem.contains("cost") && problem.contains(part), "{problem}");
        }
    }
}
