//! Which releases can be had right now, asked from the package managers.

use super::debian::Apt;
use super::error::InstallError;
use super::pip::Pip;
use super::registry::{Entry, Source};
use super::settings::Settings;
use super::spec::Wanted;
use super::version::Version;

/// A release that can be installed.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The label it is kept under.
    pub label: String,
    /// The release in the solver's own numbering.
    pub version: String,
    /// The version of the package, as its package manager writes it.
    pub package_version: Version,
    /// Where it comes from.
    pub source: &'static Source,
}

impl Offer {
    /// A word for the kind of source.
    pub fn kind(&self) -> &'static str {
        match self.source {
            Source::Wheel(_) => "wheel",
            Source::Debian(_) => "debian",
        }
    }
}

/// Everything one source offers, newest first; of several builds of one release only the newest.
pub fn offers_of(source: &'static Source, settings: &Settings) -> Result<Vec<Offer>, InstallError> {
    let (versions, oldest, suffix) = match source {
        Source::Wheel(wheel) => {
            let versions = Pip::new(settings).versions(&wheel.package, wheel.any_python)?;
            (versions, wheel.oldest.as_deref(), None)
        }
        Source::Debian(debian) => {
            (Apt::new(settings)?.versions(&debian.package)?, None, debian.label.as_deref())
        }
    };
    Ok(labelled(versions, oldest, suffix, source))
}

/// The newest builds among `versions` as offers, with the label each is kept under.
fn labelled(
    versions: Vec<Version>,
    oldest: Option<&str>,
    suffix: Option<&str>,
    source: &'static Source,
) -> Vec<Offer> {
    let offer = |package_version: Version| {
        let version = package_version.release();
        let label = suffix.map_or_else(|| version.clone(), |suffix| format!("{version}-{suffix}"));
        Offer { label, version, package_version, source }
    };
    newest_builds(versions, oldest).into_iter().map(offer).collect()
}

/// The versions from `oldest` on, newest first, of each release only the newest build.
fn newest_builds(mut versions: Vec<Version>, oldest: Option<&str>) -> Vec<Version> {
    let oldest = oldest.and_then(Version::parse);
    versions.retain(|version| oldest.as_ref().is_none_or(|oldest| version >= oldest));
    versions.sort_by(|a, b| b.cmp(a));
    versions.dedup_by(|older, newer| older.release() == newer.release());
    versions
}

/// The offer that `wanted` means. A source that cannot be asked only matters if no other has what is wanted.
pub fn choose(entry: &'static Entry, wanted: &Wanted, settings: &Settings) -> Result<Offer, InstallError> {
    if entry.sources.is_empty() {
        return Err(InstallError::NotObtainable { name: entry.name.clone(), obtain: entry.obtain.clone() });
    }
    let mut offered = Vec::new();
    let mut trouble = None;
    for source in &entry.sources {
        if matches!((source, wanted), (Source::Wheel(_), Wanted::Debian)) {
            continue;
        }
        match offers_of(source, settings) {
            Ok(offers) => match pick(&offers, wanted) {
                Some(offer) => return Ok(offer.clone()),
                None => offered.extend(offers),
            },
            Err(error) => trouble = trouble.or(Some(error)),
        }
    }
    if trouble.is_none() && is_elsewhere(entry, wanted, settings) {
        trouble = Some(InstallError::wrong_platform(&entry.name, wanted_text(wanted)));
    }
    Err(trouble.unwrap_or_else(|| InstallError::NoSuchRelease {
        name: entry.name.clone(),
        release: wanted_text(wanted).to_owned(),
        available: offered.into_iter().map(|offer| offer.label).collect(),
    }))
}

/// Whether wheels of what is wanted exist for machines of other kinds.
fn is_elsewhere(entry: &'static Entry, wanted: &Wanted, settings: &Settings) -> bool {
    let Wanted::Release(_) = wanted else { return false };
    entry.sources.iter().any(|source| match source {
        Source::Wheel(wheel) => {
            let versions = Pip::new(settings).versions_elsewhere(&wheel.package);
            pick(&labelled(versions, wheel.oldest.as_deref(), None, source), wanted).is_some()
        }
        Source::Debian(_) => false,
    })
}

/// What is wanted, for messages.
fn wanted_text(wanted: &Wanted) -> &str {
    match wanted {
        Wanted::Release(release) => release,
        Wanted::Debian => "debian",
        Wanted::Any | Wanted::Latest | Wanted::OnPath => "latest",
    }
}

/// The one of `offers`, newest first, that `wanted` means.
fn pick<'a>(offers: &'a [Offer], wanted: &Wanted) -> Option<&'a Offer> {
    let Wanted::Release(text) = wanted else { return offers.first() };
    let exact = |offer: &&Offer| offer.label == *text || offer.package_version.as_str() == text;
    let by_label = offers.iter().find(exact);
    let release = Version::parse(text).filter(|_| is_numeric(text));
    let by_release = || {
        let release = release.as_ref()?;
        let same =
            |offer: &&Offer| offer.label == offer.version && offer.package_version.same_release(release);
        let alike =
            |offer: &&Offer| offer.label == offer.version && offer.package_version.starts_with(release);
        offers.iter().find(same).or_else(|| offers.iter().find(alike))
    };
    by_label.or_else(by_release)
}

/// Whether a release is written with numbers alone, so that it can be the beginning of others.
pub fn is_numeric(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::{Offer, Version, Wanted, newest_builds, pick};
    use crate::install::registry;

    #[test]
    fn the_newest_build_of_each_release_is_offered() {
        let versions =
            ["4.4.2.1", "4.5.1.0", "4.5.1.0.post2", "4.5.1.0.post1", "5.4.0.0", "4.8.10.0", "4.8.9.0"];
        let versions = versions.map(|text| Version::parse(text).unwrap()).to_vec();
        let kept: Vec<String> =
            newest_builds(versions, Some("4.5.1")).iter().map(Version::to_string).collect();
        assert_eq!(kept, ["5.4.0.0", "4.8.10.0", "4.8.9.0", "4.5.1.0.post2"]);
    }

    #[test]
    fn releases_are_picked_exactly_or_by_their_first_numbers() {
        let source = &registry::entry("z3").unwrap().sources[0];
        let offer = |text: &str| {
            let package_version = Version::parse(text).unwrap();
            let version = package_version.release();
            Offer { label: version.clone(), version, package_version, source }
        };
        let offers = ["5.4.0.0", "4.12.2.0", "4.8.17.0", "4.8.1.0"].map(offer);
        let table = [
            ("4.8.17", Some("4.8.17")),
            ("4.8.17.0", Some("4.8.17")),
            ("4.8.1", Some("4.8.1")),
            ("4.8", Some("4.8.17")),
            ("5", Some("5.4.0")),
            ("4.1", None),
            ("4.8.17-debian", None),
            ("nightly", None),
        ];
        for (release, label) in table {
            let picked = pick(&offers, &Wanted::Release(release.into()));
            assert_eq!(picked.map(|offer| offer.label.as_str()), label, "{release}");
        }
    }
}
