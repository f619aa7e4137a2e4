//! Lists of options with one line of tab-separated fields each, as the driver of Bitwuzla prints them.

use super::info::{OptionInfo, OptionKind};

/// Reads lines with the fields name, kind, default, minimum, maximum, modes and description.
pub fn parse(text: &str) -> Vec<OptionInfo> {
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<OptionInfo> {
    let fields: Vec<&str> = line.splitn(7, '\t').collect();
    let [name, kind, default, min, max, modes, help] = fields.try_into().ok()?;
    let kind = match kind {
        "BOOL" => OptionKind::Bool,
        "NUMERIC" => OptionKind::Int { min: min.parse().ok(), max: max.parse().ok() },
        "MODE" => OptionKind::Enum { values: modes.split(',').map(str::to_owned).collect() },
        "STRING" => OptionKind::String,
        _ => return None,
    };
    let default = if kind == OptionKind::Bool { default.to_ascii_lowercase() } else { default.to_owned() };
    Some(OptionInfo {
        name: name.to_owned(),
        aliases: Vec::new(),
        module: None,
        kind,
        default: Some(default).filter(|default| !default.is_empty()),
        help: help.to_owned(),
        level: None,
    })
}

#[cfg(test)]
mod tests {
    use super::{OptionKind, parse};

    #[test]
    fn lines_of_the_driver_are_read() {
        let text = "produce-models\tBOOL\tFalse\t\t\t\tmodel production\n\
                    seed\tNUMERIC\t27644437\t0\t4294967295\t\tseed\n\
                    bv-solver\tMODE\tbitblast\t\t\tpreprop,prop,bitblast\tengine\n";
        let options = parse(text);
        let modes = ["preprop", "prop", "bitblast"].map(str::to_owned).to_vec();
        let table = [
            ("produce-models", OptionKind::Bool, "false"),
            ("seed", OptionKind::Int { min: Some(0), max: Some(4_294_967_295) }, "27644437"),
            ("bv-solver", OptionKind::Enum { values: modes }, "bitblast"),
        ];
        assert_eq!(options.len(), table.len());
        for (option, (name, kind, default)) in options.iter().zip(table) {
            assert_eq!((option.name.as_str(), &option.kind), (name, &kind));
            assert_eq!(option.default.as_deref(), Some(default));
        }
    }
}
