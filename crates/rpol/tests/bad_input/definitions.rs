//! The table "Study definitions": every refusal is `InvalidSpec` with the path of the field.

use super::{definition, says};
use rpol::study::{Spec, Study};
use serde_json::{Value, json};

/// The definition with one field changed; the pointer is that of JSON.
fn with(pointer: &str, value: Value) -> Value {
    let mut spec = definition();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = spec.pointer_mut(parent).unwrap();
    parent.as_object_mut().unwrap().insert(key.into(), value);
    spec
}

#[track_caller]
fn refused(spec: &Value, path: &str, words: &[&str]) {
    refused_text(&spec.to_string(), path, words);
}

#[track_caller]
fn refused_text(text: &str, path: &str, words: &[&str]) {
    let error = Spec::from_json(text).unwrap_err();
    says(&error, "InvalidSpec", words);
    assert!(error.to_string().starts_with(&format!("{path}: ")), "{path} | {error}");
}

fn float(low: f64, high: f64) -> Value {
    json!({"type": "float", "low": low, "high": high})
}

#[test]
fn low_above_high() {
    refused(&with("/params/x", float(2.0, 1.5)), "params.x.low", &["2.0", "1.5", "swap"]);
    let int = json!({"type": "int", "low": 9, "high": 3});
    refused(&with("/params/n", int), "params.n.low", &["9", "3", "swap"]);
}

#[test]
fn log_from_zero() {
    let log = json!({"type": "float", "low": 0, "high": 1, "log": true});
    refused(&with("/params/x", log), "params.x.low", &["0.0", "raise it above 0"]);
    let log = json!({"type": "int", "low": -1, "high": 9, "log": true});
    refused(&with("/params/x", log), "params.x.low", &["-1", "raise it to 1"]);
}

#[test]
fn no_parameters() {
    refused(&with("/params", json!({})), "params", &["0 parameters", "define one"]);
    let fixed = json!({"x": float(1.0, 1.0), "m": {"type": "categorical", "choices": ["a"]}});
    refused(&with("/params", fixed), "params", &["fixed", "leave one free"]);
    let many: serde_json::Map<String, Value> =
        (0..2000).map(|i| (format!("p{i}"), float(0.0, 1.0))).collect();
    refused(&with("/params", many.into()), "params", &["2000", "fix some"]);
}

#[test]
fn more_than_an_ask_can_answer_for() {
    let floats = |count: usize| -> serde_json::Map<String, Value> {
        (0..count).map(|i| (format!("p{i}"), float(0.0, 1.0))).collect()
    };
    refused(&with("/params", floats(101).into()), "params", &["101", "fix some", "100"]);
    let choices =
        |count: usize| json!({"type": "categorical", "choices": (0..count).collect::<Vec<_>>()});
    refused(&with("/params/m", choices(1001)), "params.m.choices", &["1001", "1000", "type int"]);
    let limits = |count: usize| (0..count).map(|i| format!("m{i} <= 5")).collect::<Vec<_>>();
    refused(&with("/constraints", limits(17).into()), "constraints", &["17", "16", "worst"]);
    let names = (0..257).map(|i| format!("t{i}")).collect::<Vec<_>>();
    refused(&with("/track", names.into()), "track", &["257", "256", "leave out"]);
    // Just as many as may be.
    let sized = |params: usize, constraints: usize| {
        let mut spec = with("/params", floats(params - 1).into());
        spec["params"]["m"] = choices(1000);
        spec["constraints"] = limits(constraints).into();
        spec
    };
    for (params, constraints) in [(100, 9), (58, 16)] {
        let spec = Spec::from_json(&sized(params, constraints).to_string()).unwrap();
        assert!(Study::create(spec).is_ok());
    }
    refused(&sized(59, 16), "params", &["59", "16 constraints", "58 is the most"]);
}

