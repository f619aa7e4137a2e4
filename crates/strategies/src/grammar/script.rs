//! Scripts: sampled assertions, and the commands around them.

use super::hidden_model::HiddenModel;
use super::language::Language;
use super::terms::Terms;
use crate::kit::draft::{Fact, allowance, mark};
use crate::kit::random::Random;
use case::{Case, Expectation, Step};
use semantics::{Definitions, FunctionDefinition};
use smt::{OpKind, Sort, Term, View};
use std::fmt::Write;

/// The standard logics that a script may name.
const LOGICS: [&str; 44] = [
    "QF_AX",
    "QF_UF",
    "QF_BV",
    "QF_ABV",
    "QF_UFBV",
    "QF_AUFBV",
    "QF_LIA",
    "QF_LRA",
    "QF_NIA",
    "QF_NRA",
    "QF_LIRA",
    "QF_NIRA",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_AUFLIA",
    "QF_ALIA",
    "QF_AUFNIA",
    "QF_FP",
    "QF_BVFP",
    "QF_ABVFP",
    "QF_UFFP",
    "QF_FPLRA",
    "QF_S",
    "QF_SLIA",
    "QF_SNIA",
    "QF_DT",
    "QF_UFDT",
    "QF_UFDTLIA",
    "QF_ALL",
    "LIA",
    "LRA",
    "NIA",
    "NRA",
    "BV",
    "UF",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "AUFLIA",
    "AUFLIRA",
    "UFBV",
    "ALL",
];

/// Which commands a script has besides assertions and checks.
pub(super) struct Wanted {
    push: bool,
    pop: bool,
    model: bool,
    core: bool,
    assumptions: bool,
    proof: bool,
}

impl Wanted {
    /// Random commands; most scripts have none.
    pub fn at_random(random: &mut Random) -> Wanted {
        let push = random.chance(1, 4);
        Wanted {
            push,
            pop: push && random.chance(2, 3),
            model: random.chance(1, 6),
            core: random.chance(1, 8),
            assumptions: random.chance(1, 10),
            proof: random.chance(1, 12),
        }
    }

    /// The named commands and no others. `pop` implies `push`.
    pub fn only(names: &[String]) -> Wanted {
        let has = |name: &str| names.iter().any(|one| one == name);
        Wanted {
            push: has("push") || has("pop"),
            pop: has("pop"),
            model: has("get-model"),
            core: has("get-unsat-core"),
            assumptions: has("get-unsat-assumptions"),
            proof: has("get-proof"),
        }
    }

    fn options_into(&self, out: &mut String) {
        let options = [
            (self.model, "produce-models"),
            (self.core, "produce-unsat-cores"),
            (self.assumptions, "produce-unsat-assumptions"),
            (self.proof, "produce-proofs"),
        ];
        for (_, name) in options.iter().filter(|(wanted, _)| *wanted) {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "(set-option :{name} true)");
        }
    }
}

/// A script that is being written.
pub(super) struct Writer<'a> {
    pub language: &'a mut Language,
    pub random: &'a mut Random,
    wanted: &'a Wanted,
    needs: Fact,
    text: String,
    assertions: usize,
    /// The functions that the script defines.
    pub definitions: Definitions,
    /// The model that decides which assertions are negated.
    pub hidden_model: Option<HiddenModel>,
}

