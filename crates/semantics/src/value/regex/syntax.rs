//! The syntax of regular expressions: shared trees that are compared and dropped without recursion.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::value::string::{MAX_CODE, Str};

/// A regular expression. Equality and order are syntactic.
#[derive(Clone)]
pub struct Regex(Arc<Node>);

struct Node {
    kind: Kind,
    /// A hash of the whole tree, for fast inequality tests.
    hash: u64,
    /// The number of nodes of the unshared tree, saturating.
    tree_size: u64,
}

/// The node types of regular expressions.
#[derive(Clone)]
pub(super) enum Kind {
    None,
    Literal(Str),
    Range(u32, u32),
    Concat(Regex, Regex),
    Union(Regex, Regex),
    Intersection(Regex, Regex),
    Complement(Regex),
    /// The least and the greatest number of repetitions; `None` for no bound.
    Repeat(Regex, u64, Option<u64>),
}

impl Kind {
    pub(super) fn children(&self) -> [Option<&Regex>; 2] {
        match self {
            Kind::None | Kind::Literal(_) | Kind::Range(..) => [None, None],
            Kind::Complement(a) | Kind::Repeat(a, ..) => [Some(a), None],
            Kind::Concat(a, b) | Kind::Union(a, b) | Kind::Intersection(a, b) => [Some(a), Some(b)],
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Kind::None => 0,
            Kind::Literal(_) => 1,
            Kind::Range(..) => 2,
            Kind::Concat(..) => 3,
            Kind::Union(..) => 4,
            Kind::Intersection(..) => 5,
            Kind::Complement(_) => 6,
            Kind::Repeat(..) => 7,
        }
    }

