//! What a campaign keeps on disk. The only crate that knows SQL.
