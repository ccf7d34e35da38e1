//! One child process, from its start to its end, whatever it does.

use super::group::Group;
use super::interrupt::Interrupt;
use super::stream::{CapturedStream, Tail};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// What is kept of its output.
const STDOUT: usize = 1 << 20;
const STDERR: usize = 64 << 10;
/// How often the watch is asked.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long the end of the output is waited for once the child has ended: what it has started may hold the pipe.
const DRAIN: Duration = Duration::from_millis(500);
/// How long a killed child may take to be gone; the kernel may hold on to one.
const REAP: Duration = Duration::from_secs(2);

/// How a child came to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It took too long.
    TimedOut,
    /// The user wants to end.
    Interrupted,
    /// The system cannot say.
    Lost,
}

/// A child that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) end: End,
    pub(crate) stdout: CapturedStream,
    pub(crate) stderr: CapturedStream,
}

/// Asked again and again, with the time since the start, whether the child is to be ended, and why.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(Duration) -> Option<End>;

/// Runs a command with `input` on its stdin and keeps the end of what it prints. Unless it ended well, all it has
/// started ends with it.
pub(crate) fn capture(
    mut command: Command,
    input: Vec<u8>,
    interrupt: &Interrupt,
    watch: Watch,
) -> io::Result<Finished> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let running = interrupt.enter(Group::of(&child));
    feed(&mut child, input);
    let (stdout, stderr) = (Tail::new(STDOUT), Tail::new(STDERR));
    let (done, drained) = channel();
    follow(&stdout, child.stdout.take(), &done);
    follow(&stderr, child.stderr.take(), &done);
    let end = attend(child, watch);
    drop(running);
    let deadline = Instant::now() + DRAIN;
    for _ in 0..2 {
        // What has not come by then is not waited for.
        let _ = drained.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
    Ok(Finished { end, stdout: stdout.text(), stderr: stderr.text() })
}

/// Runs a command whose output is for the user to see: all of it goes to stderr, as stdout is for results.
pub(crate) fn show(mut command: Command, interrupt: &Interrupt, watch: Watch) -> io::Result<End> {
    command.stdin(Stdio::null()).stdout(io::stderr()).process_group(0);
    let child = command.spawn()?;
    let _running = interrupt.enter(Group::of(&child));
    Ok(attend(child, watch))
}

/// In its own thread, as a child need not read; one that does not is no fault.
fn feed(child: &mut Child, input: Vec<u8>) {
    if let Some(mut stdin) = child.stdin.take() {
        spawn(move || stdin.write_all(&input));
    }
}

fn follow(tail: &Tail, stream: Option<impl io::Read + Send + 'static>, done: &Sender<()>) {
    let (tail, done) = (tail.clone(), done.clone());
    if let Some(stream) = stream {
        spawn(move || tail.follow(stream, &done));
    }
}

fn attend(mut child: Child, watch: Watch) -> End {
    let (group, began) = (Group::of(&child), Instant::now());
    let (send, exited) = channel();
    spawn(move || send.send(child.wait()));
    let end = wait(&exited, began, watch);
    if !matches!(end, End::Exited(status) if status.success()) {
        group.end();
    }
    if !matches!(end, End::Exited(_)) {
        let _ = exited.recv_timeout(REAP);
    }
    end
}

fn wait(exited: &Receiver<io::Result<ExitStatus>>, began: Instant, watch: Watch) -> End {
    loop {
        match exited.recv_timeout(LOOK_EVERY) {
            Ok(Ok(status)) => return End::Exited(status),
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return End::Lost,
        }
        if let Some(end) = watch(began.elapsed()) {
            return end;
        }
    }
}

/// How a process ended, in words.
pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => format!("it ended with {status}"),
    }
}
