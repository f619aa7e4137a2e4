//! `elenchus report`: writes a report for a maintainer.

use crate::commands::place::PlaceArgs;
use crate::commands::subject::{SubjectArgs, limits};
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use campaign::config::time_limit;
use case::table::counted;
use case::text::first_line;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use store::Touched;
use triage::Version;
use triage::report::{Format, ReportSettings, ReportStep, report, report_all};

/// Arguments of `elenchus report`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus report wrong-unsat-3f9a
  elenchus report bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat' --format html
  elenchus report --all --to reports
  elenchus report --all --format html --to pages        the pages of `elenchus serve`, as files

A report contains the script, the command line, the solver's output, why it is wrong, which releases are affected, and whether the \
maintainers accept such reports.")]
pub struct ReportArgs {
    /// Script, or name of a finding
    #[arg(value_name = "FILE|ID", required_unless_present = "all")]
    subject: Option<String>,
    /// What the script shows, such as 'z3@4.8.10 says unsat, cvc5 says sat'
    #[arg(long = "keep", value_name = "CLAIMS")]
    predicate: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = FormatArg::Markdown)]
    format: FormatArg,
    /// Write a report for every finding of the campaign
    #[arg(long, conflicts_with = "subject")]
    all: bool,
    /// Folder for the reports of --all
    #[arg(long, value_name = "DIR", default_value = "elenchus-reports")]
    to: PathBuf,
    /// Do not test other releases
    #[arg(long)]
    no_bisect: bool,
}

/// The formats, as the command line names them.
#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    /// For an issue tracker
    Markdown,
    /// For scripts
    Json,
    /// A self-contained web page
    Html,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::Markdown => Format::Markdown,
            FormatArg::Json => Format::Json,
            FormatArg::Html => Format::Html,
        }
    }
}

/// Runs `elenchus report`.
pub fn run(args: ReportArgs) -> Outcome {
    let subject = args.subject.map(|subject| SubjectArgs {
        subject: Some(subject),
        predicate: args.predicate,
        place: args.place.clone(),
        timeout: args.timeout,
    });
    let mut place = subject.as_ref().map_or_else(|| args.place.open(), SubjectArgs::open)?;
    let out = place.path().to_owned();
    let context = Context::of_campaign(&out)?;
    let format = Format::from(args.format);
    let limits = limits(args.timeout);
    let settings = ReportSettings { out: &out, limits, bisect: !args.no_bisect };
    let mut note = |text: String| eprintln!("note: {text}");
    place.begin_work()?;
    if let Some(subject) = subject {
        let subject = subject.read(&place, Version::Reduced)?;
        let report = report(&subject, &settings, &context, &mut note)?;
        // The releases were tested.
        let ids: Vec<String> = subject.finding.iter().map(|stored| stored.listed.id.clone()).collect();
        place.push(Touched::Findings(&ids))?;
        print!("{}", format.render(&report));
        return Ok(Exit::Clean);
    }
    let mut progress = |step: ReportStep<'_>| match step {
        ReportStep::Begun { number, of, id } => eprintln!("{number}/{of} {id}"),
        ReportStep::Written { name, report } => eprintln!("{name}: {}", report.title),
    };
    let reports = report_all(&args.to, format, &settings, &context, &mut note, &mut progress);
    place.push(Touched::All)?;
    let reports = reports?;
    for (id, why) in &reports.failed {
        eprintln!("no report for {id}: {}", first_line(why));
    }
    if format == Format::Html {
        serve::export(&out, &args.to)?;
    }
    println!("Wrote {}; see {}", counted(reports.written, "report"), reports.index.display());
    Ok(Exit::Clean)
}
