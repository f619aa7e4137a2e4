//! Lists what a script uses: `operators FILE`.
//!
//! Prints its theories, the number of uses of each operator with the ranks that the operator has, and the solvers that support all of it.

use elenchus_smt::{Arena, parse_script};
use std::process::ExitCode;

fn list(source: &str) -> Result<String, String> {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, source)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let features = arena.features(&script);
    let signatures = arena.signatures();
    let mut out = String::new();

    let theories: Vec<&str> = features.theories.iter().map(String::as_str).collect();
    out += &format!("theories: {}\n", theories.join(", "));
    if let Some(solvers) = &features.solvers {
        let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
        out += &format!("only for: {}\n", solvers.join(", "));
    }
    for (operator, uses) in &features.operators {
        out += &format!("{uses:6} {operator}\n");
        let ranks = arena.find_symbol(operator).map_or(&[][..], |name| signatures.ranks(name));
        for &rank in ranks {
            out += &format!("         {}\n", signatures.describe(&signatures.declarations[rank as usize]));
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: operators FILE");
        return ExitCode::from(2);
    };
    let listed =
        std::fs::read_to_string(&file).map_err(|error| error.to_string()).and_then(|text| list(&text));
    match listed {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{file}: {message}");
            ExitCode::FAILURE
        }
    }
}
