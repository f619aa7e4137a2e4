//! What several machines have in common: the same promises hold for a file of SQLite and for PostgreSQL.

mod alone;
mod archives;
mod blocks;
mod encryption;
mod faults;
mod findings;
mod jobs;
mod layout;
mod passwords;
mod places;
mod samples;
mod servers;