impl Language {
    /// Samples a script. If it is restricted to some operations, `names` lists them, and each must occur.
    pub fn formula(&mut self, wanted: &Wanted, names: &[String], random: &mut Random) -> Option<Case> {
        let needs = self.draft.needs();
        let mut writer = Writer {
            language: self,
            random,
            wanted,
            needs,
            text: String::new(),
            assertions: 0,
            definitions: Definitions::default(),
            hidden_model: None,
        };
        writer.functions();
        for name in names {
            writer.directed(name);
        }
        if writer.language.universe.focus.is_empty() {
            writer.assertions(if names.is_empty() { 5 } else { 2 });
        } else {
            writer.focused();
        }
        if wanted.push {
            for _ in 0..1 + writer.random.below(2) {
                writer.text.push_str("(push 1)\n");
                writer.assertions(if writer.language.universe.focus.is_empty() { 2 } else { 1 });
                // Some solvers stop at a request that does not fit the answer, so only the last answer gets requests.
                writer.check();
                if wanted.pop {
                    writer.text.push_str("(pop 1)\n");
                }
            }
            if writer.random.chance(1, 2) {
                writer.assertions(1);
            }
        }
        let assumed = writer.check();
        writer.ask(assumed);
        let one_question = !wanted.push && !assumed;
        let expectation = match writer.hidden_model.take().filter(|_| one_question) {
            Some(hidden_model) => hidden_model.expectation(),
            None => Expectation::Unknown,
        };
        let Writer { mut needs, text: body, assertions, .. } = writer;
        if assertions == 0 {
            return None;
        }
        if self.universe.is_narrow {
            needs.solvers &= self.required;
        }
        let mut text = String::new();
        wanted.options_into(&mut text);
        if self.draft.has_logic {
            let _ = writeln!(text, "(set-logic {})", self.logic(&needs, random));
        }
        text.push_str(&self.universe.declarations);
        text.push_str(&body);
        let decision = self.draft.decision(needs);
        let theories: Vec<&str> = decision.theories.iter().map(String::as_str).collect();
        let made = Step { action: "generate".into(), before: String::new(), after: theories.join(" ") };
        Some(Case {
            text,
            expectation,
            lineage: vec![made],
            solvers: decision.solvers,
            theories: decision.theories,
        })
    }

    /// A logic that covers the needs; a narrow one in half of the cases, if there is one.
    fn logic(&self, needs: &Fact, random: &mut Random) -> &'static str {
        let signatures = self.draft.arena.signatures();
        let covering: Vec<&str> =
            LOGICS.iter().copied().filter(|logic| allowance(signatures, logic).covers(needs)).collect();
        let narrow = random.chance(1, 2);
        match random.pick(&covering) {
            Some(logic) if narrow => logic,
            _ if needs.marks & mark::HIGHER_ORDER != 0 => "HO_ALL",
            _ => "ALL",
        }
    }
}

