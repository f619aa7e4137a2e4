//! A campaign for people and for programs: text, tables, JSON.

pub mod coverage;
pub mod findings;
pub mod json;
pub mod layout;
pub mod line;
pub mod oracles;
pub mod store_status;
pub mod strategies;
pub mod text;
