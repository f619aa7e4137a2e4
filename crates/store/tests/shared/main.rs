//! What several machines have in common: the same promises hold for a file of SQLite and for PostgreSQL.

mod archives;
mod blocks;
mod faults;
mod findings;
mod jobs;
mod layout;
mod places;
mod samples;