    /// Order by everything but the children.
    fn cmp_shallow(&self, other: &Kind) -> Ordering {
        match (self, other) {
            (Kind::Literal(a), Kind::Literal(b)) => a.cmp(b),
            (Kind::Range(a, b), Kind::Range(c, d)) => (a, b).cmp(&(c, d)),
            (Kind::Repeat(_, a, b), Kind::Repeat(_, c, d)) => (a, b).cmp(&(c, d)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Regex {
    fn make(kind: Kind) -> Regex {
        let mut hasher = FixedState::with_seed(0).build_hasher();
        kind.rank().hash(&mut hasher);
        match &kind {
            Kind::Literal(s) => s.hash(&mut hasher),
            Kind::Range(low, high) => (low, high).hash(&mut hasher),
            Kind::Repeat(_, low, high) => (low, high).hash(&mut hasher),
            _ => {}
        }
        let mut tree_size = 1u64;
        for child in kind.children().into_iter().flatten() {
            child.0.hash.hash(&mut hasher);
            tree_size = tree_size.saturating_add(child.0.tree_size);
        }
        Regex(Arc::new(Node { kind, hash: hasher.finish(), tree_size }))
    }

    /// `re.none`
    pub fn none() -> Regex {
        Regex::make(Kind::None)
    }

    /// `re.all`
    pub fn all() -> Regex {
        Regex::none().complement()
    }

    /// `re.allchar`
    pub fn any_char() -> Regex {
        Regex::make(Kind::Range(0, MAX_CODE))
    }

    /// `(str.to_re s)`
    pub fn literal(text: Str) -> Regex {
        Regex::make(Kind::Literal(text))
    }

    /// `(re.range a b)`: empty unless both are single code points in order
    pub fn range(low: &Str, high: &Str) -> Regex {
        match (low.codes(), high.codes()) {
            (&[low], &[high]) if low <= high => Regex::make(Kind::Range(low, high)),
            _ => Regex::none(),
        }
    }

    /// `(re.++ a b)`
    pub fn concat(&self, other: &Regex) -> Regex {
        Regex::make(Kind::Concat(self.clone(), other.clone()))
    }

    /// `(re.union a b)`
    pub fn union(&self, other: &Regex) -> Regex {
        Regex::make(Kind::Union(self.clone(), other.clone()))
    }

    /// `(re.inter a b)`
    pub fn intersection(&self, other: &Regex) -> Regex {
        Regex::make(Kind::Intersection(self.clone(), other.clone()))
    }

    /// `(re.diff a b)`
    pub fn difference(&self, other: &Regex) -> Regex {
        self.intersection(&other.complement())
    }

    /// `(re.comp a)`
    pub fn complement(&self) -> Regex {
        match &self.0.kind {
            Kind::Complement(inner) => inner.clone(),
            _ => Regex::make(Kind::Complement(self.clone())),
        }
    }

    /// `(re.* a)`
    pub fn star(&self) -> Regex {
        Regex::make(Kind::Repeat(self.clone(), 0, None))
    }

    /// `(re.+ a)`
    pub fn plus(&self) -> Regex {
        Regex::make(Kind::Repeat(self.clone(), 1, None))
    }

    /// `(re.opt a)`
    pub fn opt(&self) -> Regex {
        Regex::make(Kind::Repeat(self.clone(), 0, Some(1)))
    }

    /// `((_ re.^ times) a)`
    pub fn power(&self, times: u64) -> Regex {
        Regex::make(Kind::Repeat(self.clone(), times, Some(times)))
    }

    /// `((_ re.loop low high) a)`: empty if `low > high`
    pub fn repeat(&self, low: u64, high: u64) -> Regex {
        if low > high { Regex::none() } else { Regex::make(Kind::Repeat(self.clone(), low, Some(high))) }
    }

    /// Z3's `((_ re.loop low) a)`: at least `low` times
    pub fn at_least(&self, low: u64) -> Regex {
        Regex::make(Kind::Repeat(self.clone(), low, None))
    }

    /// Whether the expression contains an unbounded repetition or a complement.
    pub fn repeats_without_end(&self) -> bool {
        let mut pending = vec![self];
        let mut seen = HashSet::with_hasher(FixedState::with_seed(0));
        while let Some(regex) = pending.pop() {
            if !seen.insert(regex.address()) {
                continue;
            }
            if matches!(regex.0.kind, Kind::Repeat(_, _, None) | Kind::Complement(_)) {
                return true;
            }
            pending.extend(regex.0.kind.children().into_iter().flatten());
        }
        false
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The address, which identifies shared nodes while the expression is alive.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        take_children(&mut self.kind, &mut pending);
        while let Some(mut child) = pending.pop() {
            // Only the last owner takes the children out; otherwise the reference count decreases.
            if let Some(node) = Arc::get_mut(&mut child.0) {
                take_children(&mut node.kind, &mut pending);
            }
        }
    }
}

fn take_children(kind: &mut Kind, into: &mut Vec<Regex>) {
    match std::mem::replace(kind, Kind::None) {
        Kind::None | Kind::Literal(_) | Kind::Range(..) => {}
        Kind::Complement(a) | Kind::Repeat(a, ..) => into.push(a),
        Kind::Concat(a, b) | Kind::Union(a, b) | Kind::Intersection(a, b) => into.extend([a, b]),
    }
}

impl Ord for Regex {
    fn cmp(&self, other: &Regex) -> Ordering {
        let mut pending = vec![(self, other)];
        // A pair that was seen before is either known to be equal or still on the stack.
        let mut seen = HashSet::with_hasher(FixedState::with_seed(0));
        while let Some((a, b)) = pending.pop() {
            if a.address() == b.address() || !seen.insert((a.address(), b.address())) {
                continue;
            }
            let order = a.0.kind.cmp_shallow(&b.0.kind);
            if order.is_ne() {
                return order;
            }
            let children = a.0.kind.children().into_iter().zip(b.0.kind.children());
            pending.extend(children.rev().filter_map(|(x, y)| x.zip(y)));
        }
        Ordering::Equal
    }
}

impl PartialOrd for Regex {
    fn partial_cmp(&self, other: &Regex) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.0.hash == other.0.hash && self.cmp(other).is_eq()
    }
}

impl Eq for Regex {}

impl Hash for Regex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

/// Expressions whose tree is larger than this are printed as a summary.
const PRINTABLE: u64 = 100_000;

impl fmt::Display for Regex {
    /// Writes the SMT-LIB term, or a summary if it is too large to read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.tree_size > PRINTABLE {
            return write!(f, "<a regular expression of {} nodes>", self.0.tree_size);
        }
        enum Piece<'a> {
            Expression(&'a Regex),
            Text(&'static str),
        }
        let mut pending = vec![Piece::Expression(self)];
        while let Some(piece) = pending.pop() {
            let regex = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Expression(regex) => regex,
            };
            match &regex.0.kind {
                Kind::None => f.write_str("re.none")?,
                Kind::Literal(text) => write!(f, "(str.to_re {text})")?,
                Kind::Range(0, MAX_CODE) => f.write_str("re.allchar")?,
                Kind::Range(low, high) => {
                    let one = |code: u32| Str::new(vec![code]).unwrap_or_else(Str::empty);
                    write!(f, "(re.range {} {})", one(*low), one(*high))?;
                }
                Kind::Concat(..) => f.write_str("(re.++")?,
                Kind::Union(..) => f.write_str("(re.union")?,
                Kind::Intersection(..) => f.write_str("(re.inter")?,
                Kind::Complement(_) => f.write_str("(re.comp")?,
                Kind::Repeat(_, 0, None) => f.write_str("(re.*")?,
                Kind::Repeat(_, 1, None) => f.write_str("(re.+")?,
                Kind::Repeat(_, 0, Some(1)) => f.write_str("(re.opt")?,
                Kind::Repeat(_, low, None) => write!(f, "((_ re.loop {low})")?,
                Kind::Repeat(_, low, Some(high)) if low == high => write!(f, "((_ re.^ {low})")?,
                Kind::Repeat(_, low, Some(high)) => write!(f, "((_ re.loop {low} {high})")?,
            }
            let children = regex.0.kind.children();
            if children[0].is_some() {
                pending.push(Piece::Text(")"));
            }
            for child in children.into_iter().rev().flatten() {
                pending.push(Piece::Expression(child));
                pending.push(Piece::Text(" "));
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
