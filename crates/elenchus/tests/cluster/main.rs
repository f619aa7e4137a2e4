//! Campaigns that several processes share, with processes and databases that are killed and connections that stall.
//!
//! `ELENCHUS_FAULTS=processes:8,cases:9000,database:10,workers:20,stalls:10 cargo test -p elenchus --test cluster -- --nocapture` makes
//! it large; the default is small.

mod faults;
mod fitting;
mod fleet;
mod ground;
