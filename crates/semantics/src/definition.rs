//! Functions that a script or a model defines by a body.

use std::collections::BTreeMap;
use std::sync::Arc;

use smt::{Command, DefinitionForm, Op, Term};

/// A function that a script or a model defines.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// The parameters, as local terms.
    pub params: Arc<[Term]>,
    /// The body.
    pub body: Term,
    /// Whether it may call itself.
    pub recursive: bool,
}

/// The functions that a script defines.
pub type Definitions = BTreeMap<Op, FunctionDefinition>;

/// No definitions, for terms outside a script.
pub static NO_DEFINITIONS: Definitions = BTreeMap::new();

/// Adds the definitions of a command.
pub fn collect_definitions(command: &Command, definitions: &mut Definitions) {
    if let Command::Define(form, list) = command {
        let recursive = matches!(form, DefinitionForm::FunRec | DefinitionForm::FunsRec);
        for definition in list {
            let params = definition.params.as_ref().into();
            definitions
                .insert(definition.op, FunctionDefinition { params, body: definition.body, recursive });
        }
    }
}
