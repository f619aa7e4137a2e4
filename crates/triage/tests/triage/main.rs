//! Tests of triage, in modules that mirror the sources. Small shell scripts play the solvers.

mod automatic;
mod blame;
mod cluster;
mod distinguishing_functions;
mod known;
mod predicate;
mod regress;
mod releases;
mod report;
mod subject;
mod support;
