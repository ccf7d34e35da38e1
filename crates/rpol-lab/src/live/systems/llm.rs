//! A server of a language model that batches requests and may run out of memory.

use super::{Blueprint, Chance, Outcome, Setting};

pub(super) const SYSTEM: Blueprint = Blueprint {
    name: "llm",
    about: "a language model's server: batching, memory that runs out, parallelism",
    definition: r#"
        objective = "maximize tokens_s"
        constraints = ["ttft_ms <= 600", "itl_ms <= 40"]
        [params]
        max_batch = { type = "int", low = 1, high = 256, log = true }
        memory_share = { type = "float", low = 0.5, high = 0.99 }
        prefill_chunk = { type = "int", low = 128, high = 8192, log = true }
        context = { type = "int", low = 2048, high = 16384, log = true }
        weights = { type = "categorical", choices = ["fp16", "int8", "int4"] }
        parallel = { type = "categorical", choices = [1, 2, 4] }
        [baseline]
        params = { max_batch = 14, memory_share = 0.8, prefill_chunk = 512, context = 8192, weights = "fp16", parallel = 2 }
    "#,
    measure,
    best: &[(
        r#"{"max_batch":43,"memory_share":0.96042,"prefill_chunk":582,"context":2048,"weights":"int8","parallel":2}"#,
        3752.96,
    )],
};

/// Cards, their memory in GB and their bandwidth in GB a millisecond.
const CARDS: f64 = 4.0;
const MEMORY: f64 = 24.0;
const BANDWIDTH: f64 = 0.9;
/// GB of the model's weights at two bytes each.
const WEIGHTS: f64 = 26.0;
/// GB of cache for a token, over all cards that share it.
const CACHE: f64 = 0.0008;
/// Mean tokens of a question, and of an answer.
const QUESTION: f64 = 700.0;
const ANSWER: f64 = 220.0;
/// Requests in the house at any time.
const CLIENTS: f64 = 160.0;

fn measure(setting: Setting<'_>, _: usize, chance: &mut Chance) -> Outcome {
    let [batch, chunk, context, parallel] =
        setting.numbers(["max_batch", "prefill_chunk", "context", "parallel"]);
    // Bytes for each of fp16's two, and what unpacking adds to the arithmetic.
    let (size, unpacking) = match setting.choice("weights") {
        "fp16" => (1.0, 1.0),
        "int8" => (0.5, 1.1),
        _ => (0.25, 1.8),
    };
    let weights = WEIGHTS * size / parallel;
    let activations = 0.00035 * chunk + 0.012 * batch + 0.00002 * context;
    let reserved = setting.number("memory_share") * MEMORY;
    if reserved + 0.3 * activations + 0.4 + 0.12 * chance.normal() > MEMORY {
        return Outcome::Failed("out of memory: the cache leaves no room for activations".into());
    }
    let room = reserved - weights - activations;
    // A request may grow to the whole context, and one of that length must fit.
    if room < 1.05 * CACHE * context / parallel {
        return Outcome::Failed("out of memory: no room for one request of full length".into());
    }
    // Questions are cut at the context; pages reserved for long ones lie idle.
    let held = (QUESTION.min(context) + ANSWER) * (1.0 + 0.25 * (context / 4096.0).ln().max(0.0));
    let fit = room / (CACHE * held / parallel);
    let replicas = CARDS / parallel;
    let active = batch.min(CLIENTS / replicas);
    // Where more are admitted than fit, some are thrown out and begun again.
    let crowded = (active / fit).max(1.0);
    let running = active.min(fit);
    let links = 1.0 + 0.35 * (parallel - 1.0).powf(0.7);
    let read_ms = weights / BANDWIDTH;
    let decode_ms = read_ms * 0.9 + 0.055 * running * unpacking * links / parallel + 2.0 * links;
    let prefill_ms = |tokens: f64| 0.11 * tokens * unpacking * links / parallel;
    // Every answer needs a question to be read: chunks are mixed into the steps.
    let again = 1.0 + 0.6 * (crowded.min(6.0) - 1.0);
    let reading = prefill_ms(QUESTION) * again / ANSWER * running;
    let step_ms =
        decode_ms + reading + 0.15 * prefill_ms(256.0) * QUESTION / chunk * running / ANSWER;
    let tokens = 1000.0 * replicas * running / step_ms / (1.0 + 0.3 * (crowded - 1.0));
    let itl = step_ms + 0.35 * prefill_ms(chunk.min(QUESTION));
    let waiting = (CLIENTS / replicas - running).max(0.0);
    // A place in the batch is free when an answer ends; the reader of questions takes one after the other.
    let queue_ms = 0.012 * waiting * ANSWER * step_ms / running.max(1.0);
    let ttft = (QUESTION / chunk).ceil() * (prefill_ms(chunk.min(QUESTION)) + 0.6 * decode_ms)
        + queue_ms * again;
    let mood = chance.factor(0.02);
    Outcome::Measured(vec![
        tokens * mood * chance.factor(0.01),
        ttft / mood * chance.factor(0.05),
        itl / mood * chance.factor(0.02),
    ])
}
