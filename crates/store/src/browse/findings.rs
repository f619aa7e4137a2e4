//! Pages of findings: filtered, sorted, counted.

use super::Browser;
use super::facets::FacetKind;
use crate::error::StoreError;
use crate::record::{Listed, ListedSolver};
use crate::workflow::Status;
use case::{Class, Severity};
use rusqlite::types::{Type, Value};
use rusqlite::{OptionalExtension, Row, params_from_iter};
use serde::Serialize;
use std::collections::BTreeMap;

/// Which findings to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingFilter {
    /// A part of the name, the title or the signature.
    pub text: Option<String>,
    /// The kind.
    pub class: Option<Class>,
    /// Bugs or candidates only.
    pub bug: Option<bool>,
    /// How far people are with it.
    pub status: Option<Status>,
    /// Values that the finding must have.
    pub facets: Vec<(FacetKind, String)>,
    /// Whether to show findings that were merged into others, too.
    pub merged: bool,
    /// Only findings that were first seen at or after this time, in milliseconds since 1970.
    pub since: Option<u64>,
}

/// The order of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindingOrder {
    /// The most severe first, then by when they were first seen.
    #[default]
    Severity,
    /// The newest first.
    Newest,
    /// Those seen most recently first.
    LastSeen,
    /// Those with the most cases first.
    Cases,
    /// The smallest reduced scripts first.
    Size,
}

/// A page of findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingPage {
    /// How many findings pass the filter.
    pub total: u64,
    /// Those on this page, with their status.
    pub findings: Vec<(Listed, Status)>,
}

/// How many findings of each class were first seen in each part of a time.
pub type Days = BTreeMap<Class, Vec<(u64, u64)>>;

/// A case that showed a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OccurrenceEntry {
    /// The finding, which may have been merged.
    pub finding: String,
    /// The seed of the campaign.
    pub campaign_seed: u64,
    /// The strategy.
    pub strategy: String,
    /// The hash of the seed script.
    pub seed_hash: String,
    /// The round over the seeds.
    pub round: u64,
    /// The number of the case.
    pub index: u64,
}

const COLUMNS: &str = "finding.id, class, title, signature, bug, solvers, first_seen, last_seen, folder, reduced_bytes,
    merged_into, needs_options, (SELECT sum(count) FROM finding AS other WHERE other.merged_into = finding.id), count,
    (SELECT status FROM workflow WHERE workflow.finding = finding.id)";

fn read(row: &Row<'_>) -> rusqlite::Result<(Listed, Status)> {
    let unreadable =
        |column, error: String| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into());
    let name: String = row.get(1)?;
    let class = Class::from_name(&name).ok_or_else(|| unreadable(1, format!("`{name}` is not a class")))?;
    let solvers: Vec<(String, String, String)> =
        serde_json::from_str(&row.get::<_, String>(5)?).map_err(|error| unreadable(5, error.to_string()))?;
    let merged: Option<i64> = row.get(12)?;
    let listed = Listed {
        id: row.get(0)?,
        class,
        severity: Severity::of(class, row.get(11)?),
        title: row.get(2)?,
        signature: row.get(3)?,
        bug: row.get(4)?,
        solvers: solvers.into_iter().map(|(id, name, version)| ListedSolver { id, name, version }).collect(),
        first_seen: row.get::<_, i64>(6)? as u64,
        last_seen: row.get::<_, i64>(7)? as u64,
        folder: row.get(8)?,
        reduced_bytes: row.get::<_, Option<i64>>(9)?.map(|bytes| bytes as u64),
        merged_into: row.get(10)?,
        count: (row.get::<_, i64>(13)? + merged.unwrap_or_default()) as u64,
    };
    let status = row.get::<_, Option<String>>(14)?;
    Ok((listed, status.and_then(|name| Status::from_name(&name)).unwrap_or_default()))
}

