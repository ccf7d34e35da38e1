//! Which trial is run when and by whom, and what is recorded of it. It imports from the other rooms, none of them from it.

pub(crate) mod config;
pub(crate) mod coordinator;
pub(crate) mod dry_run;
pub(crate) mod record;
pub(crate) mod renewal;
pub(crate) mod rescue;
pub(crate) mod stop;
pub(crate) mod trial;
pub(crate) mod workers;
