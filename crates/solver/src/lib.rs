//! Solvers: installing them, knowing them, and running them safely. The only crate that starts processes.
