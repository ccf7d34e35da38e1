//! One child process, from its start to its end, whatever it does.

use super::group::Group;
use super::interrupt::Interrupt;
use super::stream::{CapturedStream, Tail, is_ready};
use rustix::event::PollFlags;
use std::io::{self, PipeReader, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, spawn};
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
/// started ends with it; what lives on has its output closed, so that nothing is left of a trial.
pub(crate) fn capture(
    mut command: Command,
    input: Vec<u8>,
    interrupt: &Interrupt,
    watch: Watch,
) -> io::Result<Finished> {
    // Closed at one end it tells all threads of this child, at the other, that it is over.
    let (over, going_on) = io::pipe()?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let running = interrupt.enter(Group::of(&child));
    let (stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut stdout, mut stderr) = (Tail::new(STDOUT), Tail::new(STDERR));
    let (done, drained) = channel();
    let (out_done, err_done) = (done.clone(), done);
    let end = thread::scope(|scope| {
        // Each in its own thread, as a child need neither read nor write; one that does not is no fault.
        scope.spawn(|| stdin.map(|stdin| feed(stdin, &input, &over)));
        scope.spawn(|| out.map(|out| (stdout.follow(out, &over), out_done.send(()))));
        scope.spawn(|| err.map(|err| (stderr.follow(err, &over), err_done.send(()))));
        let end = attend(child, watch);
        drop(running);
        let deadline = Instant::now() + DRAIN;
        for _ in 0..2 {
            // What has not come by then is not waited for.
            let _ = drained.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        }
        drop(going_on);
        end
    });
    Ok(Finished { end, stdout: stdout.text(), stderr: stderr.text() })
}

/// Runs a command whose output is for the user to see: all of it goes to stderr, as stdout is for results. It has stderr
/// itself, since what it starts may serve the whole run.
pub(crate) fn show(mut command: Command, interrupt: &Interrupt, watch: Watch) -> io::Result<End> {
    command.stdin(Stdio::null()).stdout(io::stderr()).process_group(0);
    let child = command.spawn()?;
    let _running = interrupt.enter(Group::of(&child));
    Ok(attend(child, watch))
}

/// Gives a child its input, as far as it takes it.
fn feed(mut stdin: ChildStdin, input: &[u8], over: &PipeReader) {
    // A pipe that is ready takes as much without waiting.
    const PIECE: usize = 4096;
    for piece in input.chunks(PIECE) {
        if !is_ready(&stdin, PollFlags::OUT, over) || stdin.write_all(piece).is_err() {
            return;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_a_trial_whose_command_left_something_behind() {
        let mut command = Command::new("sh");
        let behind = "while echo and on; do sleep 0.01; done";
        command.args(["-c", &format!("({behind}) & echo $!")]);
        // More than a pipe holds, and nobody reads it.
        let input = vec![b'x'; 1 << 20];
        let finished = capture(command, input, &Interrupt::default(), &mut |_| None).expect("sh");
        assert!(matches!(finished.end, End::Exited(status) if status.success()));
        let process =
            finished.stdout.end.split_whitespace().find(|word| word.parse::<u32>().is_ok());
        let stat = format!("/proc/{}/stat", process.expect("its number"));
        let lives = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
        let began = Instant::now();
        while lives() && began.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!lives(), "its output is closed, so it ends");
    }
}
