//! Times the pages of a campaign, as a browser that opens each for the first time sees them: `page_times FOLDER [LIMIT [MEMORY]]`.
//! Prints the server's milliseconds and the peak memory, and fails if the first page takes longer than LIMIT milliseconds (100) or the
//! memory exceeds MEMORY megabytes (200). `large_campaign` of the crate `store` makes a folder that is large enough.

use serve::data::{Data, FolderData};
use serve::{Access, Handler, Request, Site};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// How often each page is asked for.
const TIMES: usize = 21;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().ok_or("name the folder of a campaign")?);
    let number = |at: usize, usual: f64| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let (limit, memory) = (number(1, 100.0)?, number(2, 200.0)?);
    let begun = Instant::now();
    let data = Arc::new(FolderData::open(folder)?);
    println!("open the folder: {:.1} ms", milliseconds(begun));
    let first = data.page(&Default::default(), Default::default(), 0, 1)?;
    let id = first.findings.first().map(|(listed, _)| listed.id.clone()).unwrap_or_default();
    println!("{} findings", first.total);
    let access =
        Access { token: "-".repeat(32), loopback: true, read_only: true, hosts: Vec::new(), port: 7171 };
    let site = Site::new(data, access, None);
    let own = format!("/findings/{id}");
    let pages = [
        "/",
        "/findings",
        "/findings?page=1000",
        "/findings?class=crash&order=cases",
        "/findings?solver=z3@5.4.0&operator=bvadd",
        "/findings?q=str.at",
        own.as_str(),
        "/coverage",
        "/options",
        "/seeds",
        "/solvers",
        "/campaign",
        "/?range=7d",
        "/api/findings?limit=500",
    ];
    println!("{:40} {:>9} {:>9} {:>9}", "page", "first ms", "median ms", "bytes");
    let mut slow = Vec::new();
    for page in pages {
        let mut times = Vec::with_capacity(TIMES);
        let mut bytes = 0;
        for _ in 0..TIMES {
            let mut request = Request::get(page);
            request.headers.push(("host".to_owned(), "localhost".to_owned()));
            let begun = Instant::now();
            let response = site.respond(&request);
            times.push(milliseconds(begun));
            if response.status != 200 {
                return Err(format!("{page} answers {}", response.status).into());
            }
            bytes = response.body.len();
        }
        let first = times[0];
        times.sort_by(f64::total_cmp);
        println!("{page:40} {first:9.1} {:9.1} {bytes:9}", times[TIMES / 2]);
        if page == "/" && first > limit {
            slow.push(format!("the first page took {first:.1} ms"));
        }
    }
    let peak = peak_megabytes()?;
    println!("peak memory: {peak:.0} MB");
    if peak > memory {
        slow.push(format!("the peak of the memory was {peak:.0} MB"));
    }
    slow.iter().for_each(|line| println!("too much: {line}"));
    Ok(if slow.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn milliseconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1000.0
}

/// The most memory that this process has had, by the kernel.
fn peak_megabytes() -> Result<f64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("the kernel does not say")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? / 1024.0)
}
