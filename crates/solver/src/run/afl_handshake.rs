//! The handshake with the fork server of an AFL build.
//!
//! The server of the original AFL sends four zero bytes. AFL++ up to 4.1x sends its options in the bits of that word and does
//! not wait for a reply. AFL++ from 4.20 on sends a version, waits for a reply, and sends its options one after another.

use std::io::{self, Read, Write};

/// The first three bytes of a word whose last byte is the version of the new protocol.
const VERSION: u32 = 0x4146_4c00;
/// The only version so far.
const KNOWN: u32 = 1;
/// The upper half of an error word in the new protocol; the lower half is the error number.
const NEWER_FAILURE: u32 = 0xeffe_0000;

/// Options of the new protocol.
mod newer {
    /// The size of the map follows.
    pub const MAP: u32 = 1;
    /// Input is read from shared memory only.
    pub const SHARED_INPUT: u32 = 1 << 1;
    /// A dictionary follows.
    pub const DICTIONARY: u32 = 1 << 11;
}

/// Bits of the old protocol.
mod older {
    /// There are options.
    pub const OPTIONS: u32 = 0x8000_0001;
    /// The lower bits are the size of the map.
    pub const MAP: u32 = 0x4000_0000;
    /// An error; the middle bits are its number.
    pub const FAILURE: u32 = 0xf800_008f;
}

/// The result of a handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Handshake {
    /// The size of the map in bytes, if known.
    pub map: Option<usize>,
}

/// Performs the handshake with a new server. The inner error says why the server cannot be used.
pub(super) fn shake_hands(server: &mut (impl Read + Write)) -> io::Result<Result<Handshake, String>> {
    let word = receive(server)?;
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
        // Not replying declines everything else that it offers.
        let size = ((word & 0x00ff_fffe) >> 1) as usize + 1;
        return Ok(Ok(Handshake { map: (word & older::MAP != 0).then_some(size) }));
    }
    Ok(if word == 0 {
        Ok(Handshake::default())
    } else {
        Err(format!("its fork server starts with the unknown word {word:#x}"))
    })
}

fn newer(server: &mut (impl Read + Write), word: u32) -> io::Result<Result<Handshake, String>> {
    let version = word - VERSION;
    if version != KNOWN {
        return Ok(Err(format!("its fork server has version {version}")));
    }
    server.write_all(&(!word).to_ne_bytes())?;
    let options = receive(server)?;
    if options & newer::SHARED_INPUT != 0 {
        return Ok(Err("it reads its input from shared memory only".to_owned()));
    }
    let map = if options & newer::MAP != 0 { Some(receive(server)? as usize) } else { None };
    if options & newer::DICTIONARY != 0 {
        let length = receive(server)?;
        io::copy(&mut Read::by_ref(server).take(length.into()), &mut io::sink())?;
    }
    // It repeats its first word at the end; anything else belongs to an unknown option.
    let last = receive(server)?;
    Ok(if last == word {
        Ok(Handshake { map })
    } else {
        Err(format!("its fork server has unknown options ({options:#x})"))
    })
}

fn failure(number: u32) -> String {
    format!("its fork server failed with error {number}")
}

/// The next word from the server.
fn receive(server: &mut impl Read) -> io::Result<u32> {
    let mut word = [0; 4];
    server.read_exact(&mut word)?;
    Ok(u32::from_ne_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server with prepared output, and the replies to it.
    struct Recorded(io::Cursor<Vec<u8>>, Vec<u8>);

    impl Read for Recorded {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for Recorded {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The words of the server, the size of the map or the error, and whether there is a reply.
    type Row = (&'static [u32], Result<Option<usize>, &'static str>, bool);

    const SHARED: &str = "it reads its input from shared memory only";

    #[test]
    fn every_protocol_is_understood() {
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
        for (words, expected, replies) in table {
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
            if words.get(1) == Some(&0x801) {
                // A dictionary of six bytes.
                bytes.drain(22..24);
            }
            let mut server = Recorded(io::Cursor::new(bytes), Vec::new());
            let handshake = shake_hands(&mut server).unwrap();
            let expected = expected.map(|map| Handshake { map }).map_err(str::to_owned);
            assert_eq!(handshake, expected, "{words:x?}");
            let reply = if replies { (!VERSION_1).to_ne_bytes().to_vec() } else { Vec::new() };
            assert_eq!(server.1, reply, "{words:x?}");
        }
        assert!(shake_hands(&mut Recorded(io::Cursor::new(vec![0, 0]), Vec::new())).is_err());
    }
}
