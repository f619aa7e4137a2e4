//! Console blocks of Markdown files: how they are read, run and compared. `console_blocks.rs` says what a block may contain.

pub mod blocks;
pub mod comparison;
pub mod pages;
pub mod shell;
