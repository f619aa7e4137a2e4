"""Makes an SMT-LIB executable of Bitwuzla's Python module.

usage: bitwuzla.py MODULE_FOLDER [option…] [FILE]

Options are those of the module, and a few of the executable. Without a file, or with `-`, the script is
read from standard input, each command answered before the next is read.
"""

import os
import sys

sys.path.insert(0, sys.argv[1])
import bitwuzla  # noqa: E402  (the folder just added contains it)

BASES = {"2": 2, "10": 10, "16": 16}


def list_options():
    """Prints each option as tab-separated fields: name, kind, default, minimum, maximum, modes, description."""
    options = bitwuzla.Options()
    for option in bitwuzla.Option:
        info = bitwuzla.OptionInfo(options, option)
        fields = [info.lng(), info.kind().name, info.dflt(), info.min(), info.max(), ",".join(info.modes() or [])]
        print("\t".join("" if field is None else str(field) for field in fields + [info.description()]))


def main(arguments):
    options = bitwuzla.Options()
    file, base, parse_only, print_model = "<stdin>", 2, False, False
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        name, equals, value = argument.partition("=")
        if argument == "--version":
            print(bitwuzla.version())
            return 0
        elif argument == "--list-options":
            list_options()
            return 0
        elif argument in ("-m", "--print-model"):
            print_model = True
            options.set_args("--produce-models")
        elif argument in ("-P", "--parse-only"):
            parse_only = True
        elif name == "--bv-output-format":
            if not equals:
                value = arguments[position] if position < len(arguments) else ""
                position += 1
            if value not in BASES:
                sys.stderr.write("[error] invalid value for --bv-output-format: %s\n" % value)
                return 1
            base = BASES[value]
        elif argument.startswith("-") and argument != "-":
            given = [argument]
            following = arguments[position] if position < len(arguments) else ""
            # A number is never a file here, so it belongs to the option before it, as in `-T 100`.
            if not equals and following.isdigit():
                given.append(following)
                position += 1
            options.set_args(*given)
        elif argument != "-":
            file = argument
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options, base=base)
    if print_model:
        parser.configure_auto_print_model(True)
    parser.parse(file, parse_only)
    return 0


if __name__ == "__main__":
    try:
        status = main(sys.argv[2:])
    except bitwuzla.BitwuzlaException as error:
        sys.stdout.flush()
        sys.stderr.write("[error] %s\n" % error)
        sys.stderr.flush()
        status = 1
    sys.stdout.flush()
    # Tearing down the interpreter takes longer than many queries, and nothing is left to write.
    os._exit(status)
