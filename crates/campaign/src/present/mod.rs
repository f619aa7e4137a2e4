//! A campaign for people and for programs: text, tables, JSON.

pub mod coverage;
pub mod json;
pub mod text;
