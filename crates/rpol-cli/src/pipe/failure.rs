//! What went wrong, as one line of JSON.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
}

impl Failure {
    pub(super) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: rpol::words::message(&message.into()) }
    }

    pub(super) fn request(message: impl Into<String>) -> Self {
        Self::new("InvalidRequest", message)
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::json!({ "error": self }).to_string()
    }
}

impl From<rpol::Error> for Failure {
    fn from(error: rpol::Error) -> Self {
        Self::new(error.kind(), error.to_string())
    }
}

/// On a command line the message is all there is room for.
impl From<Failure> for crate::BadInput {
    fn from(failure: Failure) -> Self {
        Self(failure.message)
    }
}
