//! The library as a text file: one item per line, fields separated by tabs, so that two libraries can be compared with `diff`.
//!
//! Reading takes one pass and parses no terms.

use super::library::{
    Atom, Counted, Declaration, Library, MOST_ASSERTIONS, MOST_BOUND, MinedFormula, Needs, OptionSet,
    Origins, Rank,
};
use super::rules::Rule;
use super::skeleton::Skeleton;
use std::fmt::{self, Write};
use std::str::FromStr;

/// The first line of library files.
const FIRST_LINE: &str = "elenchus-history 2";

/// Why a text is not a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The line number, from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for FormatError {}

impl Library {
    /// The library as text.
    pub fn write(&self) -> String {
        let mut out = format!("{FIRST_LINE}\n");
        let Origins { formulas, ill_formed, empty, assertions, left_out, normal } = self.origins;
        let origins = [formulas, ill_formed, empty, assertions, left_out, normal];
        line(&mut out, "origins", &[numbers(&origins)]);
        line(&mut out, "assertions", &[numbers(&self.assertions)]);
        line(&mut out, "bound", &[numbers(&self.bound)]);
        for need in &self.needs {
            let solvers = need.solvers.as_ref().map_or_else(|| "*".to_owned(), |solvers| solvers.join(","));
            line(&mut out, "need", &[solvers, need.theories.join(","), need.marks.join(",")]);
        }
        for declaration in &self.declarations {
            line(&mut out, "declaration", &[numbers(&declaration.after), escape(&declaration.text)]);
        }
        for rank in &self.ranks {
            line(&mut out, "rank", &[numbers(&rank.after), escape(&rank.text)]);
        }
        for set in &self.options {
            let options: Vec<String> =
                set.options.iter().map(|(name, value)| escape(&format!("{name}={value}"))).collect();
            line(&mut out, "options", &[vec![set.solver.clone()], options].concat());
        }
        for form in &self.forms {
            line(&mut out, "form", &[escape(form)]);
        }
        for atom in &self.atoms {
            let fields = [
                atom.form.to_string(),
                atom.needs.to_string(),
                atom.count.to_string(),
                if atom.ill_formed { "ill-formed" } else { "well-formed" }.to_owned(),
                numbers(&atom.slots),
                numbers(&atom.after),
                atom.broke.join(","),
                numbers(&atom.options),
                escape(&atom.text),
            ];
            line(&mut out, "atom", &fields);
        }
        for (word, list) in [("skeleton", &self.skeletons), ("normal", &self.normal)] {
            for counted in list {
                line(&mut out, word, &[counted.count.to_string(), counted.skeleton.to_string()]);
            }
        }
        for rule in &self.rules {
            let fields = [
                rule.support.to_string(),
                rule.antecedent_support.to_string(),
                numbers(&rule.antecedent),
                numbers(&rule.consequent),
            ];
            line(&mut out, "rule", &fields);
        }
        for formula in &self.formulas {
            let fields = [format!("{:016x}", formula.hash), numbers(&formula.forms), escape(&formula.name)];
            line(&mut out, "formula", &fields);
        }
        out
    }

    /// Parses the output of [`Library::write`].
    pub fn read(text: &str) -> Result<Library, FormatError> {
        let mut lines = text.lines().enumerate();
        match lines.next() {
            Some((_, FIRST_LINE)) => {}
            first => {
                let found = first.map_or("", |(_, line)| line);
                let problem = if found.starts_with("elenchus-history") {
                    format!("unsupported library version `{found}`, expected `{FIRST_LINE}`; mine it again")
                } else {
                    "not a history library".to_owned()
                };
                return Err(FormatError { line: 1, problem });
            }
        }
        let mut library = Library::default();
        for (at, text) in lines {
            read_line(&mut library, text)
                .ok_or_else(|| FormatError { line: at + 1, problem: format!("malformed line `{text}`") })?;
        }
        library.is_consistent().then_some(library).ok_or_else(|| FormatError {
            line: text.lines().count(),
            problem: "a line refers to one that is missing".to_owned(),
        })
    }

