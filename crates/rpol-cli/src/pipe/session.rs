//! One study and what is asked of it.

use super::failure::Failure;
use super::raw::{self, Fields};
use rpol::study::{Event, Told};
use rpol::{Error, Spec, Study};
use serde::Serialize;
use serde_json::{json, value::RawValue};

#[derive(Default)]
pub(super) struct Session {
    study: Option<Study>,
}

type Answer = Result<String, Failure>;

const COMMANDS: &str = "create, ask, tell, add, fail, void, correct, status, trials, log, replay";

impl Session {
    pub(super) fn answer(&mut self, line: &str) -> Answer {
        self.request(&raw::legible(line))
    }

    fn request(&mut self, line: &str) -> Answer {
        let fields = Fields::read("the request", line)?.0;
        let [(command, body)] = &fields[..] else {
            let problem =
                format!("{} commands in one object: give one of {COMMANDS}", fields.len());
            return Err(Failure::request(problem));
        };
        self.dispatch(command, body)
    }

    fn dispatch(&mut self, command: &str, body: &RawValue) -> Answer {
        let fields = |known: &[&str]| Fields::read(command, body.get())?.only(command, known);
        match command {
            "create" => self.create(body),
            "replay" => self.replay(body),
            "ask" => ask(self.study()?, &fields(&["params", "count"])?),
            "tell" => tell(self.study()?, &fields(MEASURED)?),
            "add" => add(self.study()?, &fields(HISTORY)?),
            "fail" => fail(self.study()?, &fields(&["number", "reason"])?),
            "void" => void(self.study()?, &fields(&["number", "reason"])?),
            "correct" => correct(self.study()?, &fields(MEASURED)?),
            "status" => fields(&[]).and_then(|_| Ok(written(&self.study()?.status()))),
            "trials" => fields(&[]).and_then(|_| Ok(listed("trials", self.study()?.trials()))),
            "log" => fields(&[]).and_then(|_| Ok(listed("log", self.study()?.log()))),
            _ => {
                let shown: String = command.chars().take(60).collect();
                let problem = format!("the command {shown:?} is not known: use one of {COMMANDS}");
                Err(Failure::request(problem))
            }
        }
    }

    fn study(&mut self) -> Result<&mut Study, Failure> {
        let missing = || Failure::new("NoStudy", "there is no study yet: create or replay one");
        self.study.as_mut().ok_or_else(missing)
    }

    fn create(&mut self, body: &RawValue) -> Answer {
        let spec = Spec::from_json(body.get())?;
        let Some(study) = &self.study else {
            return Ok(self.begin(Study::create(spec)?));
        };
        let (name, differences) = (&study.spec().name, study.spec().differences(&spec));
        if differences.is_empty() {
            return Ok(json!({ "created": name, "resumed": true }).to_string());
        }
        let problem = format!(
            "the study {name:?} is here, and its definition is another: {}; \
             create it as it was, or start another pipe",
            differences.join("; ")
        );
        Err(Failure::new("StudyExists", problem))
    }

    fn replay(&mut self, body: &RawValue) -> Answer {
        if let Some(study) = &self.study {
            let problem = format!("the study {:?} is here: start another pipe", study.spec().name);
            return Err(Failure::new("StudyExists", problem));
        }
        let entries: Vec<&RawValue> = serde_json::from_str(body.get())
            .map_err(|e| Failure::request(format!("replay needs a list of events: {e}")))?;
        let read = |(position, raw): (usize, &&RawValue)| {
            serde_json::from_str::<Event>(raw.get())
                .map_err(|e| Error::InvalidLog { position, problem: e.to_string() })
        };
        let log = entries.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(self.begin(Study::replay(log)?))
    }

    fn begin(&mut self, study: Study) -> String {
        json!({ "created": self.study.insert(study).spec().name }).to_string()
    }
}

/// Fields that every report of a measurement must have.
const MEASURED: &[&str] = &["number", "metrics"];
const HISTORY: &[&str] = &["params", "metrics"];

fn ask(study: &mut Study, fields: &Fields<'_>) -> Answer {
    match (fields.get("params"), fields.get("count")) {
        (None, None) => Ok(written(&study.ask()?)),
        (Some(params), None) => Ok(written(&study.ask_for(raw::params(params.get())?)?)),
        (None, Some(count)) => Ok(listed("trials", &study.ask_many(raw::count(count)?)?)),
        (Some(_), Some(_)) => {
            Err(Failure::request("ask has both params and count: leave out one of the two"))
        }
    }
}

fn tell(study: &mut Study, fields: &Fields<'_>) -> Answer {
    let number = raw::trial(fields.need("number", MEASURED)?)?;
    let metrics = raw::metrics(fields.need("metrics", MEASURED)?.get())?;
    Ok(match study.tell(number, metrics)? {
        Told::New => format!("{{\"told\":{number}}}"),
        Told::Repeated => format!("{{\"told\":{number},\"repeated\":true}}"),
        Told::Further(further) => format!("{{\"told\":{further},\"further_of\":{number}}}"),
    })
}

fn add(study: &mut Study, fields: &Fields<'_>) -> Answer {
    let params = raw::params(fields.need("params", HISTORY)?.get())?;
    let metrics = raw::metrics(fields.need("metrics", HISTORY)?.get())?;
    Ok(json!({ "number": study.add(params, metrics)? }).to_string())
}

fn correct(study: &mut Study, fields: &Fields<'_>) -> Answer {
    let number = raw::trial(fields.need("number", MEASURED)?)?;
    study.correct(number, raw::metrics(fields.need("metrics", MEASURED)?.get())?)?;
    Ok(json!({ "corrected": number }).to_string())
}

fn fail(study: &mut Study, fields: &Fields<'_>) -> Answer {
    let (number, reason) = reasoned(fields)?;
    study.fail(number, reason)?;
    Ok(json!({ "failed": number }).to_string())
}

fn void(study: &mut Study, fields: &Fields<'_>) -> Answer {
    let (number, reason) = reasoned(fields)?;
    study.void(number, reason)?;
    Ok(json!({ "voided": number }).to_string())
}

fn reasoned(fields: &Fields<'_>) -> Result<(u64, String), Failure> {
    let number = raw::trial(fields.need("number", &["number"])?)?;
    Ok((number, raw::text("reason", fields.get("reason"))?))
}

/// Straight to text: a tree in between would sort the user's parameters.
fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("text keys and no failing parts")
}

fn listed<T: Serialize>(name: &str, items: &[T]) -> String {
    format!("{{\"{name}\":{}}}", written(&items))
}