/// Conditions of a query and their values.
#[derive(Default)]
struct Conditions {
    text: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn of(filter: &FindingFilter) -> Conditions {
        let mut conditions = Conditions::default();
        if !filter.merged {
            conditions.text.push("merged_into IS NULL".to_owned());
        }
        if let Some(class) = filter.class {
            conditions.add("class = ?", class.name().to_owned());
        }
        if let Some(bug) = filter.bug {
            conditions.add("bug = ?", i64::from(bug));
        }
        if let Some(since) = filter.since {
            conditions.add("first_seen >= ?", since as i64);
        }
        match filter.status {
            Some(Status::New) => conditions.text.push(
                "NOT EXISTS (SELECT 1 FROM workflow WHERE workflow.finding = finding.id AND status <> 'new')"
                    .to_owned(),
            ),
            Some(status) => conditions.add(
                "finding.id IN (SELECT workflow.finding FROM workflow WHERE status = ?)",
                status.name().to_owned(),
            ),
            None => {}
        }
        for (kind, value) in &filter.facets {
            conditions.values.push(kind.name().to_owned().into());
            conditions.add(
                "finding.id IN (SELECT facet.finding FROM facet WHERE kind = ? AND value = ?)",
                value.clone(),
            );
        }
        if let Some(text) = &filter.text {
            let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            let pattern = format!("%{escaped}%");
            conditions.values.extend([pattern.clone().into(), pattern.clone().into()]);
            conditions.add(
                r"(finding.id LIKE ? ESCAPE '\' OR title LIKE ? ESCAPE '\' OR signature LIKE ? ESCAPE '\')",
                pattern,
            );
        }
        conditions
    }

    fn add(&mut self, text: &str, value: impl Into<Value>) {
        self.text.push(text.to_owned());
        self.values.push(value.into());
    }

    fn clause(&self) -> String {
        if self.text.is_empty() { "1".to_owned() } else { self.text.join(" AND ") }
    }
}

impl Browser {
    /// A page of findings: `limit` of those that pass the filter, from number `offset` on.
    pub fn page(
        &self,
        filter: &FindingFilter,
        order: FindingOrder,
        offset: u64,
        limit: u64,
    ) -> Result<FindingPage, StoreError> {
        let conditions = Conditions::of(filter);
        let clause = conditions.clause();
        let total: i64 = self
            .db
            .prepare_cached(&format!("SELECT count(*) FROM finding WHERE {clause}"))
            .and_then(|mut query| query.query_row(params_from_iter(&conditions.values), |row| row.get(0)))
            .map_err(self.sql())?;
        let order = match order {
            FindingOrder::Severity => "severity, first_seen, finding.id",
            FindingOrder::Newest => "first_seen DESC, finding.id",
            FindingOrder::LastSeen => "last_seen DESC, finding.id",
            FindingOrder::Cases => "count DESC, finding.id",
            FindingOrder::Size => "reduced_bytes IS NULL, reduced_bytes, finding.id",
        };
        let query = format!(
            "SELECT {COLUMNS} FROM finding WHERE {clause} ORDER BY {order} LIMIT {limit} OFFSET {offset}"
        );
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let findings = query
            .query_map(params_from_iter(&conditions.values), read)
            .and_then(Iterator::collect)
            .map_err(self.sql())?;
        Ok(FindingPage { total: total as u64, findings })
    }

