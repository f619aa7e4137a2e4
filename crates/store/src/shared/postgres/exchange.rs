//! The call that workers cause every few seconds.

use super::connect::Connection;
use super::rows::{number, text};
use crate::shared::options::milliseconds;
use crate::shared::{Block, Incoming, MemberId, NewJob, Options, Outgoing};
use case::Origin;
use case::hash::fnv1a;
use tokio_postgres::Error;

const EXCHANGE: &str =
    "SELECT * FROM elenchus.exchange($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)";

/// The values of a list, as an array.
fn column<'a, T, V>(list: &'a [T], read: impl Fn(&'a T) -> V) -> Vec<V> {
    list.iter().map(read).collect()
}

/// Takes in the news of a process and grants it work.
pub async fn exchange(
    db: &mut Connection,
    options: &Options,
    member: MemberId,
    news: &Outgoing,
) -> Result<Incoming, Error> {
    let blocks = &news.progress;
    let findings = &news.findings;
    let files: Vec<_> = (1i32..)
        .zip(findings)
        .flat_map(|(place, finding)| finding.files.iter().map(move |file| (place, file)))
        .collect();
    // The case of a new finding counts as any other.
    let cases: Vec<(&str, &Origin)> = (findings.iter().map(|finding| (&*finding.signature, &finding.origin)))
        .chain(news.occurrences.iter().map(|one| (&*one.signature, &one.origin)))
        .collect();
    let priority = |finding: &crate::shared::NewFinding| NewJob::reduction("", &finding.summary).priority;
    let row = db
        .query_one(
            EXCHANGE,
            &[
                &member.0,
                &news.leaves,
                &text(&news.statistics),
                &milliseconds(options.block_lease),
                &milliseconds(options.sample_pause),
                &column(blocks, |one| one.block.strategy as i32),
                &column(blocks, |one| one.block.grant as i64),
                &column(blocks, |one| one.block.end as i64),
                &column(blocks, |one| one.done as i64),
                &column(blocks, |one| one.cases as i64),
                &column(blocks, |one| one.digest as i64),
                &column(&news.wishes, |wish| wish.strategy as i32),
                &column(&news.wishes, |wish| i64::try_from(wish.turns).unwrap_or(i64::MAX)),
                &column(findings, |finding| text(&finding.signature)),
                &column(findings, |finding| finding.summary.class.name()),
                &column(findings, |finding| format!("{:016x}", fnv1a(&finding.signature))),
                &column(findings, |finding| text(&finding.summary.title)),
                &column(findings, |finding| finding.summary.bug),
                &column(findings, |finding| finding.summary.needs_options),
                &column(findings, |finding| text(&finding.summary.solvers)),
                &column(findings, |finding| finding.summary.reduced_bytes.map(|bytes| bytes as i64)),
                &column(findings, |finding| milliseconds(finding.age)),
                &column(findings, priority),
                &column(&files, |(place, _)| *place),
                &column(&files, |(_, file)| text(&file.path)),
                &column(&files, |(_, file)| &*file.content),
                &column(&cases, |(signature, _)| text(signature)),
                &column(&cases, |(_, origin)| origin.campaign_seed as i64),
                &column(&cases, |(_, origin)| text(&origin.strategy)),
                &column(&cases, |(_, origin)| text(&origin.seed_hash)),
                &column(&cases, |(_, origin)| origin.round as i64),
                &column(&cases, |(_, origin)| origin.index as i64),
            ],
        )
        .await?;
    let strategies: Vec<i32> = row.get(1);
    let [first, end, grant] = [2, 3, 4].map(|column| row.get::<_, Vec<i64>>(column));
    let granted = strategies.iter().enumerate().map(|(place, strategy)| Block {
        strategy: *strategy as usize,
        first: first[place] as u64,
        end: end[place] as u64,
        grant: grant[place] as u64,
    });
    let lost: Vec<i32> = row.get(5);
    let exhausted: Vec<i32> = row.get(6);
    Ok(Incoming {
        now: number(&row, 0),
        granted: granted.collect(),
        // The places of arrays are counted from 1.
        lost: lost.into_iter().filter_map(|place| Some(blocks.get(place as usize - 1)?.block)).collect(),
        exhausted: exhausted.into_iter().map(|place| place as usize).collect(),
        unknown: row.get(7),
        finished: row.get(8),
        revision: number(&row, 9),
    })
}