#[test]
fn duplicate_names_also_after_case_folding() {
    refused(&with("/params/X", float(0.0, 1.0)), "params", &["\"x\"", "\"X\"", "rename one"]);
    let x = float(0.0, 1.0);
    let twice = format!(r#"{{"name": "s", "objective": "y", "params": {{"x": {x}, "x": {x}}}}}"#);
    refused_text(&twice, "params", &["\"x\"", "rename one"]);
    let twice =
        format!(r#"{{"name": "s", "name": "t", "objective": "y", "params": {{"x": {x}}}}}"#);
    refused_text(&twice, "name", &["duplicate field"]);
}

#[test]
fn unusable_names() {
    let bad = [("", "empty"), ("a\0b", r"\0"), ("a\nb", r"\n"), ("\u{1b}[31m", r"\u{1b}")];
    let long = "n".repeat(10_000);
    for (name, word) in bad.into_iter().chain([(long.as_str(), "200 or fewer")]) {
        refused(&with("/name", json!(name)), "name", &[word]);
        let mut params = definition();
        params["params"][name] = float(0.0, 1.0);
        let error = Spec::from_json(&params.to_string()).unwrap_err();
        says(&error, "InvalidSpec", &["params.", word]);
        refused(&with("/objective", json!({"metric": name})), "objective", &[word]);
        refused(&with("/track", json!(["a", name])), "track[1]", &[word]);
    }
}

#[test]
fn unknown_names_of_things() {
    refused(
        &with("/model", json!({"kernel": {"type": "matern7"}})),
        "model.kernel.type",
        &["matern7", "matern52"],
    );
    refused(&with("/policy", json!({"type": "greedy"})), "policy.type", &["greedy", "rectified"]);
    refused(
        &with("/strategy", json!({"type": "oracle"})),
        "strategy.type",
        &["oracle", "censored"],
    );
    refused(
        &with("/confidence", json!({"width": {"type": "wide"}})),
        "confidence.width.type",
        &["wide", "igp"],
    );
    refused(&with("/algorithm", json!("magic")), "algorithm", &["magic", "rpol-ucb"]);
    refused(&with("/preset", json!("best")), "preset", &["best", "practical", "line 1 column"]);
}

#[test]
fn unknown_and_missing_fields() {
    refused(&with("/extra", json!(1)), "extra", &["unknown field", "objective", "line 1 column"]);
    refused(&with("/params/x/step", json!(1)), "params.x.step", &["step", "low"]);
    refused(&with("/model", json!({"noize": 1})), "model.noize", &["noize", "noise"]);
    refused(&with("/policy", json!({"type": "rectified", "step": 1})), "policy.step", &["step"]);
    let window = json!({"type": "sliding_window", "windows": 3});
    refused(&with("/strategy", window), "strategy.windows", &["windows", "window"]);
    refused(&with("/params/x", json!({"type": "float", "low": 0})), "params.x.high", &["missing"]);
    let mut spec = definition();
    spec.as_object_mut().unwrap().remove("params");
    refused(&spec, "params", &["missing field"]);
    let escape = "\u{1b}[2J".repeat(4000);
    let error = Spec::from_json(&with(&format!("/{escape}"), json!(1)).to_string()).unwrap_err();
    says(&error, "InvalidSpec", &["unknown field"]);
}

#[test]
fn values_of_the_wrong_type() {
    refused(&with("/params/x/low", json!("0")), "params.x.low", &["\"0\"", "a number"]);
    refused(&with("/params/n/high", json!(2.5)), "params.n.high", &["2.5", "a whole number"]);
    refused(&with("/params/x/log", json!("yes")), "params.x.log", &["yes", "true or false"]);
    refused(&with("/params", json!([1])), "params", &["table of parameter definitions"]);
    refused(&with("/seed", json!(-1)), "seed", &["-1", "a whole number from 0", "line 1 column"]);
    refused(&with("/horizon", json!(1.5)), "horizon", &["1.5", "a whole number"]);
    refused(&with("/objective", json!(3)), "objective", &["minimize cost"]);
    refused(
        &with("/objective", json!({"metric": "y", "direction": "up"})),
        "objective.direction",
        &["minimize cost"],
    );
    let strategy = json!({"type": "sliding_window", "window": "ten"});
    refused(&with("/strategy", strategy), "strategy.window", &["ten"]);
    let width = json!({"width": {"type": "igp", "bound": "b", "noise": 1, "p": 0.1}});
    refused(&with("/confidence", width), "confidence.width.bound", &["a number"]);
    let kernel = json!({"kernel": {"type": "scaled", "variance": 1,
        "kernel": {"type": "matern52", "lengthscales": [0.1, "a"]}}});
    refused(&with("/model", kernel), "model.kernel.kernel.lengthscales[1]", &["\"a\""]);
}

#[test]
fn numbers_out_of_range() {
    for number in ["1e999", "-1e999"] {
        let text = definition().to_string().replace("\"low\":-5", &format!("\"low\":{number}"));
        refused_text(&text, "params.x.low", &["number out of range", "give a finite number"]);
    }
    refused_text(
        &definition().to_string().replace("-5", "NaN"),
        "params.x.low",
        &["line 1 column"],
    );
}

#[test]
fn a_fixed_parameter_is_dropped_from_the_model() {
    let spec = with("/params/x", float(3.5, 3.5));
    let spec = Spec::from_json(&spec.to_string()).unwrap();
    assert_eq!(spec.params.dims(), 1);
    let asked = Study::create(spec).unwrap().ask().unwrap();
    assert_eq!(asked.params["x"].to_string(), "3.5");
}

#[test]
fn narrow_and_overflowing_widths() {
    let narrow = with("/params/x", float(1.0, 1f64.next_up()));
    let mut study = Study::create(Spec::from_json(&narrow.to_string()).unwrap()).unwrap();
    for _ in 0..8 {
        let asked = study.ask().unwrap();
        assert!(["1.0", "1.0000000000000002"].contains(&asked.params["x"].to_string().as_str()));
        study.tell(asked.number, [("reward", 1.0), ("cost", 0.0)]).unwrap();
    }
    let wide = with("/params/x", float(-1e308, 1e308));
    refused(&wide, "params.x.high", &["1e308", "overflows", "closer"]);
}

#[test]
fn constants_outside_their_range() {
    for noise in [0.0, -1.0] {
        refused(&with("/model", json!({"noise": noise})), "model.noise", &["above 0"]);
    }
    for p in [0.0, 1.0, -0.5, 1.5] {
        let width = json!({"width": {"type": "igp", "bound": 1, "noise": 1, "p": p}});
        refused(&with("/confidence", width), "confidence.width.p", &["between 0 and 1"]);
    }
    let width = json!({"width": {"type": "constant", "beta": -1}});
    refused(&with("/confidence", width), "confidence.width.beta", &["-1", "above 0"]);
    let width = json!({"width": {"type": "constant", "beta": {"reward": 1}}});
    refused(&with("/confidence", width), "confidence.width.beta.cost", &["missing"]);
    let window = json!({"type": "sliding_window", "window": 0});
    refused(&with("/strategy", window), "strategy.window", &["0", "at least 1"]);
    let censored = json!({"type": "censored", "within": 0});
    refused(&with("/strategy", censored), "strategy.within", &["0", "at least 1"]);
    refused(&with("/model", json!({"lengthscale": -1})), "model.lengthscale", &["-1", "above 0"]);
    let kernel = json!({"kernel": {"type": "matern52", "lengthscales": [1, -2]}});
    refused(&with("/model", kernel), "model.kernel.lengthscales[1]", &["-2"]);
    let kernel = json!({"kernel": {"type": "matern52", "lengthscales": [1]}});
    refused(&with("/model", kernel), "model.kernel.lengthscales", &["1 values for 2"]);
    refused(&with("/horizon", json!(0)), "horizon", &["0 rounds", "at least 1"]);
    refused(&with("/objective/bound", json!(-1)), "objective.bound", &["-1", "above 0"]);
}

#[test]
fn constraints_by_their_place() {
    let constraints = |list: Value| with("/constraints", list);
    refused(&constraints(json!(["a <= 1", "b < 2"])), "constraints[1]", &["b < 2", "use <="]);
    let table = json!(["a <= 1", {"expression": "b <= 2", "budget": -1}]);
    refused(&constraints(table), "constraints[1].budget", &["-1.0", "give 0 or more"]);
    let table = json!([{"expression": "b <= 2", "bound": 1}]);
    refused(&constraints(table), "constraints[0].bound", &["1.0", "threshold 2.0", "raise it"]);
    let table = json!([{"expression": "b <= 2", "bounds": 3}]);
    refused(&constraints(table), "constraints[0].bounds", &["unknown field"]);
    refused(&constraints(json!([3])), "constraints[0]", &["p99_ms <= 250"]);
    refused(&constraints(json!(["a <= 1", "1 >= a"])), "constraints[1]", &["twice", "remove one"]);
    let relative = json!(["qps >= 0.95 * baseline"]);
    refused(&constraints(relative), "baseline", &["qps >= 0.95 * baseline", "give [baseline]"]);
}

#[test]
fn baselines_that_do_not_fit() {
    let out = json!({"params": {"x": 11, "n": 1}});
    refused(&with("/baseline", out), "baseline.params", &["params.x is 11", "[-5, 10]"]);
    let unknown = json!({"params": {"x": 0, "n": 1}, "metrics": {"speed": 1}});
    refused(&with("/baseline", unknown), "baseline.metrics.speed", &["those are reward, cost"]);
}

#[test]
fn names_are_plain_text() {
    for name in ["../../etc/passwd", "'; DROP TABLE", "<img onerror=x>", "=cmd()"] {
        let mut spec = with("/name", json!(name));
        spec["params"][name] = float(0.0, 1.0);
        spec["objective"]["metric"] = json!(name);
        spec["track"] = json!([name]);
        let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
        let asked = study.ask().unwrap();
        assert!(asked.params.contains_key(name));
        study.tell(asked.number, [(name, 1.0), ("cost", 0.0)]).unwrap();
        assert_eq!(study.status().name, name);
    }
    let out = with("/params/a: b", float(2.0, 1.0));
    refused(&out, r#"params."a: b".low"#, &["swap"]);
}

#[test]
fn another_definition_is_told_apart() {
    let read = |spec: Value| Spec::from_json(&spec.to_string()).unwrap();
    let spec = read(definition());
    assert_eq!(spec.differences(&spec), Vec::<String>::new());
    let other = read(with("/seed", json!(7)));
    assert_eq!(spec.differences(&other), ["seed was 0 and is 7"]);
    let other = read(with("/params/z", float(0.0, 1.0)));
    assert!(spec.differences(&other)[0].starts_with("params.z was absent and is {"));
}

#[test]
fn toml_has_the_same_paths_and_a_place() {
    let toml = |params: &str, rest: &str| {
        format!("name = 's'\nobjective = 'y'\n{rest}\n[params]\n{params}\n")
    };
    let refused = |text: String, path: &str, words: &[&str]| {
        let error = Spec::from_toml(&text).unwrap_err();
        says(&error, "InvalidSpec", words);
        assert!(error.to_string().starts_with(&format!("{path}: ")), "{path} | {error}");
    };
    let good = "x = { type = 'float', low = 0, high = 1 }";
    Spec::from_toml(&toml(good, "")).unwrap();
    refused(
        toml("x = { type = 'float', low = 'a', high = 1 }", ""),
        "params.x.low",
        &["a", "line 5"],
    );
    refused(
        toml("x = { type = 'float', low = 2, high = 1 }", ""),
        "params.x.low",
        &["swap", "line"],
    );
    refused(
        toml(good, "constraints = ['a <= 1', 'b <']"),
        "constraints[1]",
        &["b <", "line 3 column"],
    );
    refused(toml(good, "sead = 1"), "sead", &["unknown field", "line 3 column 1"]);
    refused(toml(good, "seed = 'a'"), "seed", &["line 3 column 8"]);
    refused(toml(good, "model = { noise = nan }"), "model.noise", &["NaN", "above 0"]);
    refused(toml(good, "seed = "), "study", &["line 3 column"]);
    refused(toml("", ""), "params", &["0 parameters"]);
}

/// What serde calls things is nothing to people.
#[test]
fn complaints_are_in_plain_words() {
    let read = |text: &str| {
        let good = "x = { type = 'float', low = 0, high = 1 }";
        let text = text.replace("GOOD", good);
        Spec::from_toml(&format!("name = 's'\n{text}")).unwrap_err().to_string()
    };
    for (text, said) in [
        (
            "objektive = 'y'\nparams = { GOOD }",
            "objektive: unknown field: did you mean `objective`?",
        ),
        (
            "objective = 'y'\nfoo = 1\nparams = { GOOD }",
            "foo: unknown field: the fields here are name, seed",
        ),
        (
            "objective = 'y'\nparams = { x = 5 }",
            "params.x: 5 stands there, and a table such as { type = \"float\"",
        ),
        (
            "objective = 'y'\nparams = { x = { type = 'flot', low = 0, high = 1 } }",
            "did you mean \"float\"?",
        ),
        ("objective = 'y'\nparams = { GOOD }\nconstraints = 'p99 <= 2'", "write [\"p99 <= 2\"]"),
        (
            "objective = 'y'\nparams = { GOOD }\n[run]\ncommand = './b --x {x}'",
            "write [\"./b\", \"--x\", \"{x}\"]",
        ),
        (
            "objective = 'y'\nparams = { GOOD }\n[run]\ncommand = 'a | b'",
            "write [\"sh\", \"-c\", \"a | b\"]",
        ),
        (
            "objective = 'y'\nparams = { GOOD }\n[run]\ncommand = ['a']\nwhen_spent = 5",
            "run.when_spent: ",
        ),
        (
            "objective = 'y'\nparams = { GOOD }\n[run]\ncommand = ['a']\nworker = 2",
            "did you mean `workers`?",
        ),
        (
            "objective = 'y'\nparams = { GOOD }\nhorizon = '60'",
            "horizon: \"60\" stands there, and a whole number from 0 is needed",
        ),
        ("objective = 'y'", "params: missing field: give [params] with one or more"),
        ("params = { GOOD }", "objective: missing field: give objective = \"minimize METRIC\""),
    ] {
        let error = read(text);
        assert!(error.contains(said), "{text}: {said} is not in {error}");
        for jargon in ["expected", "internally", "variant", "struct", "sequence", "u64", "f64"] {
            assert!(!error.contains(jargon), "{text}: {error}");
        }
    }
}

#[test]
fn the_schema_says_nothing_of_rust() {
    let schema = Spec::schema().to_string();
    for part in ["```", "assert", "[`", "::", "serde_json", "unwrap"] {
        assert!(!schema.contains(part), "{part} is in the schema");
    }
    assert!(schema.contains("Limits to respect"), "{schema}");
}

#[test]
fn a_definition_may_name_its_schema_and_places_stay() {
    let rest = r#""name": "s", "objective": "y",
        "params": {"x": {"type": "float", "low": 0, "high": 1}}"#;
    for text in [
        format!("{{\"$schema\": \"./a.json\",\n{rest}}}"),
        format!("{{{rest},\n \"$schema\" : \"a\" }}"),
    ] {
        assert_eq!(Spec::from_json(&text).unwrap().objective.metric(), "y");
        let misspelt = text.replace("\"high\"", "\"hihg\"");
        let place = |text: &str| {
            let error = Spec::from_json(text).unwrap_err().to_string();
            assert!(error.contains("did you mean `high`?"), "{error}");
            error.split('(').next_back().unwrap().to_string()
        };
        let line = if text.starts_with("{\"$") { "line 3" } else { "line 2" };
        assert!(place(&misspelt).starts_with(line), "{}", place(&misspelt));
    }
}

/// An accent may be a part of its letter, or follow it.
const COMPOSED: &str = "caf\u{e9}";
const FOLLOWED: &str = "cafe\u{301}";

#[test]
fn names_that_look_the_same() {
    let both = ["caf\\u{e9}", "cafe\\u{301}", "rename one"];
    let params = json!({COMPOSED: float(0.0, 1.0), FOLLOWED: float(0.0, 1.0)});
    refused(&with("/params", params), "params", &both);
    refused(&with("/track", json!([COMPOSED, FOLLOWED])), "metrics", &both);
    let choices = json!({"type": "categorical", "choices": ["a", COMPOSED, FOLLOWED]});
    refused(&with("/params/m", choices), "params.m.choices", &both);
    let alone = Spec::from_json(&with("/track", json!([FOLLOWED])).to_string()).unwrap();
    assert_eq!(alone.track, [FOLLOWED], "a name is kept as it was given");
    // Not through any other door either, but logs of before are read.
    let twice = rpol::Spec { track: vec![COMPOSED.into(), FOLLOWED.into()], ..alone };
    assert!(Study::create(twice.clone()).is_err());
    let created = rpol::study::Event::Created { spec: Box::new(twice), engine: None };
    assert!(Study::replay(vec![created]).is_ok());
}

#[test]
fn studies_whose_names_look_the_same() {
    use rpol::store::{Memory, Shared};
    let named = |name: &str| Spec::from_json(&with("/name", json!(name)).to_string()).unwrap();
    let store = std::sync::Arc::new(Memory::default());
    Shared::open(store.clone(), named(COMPOSED)).unwrap();
    let error = Shared::open(store.clone(), named(FOLLOWED)).err().unwrap();
    says(&error, "InvalidSpec", &["name: ", "caf\\u{e9}", "cafe\\u{301}", "rename one"]);
    Shared::open(store, named(COMPOSED)).unwrap();
}

#[test]
fn a_limit_that_reads_as_a_calculation() {
    let limits = |text: &str| with("/constraints", json!(["cost <= 0", text]));
    let words = ["p99-10", "subtraction", "quotes"];
    refused(&limits("p99-10 <= 60"), "constraints[1]", &words);
    refused(&limits("60 >= p99-10"), "constraints[1]", &words);
    let table = json!([{"expression": "p99-10 <= 60", "budget": 5}]);
    refused(&with("/constraints", table), "constraints[0]", &words);
    let read = |spec: &Value| Spec::from_json(&spec.to_string());
    let quoted = read(&limits("'p99-10' <= 60")).unwrap();
    assert_eq!(quoted.constraints[1].metric(), "p99-10");
    // As it is written out it is read again.
    let written = serde_json::to_string(&quoted).unwrap();
    assert_eq!(Spec::from_json(&written).unwrap(), quoted);
    assert!(read(&limits("error-rate <= 1")).is_ok());
    let mut tracked = limits("p99-10 <= 60");
    tracked["track"] = json!(["p99-10"]);
    assert!(read(&tracked).is_ok());
    let old = serde_json::from_str::<Spec>(&limits("p99-10 <= 60").to_string());
    assert!(old.is_ok(), "logs of before are read");
}

#[test]
fn a_bound_that_lacks_a_metric() {
    let strategy =
        |bound: Value| with("/strategy", json!({"type": "censored", "within": 5, "bound": bound}));
    refused(&strategy(json!({"reward": 1.0})), "strategy.bound.cost", &["missing", "each metric"]);
    refused(&strategy(json!(-1.0)), "strategy.bound", &["-1", "at least 0"]);
    let all = strategy(json!({"reward": 1.0, "cost": 2.0}));
    assert!(Study::create(Spec::from_json(&all.to_string()).unwrap()).unwrap().ask().is_ok());
}
