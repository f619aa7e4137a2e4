//! `elenchus __drive`: the drivers of solver libraries. Elenchus starts them itself.

use clap::Args;
use std::ffi::OsString;

/// Arguments of `elenchus __drive`, all of which belong to the driver.
#[derive(Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct DriveArgs {
    /// The driver, its options and its input
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Becomes the driver; the process ends with the driver's own exit code.
pub fn run(args: DriveArgs) -> ! {
    std::process::exit(solver::driver::drive(args.arguments))
}