impl Writer<'_> {
    pub fn terms(&mut self, left: u32) -> Terms<'_> {
        Terms {
            draft: &mut self.language.draft,
            rules: &self.language.rules,
            constants: &self.language.constants,
            random: self.random,
            locals: Vec::new(),
            left,
            forbidden: &[],
        }
    }

    /// Declares or defines each function.
    fn functions(&mut self) {
        let all = self.language.functions();
        for at in 0..self.language.universe.functions.len() {
            let Some(&op) = all.get(at) else { continue };
            let OpKind::Function { args, result } = self.language.draft.arena.op(op).kind.clone() else {
                continue;
            };
            let defined = if self.random.chance(1, 3) { self.body(&args, result, &all) } else { None };
            let function = &self.language.universe.functions[at];
            match defined {
                Some((params, locals, body)) => {
                    let defined = FunctionDefinition { params: locals.into(), body, recursive: false };
                    self.definitions.insert(op, defined);
                    let _ =
                        write!(self.text, "(define-fun {} ({params}) {} ", function.name, function.result);
                    self.language.draft.arena.print_term(body, &mut self.text);
                    self.text.push_str(")\n");
                }
                None => {
                    let args = function.args.join(" ");
                    let _ =
                        writeln!(self.text, "(declare-fun {} ({args}) {})", function.name, function.result);
                }
            }
        }
    }

    /// The parameters and the body of a definition. The body uses no functions.
    fn body(&mut self, args: &[Sort], result: Sort, all: &[smt::Op]) -> Option<(String, Vec<Term>, Term)> {
        let mut params = Vec::new();
        let mut locals = Vec::new();
        for (at, &sort) in args.iter().enumerate() {
            let name = format!("x{at}");
            let symbol = self.language.draft.arena.symbol(&name);
            locals.push(self.language.draft.arena.local(symbol, sort));
            params.push(format!("({name} {})", self.language.draft.arena.sort_text(sort)));
        }
        let mut terms = self.terms(8);
        terms.locals = locals.clone();
        terms.forbidden = all;
        let body = terms.term(result, 3)?;
        self.absorb(body).then(|| (params.join(" "), locals, body))
    }

    /// Adds the needs of a term; false, and nothing changes, if no solver would support the script.
    fn absorb(&mut self, term: Term) -> bool {
        let fact = self.language.draft.facts.of(&self.language.draft.arena, term);
        let known = self.needs.solvers & fact.solvers;
        let taken = known & self.language.required == self.language.required;
        if taken {
            self.needs.absorb(&fact);
        }
        taken
    }

    /// Writes up to `most` assertions.
    fn assertions(&mut self, most: u64) {
        if !self.language.universe.focus.is_empty() {
            return self.dense_assertions(most);
        }
        for _ in 0..1 + self.random.below(most) {
            let (depth, left) = (1 + self.random.below(5) as u32, 3 + self.random.below(25) as u32);
            let term = self.terms(left).term(Sort::BOOL, depth);
            if let Some(term) = term {
                self.assert(term);
            }
        }
    }

    /// Writes an assertion that contains a given operator.
    fn directed(&mut self, name: &str) {
        let instances = self.language.rules.instances_of(name);
        let Some(instance) = self.random.pick(&instances).cloned() else { return };
        let mut terms = self.terms(6);
        let Some(term) = terms.apply(&instance, 2) else { return };
        let sort = terms.draft.arena.sort(term);
        let tied = match sort {
            Sort::BOOL => Some(term),
            Sort::REGLAN => terms
                .leaf(Sort::STRING)
                .and_then(|word| terms.draft.arena.apply("str.in_re", &[word, term]).ok()),
            _ => terms.leaf(sort).and_then(|leaf| terms.draft.arena.apply("=", &[term, leaf]).ok()),
        };
        if let Some(term) = tied {
            self.assert(term);
        }
    }

    pub fn assert(&mut self, term: Term) {
        if !self.absorb(term) {
            return;
        }
        let term = self.polarised(term);
        let arena = &mut self.language.draft.arena;
        // Now and then, share repeated terms with `let`.
        let term = if self.random.chance(1, 8) { arena.introduce_lets(term) } else { term };
        let named = self.wanted.core && self.random.chance(2, 3);
        self.text.push_str(if named { "(assert (! " } else { "(assert " });
        arena.print_term(term, &mut self.text);
        if named {
            let _ = write!(self.text, " :named a{})", self.assertions);
        }
        self.text.push_str(")\n");
        self.assertions += 1;
    }

    /// Writes a check; returns whether it has assumptions.
    fn check(&mut self) -> bool {
        let assumed = if self.wanted.assumptions { self.assumed() } else { Vec::new() };
        if assumed.is_empty() {
            self.text.push_str("(check-sat)\n");
        } else {
            let arena = &self.language.draft.arena;
            let words: Vec<String> = assumed.iter().map(|&term| arena.term_text(term)).collect();
            let _ = writeln!(self.text, "(check-sat-assuming ({}))", words.join(" "));
        }
        !assumed.is_empty()
    }

    /// Writes the requests about the last answer.
    fn ask(&mut self, assumed: bool) {
        // A formula with a hidden model is most likely satisfiable, and so has no core and no proof.
        let refutable = self.hidden_model.is_none();
        let asked = [
            (self.wanted.model, "get-model"),
            (self.wanted.core && refutable, "get-unsat-core"),
            (self.wanted.assumptions && assumed && refutable, "get-unsat-assumptions"),
            (self.wanted.proof && refutable, "get-proof"),
        ];
        for (_, name) in asked.iter().filter(|(wanted, _)| *wanted) {
            let _ = writeln!(self.text, "({name})");
        }
    }

    /// A few literals over declared constants.
    fn assumed(&mut self) -> Vec<Term> {
        let draft = &mut self.language.draft;
        let is_declared = |term: &Term| match draft.arena.view(*term) {
            View::App(op, []) => matches!(draft.arena.op(op).kind, OpKind::Function { .. }),
            _ => false,
        };
        let mut constants: Vec<Term> =
            draft.pool.of(Sort::BOOL).iter().copied().filter(is_declared).collect();
        self.random.shuffle(&mut constants);
        constants.truncate(1 + self.random.index(3));
        for term in &mut constants {
            if self.random.chance(1, 2)
                && let Ok(negated) = draft.arena.apply("not", &[*term])
            {
                *term = negated;
            }
        }
        constants
    }
}
