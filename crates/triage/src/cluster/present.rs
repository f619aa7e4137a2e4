//! Groups of findings for people and for programs.

use super::{AllFacts, clusters};
use case::table::counted;
use serde_json::{Value, json};

/// The groups as lines: a signature, then the scripts that share it.
pub fn clusters_text(found: &AllFacts) -> Vec<String> {
    let AllFacts { facts, left_out } = found;
    let groups = clusters(facts);
    let mut lines = Vec::new();
    for (number, members) in groups.iter().enumerate() {
        lines.push(format!("{}. {}", number + 1, facts[members[0]].signature()));
        lines.extend(members.iter().map(|&index| format!("   {}", facts[index].name)));
    }
    let (scripts, groups) = (counted(facts.len(), "script"), counted(groups.len(), "cluster"));
    lines.push(format!("{scripts} in {groups}, {} skipped", left_out.len()));
    lines
}

/// The groups as JSON, with the facts that they are formed by.
pub fn clusters_json(found: &AllFacts) -> Value {
    let AllFacts { facts, left_out } = found;
    let group = |members: &Vec<usize>| {
        let names: Vec<&str> = members.iter().map(|&index| facts[index].name.as_str()).collect();
        json!({ "signature": facts[members[0]].signature(), "scripts": names })
    };
    let groups: Vec<Value> = clusters(facts).iter().map(group).collect();
    json!({ "clusters": groups, "left_out": left_out, "facts": facts })
}