    /// The finding with this name.
    pub fn finding(&self, id: &str) -> Result<Option<(Listed, Status)>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM finding WHERE id = ?1");
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        query.query_row([id], read).optional().map_err(self.sql())
    }

    /// How many findings there are of each class; those that were merged into others are not counted.
    pub fn class_counts(&self) -> Result<BTreeMap<Class, u64>, StoreError> {
        let query = "SELECT class, count(*) FROM finding WHERE merged_into IS NULL GROUP BY class";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let pair = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64));
        let pairs: Vec<(String, u64)> =
            query.query_map([], pair).and_then(Iterator::collect).map_err(self.sql())?;
        Ok(pairs.into_iter().filter_map(|(name, count)| Some((Class::from_name(&name)?, count))).collect())
    }

    /// How many findings have each status; those without a decision are new.
    pub fn status_counts(&self) -> Result<BTreeMap<&'static str, u64>, StoreError> {
        let query = "SELECT status, count(*) FROM workflow JOIN finding ON finding.id = workflow.finding
            WHERE merged_into IS NULL GROUP BY status";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let pair = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64));
        let pairs: Vec<(String, u64)> =
            query.query_map([], pair).and_then(Iterator::collect).map_err(self.sql())?;
        let named = |(name, count): (String, u64)| Some((Status::from_name(&name)?.name(), count));
        Ok(pairs.into_iter().filter_map(named).collect())
    }

    /// When the newest finding was first seen, in milliseconds since 1970.
    pub fn newest(&self) -> Result<Option<u64>, StoreError> {
        let query = "SELECT max(first_seen) FROM finding WHERE merged_into IS NULL";
        let newest: Option<i64> = self.db.query_row(query, [], |row| row.get(0)).map_err(self.sql())?;
        Ok(newest.map(|time| time as u64))
    }

    /// The findings of each class by when they were first seen: for each of `parts` equal parts of a time, its number and how many
    /// there were; parts without any are omitted.
    pub fn found_between(&self, from: u64, to: u64, parts: u64) -> Result<Days, StoreError> {
        let width = (to.saturating_sub(from) / parts.max(1) + 1) as i64;
        let query = "SELECT class, (first_seen - ?1) / ?3 AS part, count(*) FROM finding
            WHERE merged_into IS NULL AND first_seen BETWEEN ?1 AND ?2 GROUP BY class, part ORDER BY class, part";
        let mut query = self.db.prepare_cached(query).map_err(self.sql())?;
        let row = |row: &Row<'_>| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64, row.get::<_, i64>(2)? as u64))
        };
        let rows: Vec<(String, u64, u64)> = query
            .query_map([from as i64, to as i64, width], row)
            .and_then(Iterator::collect)
            .map_err(self.sql())?;
        let mut days = Days::new();
        for (name, part, count) in rows {
            if let Some(class) = Class::from_name(&name) {
                days.entry(class).or_default().push((part, count));
            }
        }
        Ok(days)
    }

    /// The cases that showed a finding, or one that was merged into it, and how many there are.
    pub fn occurrences(
        &self,
        finding: &str,
        offset: u64,
        limit: u64,
    ) -> Result<(u64, Vec<OccurrenceEntry>), StoreError> {
        let of = "FROM occurrence WHERE finding IN (SELECT id FROM finding WHERE id = ?1 UNION ALL
            SELECT id FROM finding WHERE merged_into = ?1)";
        let total: i64 = self
            .db
            .prepare_cached(&format!("SELECT count(*) {of}"))
            .and_then(|mut query| query.query_row([finding], |row| row.get(0)))
            .map_err(self.sql())?;
        let query = format!(
            "SELECT finding, campaign_seed, strategy, seed_hash, round, case_index {of} LIMIT {limit} OFFSET {offset}"
        );
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let read = |row: &Row<'_>| {
            Ok(OccurrenceEntry {
                finding: row.get(0)?,
                campaign_seed: row.get::<_, i64>(1)? as u64,
                strategy: row.get(2)?,
                seed_hash: row.get(3)?,
                round: row.get::<_, i64>(4)? as u64,
                index: row.get::<_, i64>(5)? as u64,
            })
        };
        let found = query.query_map([finding], read).and_then(Iterator::collect).map_err(self.sql())?;
        Ok((total as u64, found))
    }

    /// The findings that were merged into this one.
    pub fn merged_into(&self, finding: &str) -> Result<Vec<Listed>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM finding WHERE merged_into = ?1 ORDER BY id LIMIT 100");
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let found: Vec<(Listed, Status)> =
            query.query_map([finding], read).and_then(Iterator::collect).map_err(self.sql())?;
        Ok(found.into_iter().map(|(listed, _)| listed).collect())
    }

    /// Findings that share the class and most operators with this one, those that share most first.
    pub fn similar(&self, finding: &Listed, limit: u64) -> Result<Vec<Listed>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS} FROM finding JOIN (
                SELECT other.finding AS id, count(*) AS shared FROM facet AS own
                JOIN facet AS other ON other.kind = own.kind AND other.value = own.value
                WHERE own.finding = ?1 AND own.kind = 'operator' AND other.finding <> ?1
                GROUP BY other.finding ORDER BY shared DESC LIMIT 200
             ) AS near ON near.id = finding.id
             WHERE class = ?2 AND merged_into IS NULL
               AND 2 * shared >= (SELECT count(*) FROM facet WHERE facet.finding = ?1 AND kind = 'operator')
             ORDER BY shared DESC, finding.id LIMIT {limit}"
        );
        let mut query = self.db.prepare_cached(&query).map_err(self.sql())?;
        let found: Vec<(Listed, Status)> = query
            .query_map([finding.id.as_str(), finding.class.name()], read)
            .and_then(Iterator::collect)
            .map_err(self.sql())?;
        Ok(found.into_iter().map(|(listed, _)| listed).collect())
    }
}
