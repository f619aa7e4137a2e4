//! Merges findings that turn out to be one bug.

use super::identity::Identity;
use super::relation::Relation;
use super::saved::TriagedFinding;
use crate::cluster::{clusters, stored_facts};
use crate::error::TriageError;
use std::collections::BTreeSet;
use store::{Listed, Merged, Store};

/// A triaged finding.
struct Triaged {
    id: String,
    merged_into: Option<String>,
    identity: Identity,
}

impl Triaged {
    /// The finding that represents its bug.
    fn bug(&self) -> &str {
        self.merged_into.as_ref().unwrap_or(&self.id)
    }
}

/// Merges a finding that has just been triaged with others of the same bug into the most severe, the oldest of these.
pub(super) fn merge_triaged(store: &mut Store, id: &str) -> Result<(), TriageError> {
    let mut all = triaged_findings(store)?;
    if let Some(index) = all.iter().position(|finding| finding.id == id) {
        merge_at(store, &mut all, index)?;
    }
    Ok(())
}

/// Compares all findings again: those that were triaged later, and the releases that show them, may tell that earlier ones are one
/// bug. `merged` receives each pair.
pub fn merge_alike(store: &mut Store, merged: &mut dyn FnMut(&Merged)) -> Result<(), TriageError> {
    let mut all = triaged_findings(store)?;
    for index in 0..all.len() {
        if all[index].merged_into.is_none() {
            merge_at(store, &mut all, index)?.iter().for_each(&mut *merged);
        }
    }
    merge_by_releases(store, merged)
}

/// The triaged findings, the most severe first.
fn triaged_findings(store: &Store) -> Result<Vec<Triaged>, TriageError> {
    let read = |Listed { id, merged_into, folder, .. }: Listed| {
        let TriagedFinding { identity, .. } = TriagedFinding::saved(&store.folder().join(folder))?;
        Some(Triaged { id, merged_into, identity })
    };
    Ok(store.all_findings()?.into_iter().filter_map(read).collect())
}

/// Merges the listed finding at an index with those of the same bug.
fn merge_at(store: &mut Store, all: &mut [Triaged], index: usize) -> Result<Vec<Merged>, TriageError> {
    let pairs = join_at(all, index);
    for pair in &pairs {
        store.merge(pair)?;
    }
    Ok(pairs)
}

/// Joins the listed finding at an index with those of the same bug, without storing it.
fn join_at(all: &mut [Triaged], index: usize) -> Vec<Merged> {
    let bugs = bugs_of(all, index);
    let mut same = all.iter().map(|finding| &finding.id).filter(|&id| bugs.contains(id));
    let Some(into) = same.next().cloned() else { return Vec::new() };
    let pairs: Vec<Merged> = same.map(|id| Merged { id: id.clone(), into: into.clone() }).collect();
    for pair in &pairs {
        for finding in all.iter_mut().filter(|finding| finding.bug() == pair.id) {
            finding.merged_into = Some(into.clone());
        }
    }
    pairs
}

/// Groups findings of several campaigns by the rules that merge those of one. The most severe come first. Returns, for each, the index of
/// the one that represents its bug.
pub fn group_alike(identities: Vec<Identity>) -> Vec<usize> {
    let named = |(index, identity)| Triaged { id: format!("{index:08}"), merged_into: None, identity };
    let mut all: Vec<Triaged> = identities.into_iter().enumerate().map(named).collect();
    for index in 0..all.len() {
        if all[index].merged_into.is_none() {
            join_at(&mut all, index);
        }
    }
    let represents = |finding: &Triaged| all.iter().position(|other| other.id == finding.bug());
    all.iter().enumerate().map(|(index, finding)| represents(finding).unwrap_or(index)).collect()
}

/// The listed findings of the same bug as the one at an index, and itself. If it is alone, the most severe one that explains it counts.
fn bugs_of(all: &[Triaged], index: usize) -> BTreeSet<String> {
    let own = &all[index];
    let (mut same, mut explaining) = (BTreeSet::from([own.id.clone()]), BTreeSet::new());
    // A merged finding may have been reduced to fewer operators than the one that represents it.
    for other in all.iter().filter(|other| other.bug() != own.id) {
        match own.identity.relation(&other.identity, other.merged_into.is_none()) {
            Relation::Same => same.insert(other.bug().to_owned()),
            Relation::Explained => explaining.insert(other.bug()),
            Relation::None => false,
        };
    }
    // What explains this finding need not explain others that were merged into it.
    let represents_others = all.iter().any(|other| other.merged_into.as_ref() == Some(&own.id));
    if same.len() == 1 && !represents_others {
        let most_severe = all.iter().find(|other| explaining.contains(other.id.as_str()));
        same.extend(most_severe.map(|other| other.id.clone()));
    }
    same
}

/// Merges findings that are likely one bug, by the releases that show them.
fn merge_by_releases(store: &mut Store, merged: &mut dyn FnMut(&Merged)) -> Result<(), TriageError> {
    let listed = store.findings()?;
    let is_listed = |name: &str| listed.iter().any(|finding| finding.id == name);
    let mut facts = stored_facts(store.folder());
    facts.retain(|one| is_listed(&one.name) && (one.releases.is_some() || one.crash.is_some()));
    // The most severe finding represents a group.
    facts.sort_by_key(|one| listed.iter().position(|finding| finding.id == one.name));
    for group in clusters(&facts) {
        for &other in &group[1..] {
            let pair = Merged { id: facts[other].name.clone(), into: facts[group[0]].name.clone() };
            store.merge(&pair)?;
            merged(&pair);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automatic::Failure;

    fn wrong_answer(operators: &[&str]) -> Identity {
        Identity {
            solver: "z3".to_owned(),
            failure: Failure::Answer,
            wrong_answer: None,
            options: Vec::new(),
            operators: operators.iter().map(|&name| name.to_owned()).collect(),
            commands: Vec::new(),
            memory_error: None,
        }
    }

    #[test]
    fn findings_of_one_bug_form_a_group() {
        let found = [
            &["bvsmul_noovfl"][..],
            &["str.replace_all"],
            &["bvsmul_noovfl", "bvadd"],
            &["str.replace_all"],
            &["fp.fma"],
        ];
        let identities = found.map(wrong_answer).to_vec();
        assert_eq!(group_alike(identities), [0, 1, 0, 1, 4]);
        assert!(group_alike(Vec::new()).is_empty());
    }
}
