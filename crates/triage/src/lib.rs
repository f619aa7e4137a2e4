//! Oracles, signatures, reduction, bisection and reports.