    /// Whether every index is in range.
    fn is_consistent(&self) -> bool {
        let below = |list: &[u32], count: usize| list.iter().all(|&number| (number as usize) < count);
        let (declarations, forms) = (self.declarations.len(), self.forms.len());
        let atom = |atom: &Atom| {
            below(&[atom.form], forms)
                && below(&[atom.needs], self.needs.len())
                && below(&atom.slots, self.ranks.len())
                && below(&atom.after, declarations)
                && below(&atom.options, self.options.len())
                && slots_of(&atom.text).is_some_and(|most| most <= atom.slots.len())
        };
        self.declarations.iter().enumerate().all(|(at, one)| below(&one.after, at))
            && self.ranks.iter().all(|rank| below(&rank.after, declarations))
            && self.atoms.iter().all(atom)
            && self.rules.iter().all(|rule| below(&rule.antecedent, forms) && below(&rule.consequent, forms))
            && self.rules.iter().all(|rule| !rule.antecedent.is_empty() && !rule.consequent.is_empty())
            && self.formulas.iter().all(|formula| below(&formula.forms, forms))
    }
}

/// The number of slots in the text of an atom; `None` if one has no number.
fn slots_of(text: &str) -> Option<usize> {
    let mut most = 0;
    for rest in text.split('□').skip(1) {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        most = most.max(rest[..digits].parse::<usize>().ok()? + 1);
    }
    Some(most)
}

fn line(out: &mut String, word: &str, fields: &[String]) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{word}\t{}", fields.join("\t"));
}

fn numbers(list: &[u32]) -> String {
    list.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn escape(text: &str) -> String {
    if !text.contains(['\\', '\n', '\t', '\r']) {
        return text.to_owned();
    }
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

fn unescape(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return Some(text.to_owned());
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next()? {
                '\\' => '\\',
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                _ => return None,
            },
            other => other,
        });
    }
    Some(out)
}

fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|word| word.parse().ok()).collect()
}

fn exactly<const N: usize>(text: &str) -> Option<[u32; N]> {
    list(text)?.try_into().ok()
}

fn read_line(library: &mut Library, text: &str) -> Option<()> {
    let fields: Vec<&str> = text.split('\t').collect();
    match *fields.as_slice() {
        ["origins", all] => {
            let [formulas, ill_formed, empty, assertions, left_out, normal] = exactly(all)?;
            library.origins = Origins { formulas, ill_formed, empty, assertions, left_out, normal };
        }
        ["assertions", all] => library.assertions = exactly::<MOST_ASSERTIONS>(all)?,
        ["bound", all] => library.bound = exactly::<MOST_BOUND>(all)?,
        ["need", solvers, theories, marks] => library.needs.push(Needs {
            solvers: if solvers == "*" { None } else { Some(list(solvers)?) },
            theories: list(theories)?,
            marks: list(marks)?,
        }),
        ["declaration", after, text] => {
            library.declarations.push(Declaration { text: unescape(text)?, after: list(after)? });
        }
        ["rank", after, text] => library.ranks.push(Rank { text: unescape(text)?, after: list(after)? }),
        ["options", solver, ref options @ ..] => {
            let pair = |option: &&str| {
                let option = unescape(option)?;
                let (name, value) = option.split_once('=')?;
                Some((name.to_owned(), value.to_owned()))
            };
            let options = options.iter().map(pair).collect::<Option<_>>()?;
            library.options.push(OptionSet { solver: solver.to_owned(), options });
        }
        ["form", text] => library.forms.push(unescape(text)?),
        ["atom", form, needs, count, formed, slots, after, broke, options, text] => {
            library.atoms.push(Atom {
                text: unescape(text)?,
                form: form.parse().ok()?,
                slots: list(slots)?,
                after: list(after)?,
                needs: needs.parse().ok()?,
                broke: list(broke)?,
                count: count.parse().ok()?,
                ill_formed: match formed {
                    "ill-formed" => true,
                    "well-formed" => false,
                    _ => return None,
                },
                options: list(options)?,
            });
        }
        [word @ ("skeleton" | "normal"), count, text] => {
            let counted = Counted { skeleton: Skeleton::read(text)?, count: count.parse().ok()? };
            if word == "normal" { library.normal.push(counted) } else { library.skeletons.push(counted) }
        }
        ["rule", support, antecedent_support, antecedent, consequent] => library.rules.push(Rule {
            antecedent: list(antecedent)?,
            consequent: list(consequent)?,
            support: support.parse().ok()?,
            antecedent_support: antecedent_support.parse().ok()?,
        }),
        ["formula", hash, forms, name] => library.formulas.push(MinedFormula {
            name: unescape(name)?,
            hash: u64::from_str_radix(hash, 16).ok()?,
            forms: list(forms)?,
        }),
        _ => return None,
    }
    Some(())
}
