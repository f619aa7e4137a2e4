//! How the fork servers of AFL builds introduce themselves.
//!
//! The server of the first AFL says four zeros. AFL++ up to 4.1x says its options in the bits of that word, and goes on whether it is
//! answered or not. AFL++ from 4.20 on names a version, waits for an answer, and sends its options one after the other.

use std::io::{self, Read, Write};

/// A word that begins so names a version of the newer greeting in its last byte.
const VERSION: u32 = 0x4146_4c00;
/// The only version that there is.
const KNOWN: u32 = 1;
/// The newer greeting says its failures so, with a number in the lower half.
const NEWER_FAILURE: u32 = 0xeffe_0000;

/// Options of the newer greeting.
mod newer {
    /// The size of the map follows.
    pub const MAP: u32 = 1;
    /// Scripts are read from shared memory, and from nowhere else.
    pub const SHARED_INPUT: u32 = 1 << 1;
    /// Words for a dictionary follow.
    pub const DICTIONARY: u32 = 1 << 11;
}

/// Bits of the older greeting.
mod older {
    /// These say that there are options at all.
    pub const OPTIONS: u32 = 0x8000_0001;
    /// The size of the map stands in the lower bits.
    pub const MAP: u32 = 0x4000_0000;
    /// It failed, with a number in the middle.
    pub const FAILURE: u32 = 0xf800_008f;
}

/// What a fork server said of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Greeting {
    /// How many bytes of the map it uses, if it said so.
    pub map: Option<usize>,
}

/// Listens to a server that was just started, and answers as far as it waits for that. The inner error says why it cannot be used.
pub(super) fn greet(server: &mut (impl Read + Write)) -> io::Result<Result<Greeting, String>> {
    let word = hear(server)?;
    if word & older::FAILURE == older::FAILURE {
        return Ok(Err(failure(word >> 8 & 0xffff)));
    }
    if word & 0xffff_0000 == NEWER_FAILURE {
        return Ok(Err(failure(word & 0xffff)));
    }
    if word & 0xffff_ff00 == VERSION {
        return newer(server, word);
    }
    if word & older::OPTIONS == older::OPTIONS {
        // Everything else that it may offer is declined by not answering.
        let size = ((word & 0x00ff_fffe) >> 1) as usize + 1;
        return Ok(Ok(Greeting { map: (word & older::MAP != 0).then_some(size) }));
    }
    Ok(if word == 0 { Ok(Greeting::default()) } else { Err(format!("it greets with {word:#x}")) })
}

fn newer(server: &mut (impl Read + Write), word: u32) -> io::Result<Result<Greeting, String>> {
    let version = word - VERSION;
    if version != KNOWN {
        return Ok(Err(format!("its fork server has version {version}")));
    }
    server.write_all(&(!word).to_ne_bytes())?;
    let options = hear(server)?;
    if options & newer::SHARED_INPUT != 0 {
        return Ok(Err("it reads its input from shared memory only".to_owned()));
    }
    let map = if options & newer::MAP != 0 { Some(hear(server)? as usize) } else { None };
    if options & newer::DICTIONARY != 0 {
        let length = hear(server)?;
        io::copy(&mut Read::by_ref(server).take(length.into()), &mut io::sink())?;
    }
    // It says its first word again at the end; another one belongs to an option that is not known here.
    let last = hear(server)?;
    Ok(if last == word { Ok(Greeting { map }) } else { Err(format!("its options are {options:#x}")) })
}

fn failure(number: u32) -> String {
    format!("its fork server failed with error {number}")
}

/// The next word that a server says.
fn hear(server: &mut impl Read) -> io::Result<u32> {
    let mut word = [0; 4];
    server.read_exact(&mut word)?;
    Ok(u32::from_ne_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that has said all that it will say, and what it was answered.
    struct Said(io::Cursor<Vec<u8>>, Vec<u8>);

    impl Read for Said {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for Said {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is said, the size of the map or why it is of no use, and whether it is answered.
    type Row = (&'static [u32], Result<Option<usize>, &'static str>, bool);

    const SHARED: &str = "it reads its input from shared memory only";

    #[test]
    fn all_kinds_of_greetings() {
        const VERSION_1: u32 = VERSION + 1;
        let table: [Row; 10] = [
            (&[0], Ok(None), false),
            (&[0x8000_0001], Ok(None), false),
            (&[0xc000_0001 | (70_000 - 1) << 1], Ok(Some(70_000)), false),
            (&[0xd100_0001 | (64 - 1) << 1], Ok(Some(64)), false),
            (&[0xf800_008f | 8 << 8], Err("its fork server failed with error 8"), false),
            (&[0xeffe_0000 | 1], Err("its fork server failed with error 1"), false),
            (&[VERSION_1, 1, 3_000_064, VERSION_1], Ok(Some(3_000_064)), true),
            (&[VERSION_1, 0x801, 128, 6, 0x6162_6364, 0x6566, VERSION_1], Ok(Some(128)), true),
            (&[VERSION_1, 3, 128, VERSION_1], Err(SHARED), true),
            (&[VERSION + 2], Err("its fork server has version 2"), false),
        ];
        for (words, expected, answered) in table {
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
            if words.get(1) == Some(&0x801) {
                // A dictionary of six bytes.
                bytes.drain(22..24);
            }
            let mut said = Said(io::Cursor::new(bytes), Vec::new());
            let greeting = greet(&mut said).unwrap();
            let expected = expected.map(|map| Greeting { map }).map_err(str::to_owned);
            assert_eq!(greeting, expected, "{words:x?}");
            let answer = if answered { (!VERSION_1).to_ne_bytes().to_vec() } else { Vec::new() };
            assert_eq!(said.1, answer, "{words:x?}");
        }
        assert!(greet(&mut Said(io::Cursor::new(vec![0, 0]), Vec::new())).is_err());
    }
}
