//! Every operator of the signature table has a rule, or the table says why it has none.

use elenchus_semantics::eval::has_rule;
use smt::Signatures;

#[test]
fn every_operator_has_a_rule_or_a_reason() {
    let signatures = Signatures::standard();
    let mut wrong = Vec::new();
    for declaration in &signatures.declarations {
        let target = declaration.alias.map(|alias| signatures.ranks(alias));
        let reason = declaration.unevaluated.is_some()
            || target.is_some_and(|ranks| {
                ranks.iter().any(|&rank| signatures.declarations[rank as usize].unevaluated.is_some())
            });
        if !reason && !has_rule(&signatures, declaration) {
            wrong.push(signatures.describe(declaration));
        }
    }
    assert!(wrong.is_empty(), "no rule and no :unevaluated for\n{}", wrong.join("\n"));
}
