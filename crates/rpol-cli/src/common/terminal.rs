//! How wide the terminal is.

#[cfg(unix)]
use rustix::termios::tcgetwinsize;

/// Columns of the terminal on stdout; none where that is no terminal.
#[cfg(unix)]
pub(crate) fn of_stdout() -> Option<usize> {
    known(tcgetwinsize(std::io::stdout()).ok()?.ws_col)
}

/// Columns of the terminal on stderr; none where that is no terminal.
#[cfg(unix)]
pub(crate) fn of_stderr() -> Option<usize> {
    known(tcgetwinsize(std::io::stderr()).ok()?.ws_col)
}

/// A terminal that was never told its size says 0.
#[cfg(unix)]
fn known(columns: u16) -> Option<usize> {
    (columns > 0).then_some(columns.into())
}

/// Nothing is known of terminals here.
#[cfg(not(unix))]
pub(crate) fn of_stdout() -> Option<usize> {
    None
}

/// Nothing is known of terminals here.
#[cfg(not(unix))]
pub(crate) fn of_stderr() -> Option<usize> {
    None
}
