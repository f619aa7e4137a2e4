//! The releases that the package managers offer.

use super::debian::Apt;
use super::error::InstallError;
use super::pip::Pip;
use super::registry::Entry;
use super::settings::Settings;
use super::spec::Wanted;
use super::version::Version;
use crate::profile::Source;
use std::sync::Arc;

/// A release that can be installed.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its folder's name in the cache.
    pub label: String,
    /// The release number of the solver.
    pub version: String,
    /// The version of the package.
    pub package_version: Version,
    /// Where it comes from.
    pub source: Arc<Source>,
}

impl Offer {
    /// The kind of source, in one word.
    pub fn kind(&self) -> &'static str {
        match *self.source {
            Source::Wheel(_) => "wheel",
            Source::Debian(_) => "debian",
        }
    }
}

/// Everything that a source offers, newest first, with only the newest build of each release.
pub fn offers_of(source: &Arc<Source>, settings: &Settings) -> Result<Vec<Offer>, InstallError> {
    let (versions, oldest, suffix) = match &**source {
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

/// The newest builds among `versions`, as offers.
fn labelled(
    versions: Vec<Version>,
    oldest: Option<&str>,
    suffix: Option<&str>,
    source: &Arc<Source>,
) -> Vec<Offer> {
    let offer = |package_version: Version| {
        let version = package_version.release();
        let label = suffix.map_or_else(|| version.clone(), |suffix| format!("{version}-{suffix}"));
        Offer { label, version, package_version, source: source.clone() }
    };
    newest_builds(versions, oldest).into_iter().map(offer).collect()
}

/// The versions from `oldest` on, newest first, with only the newest build of each release.
fn newest_builds(mut versions: Vec<Version>, oldest: Option<&str>) -> Vec<Version> {
    let oldest = oldest.and_then(Version::parse);
    versions.retain(|version| oldest.as_ref().is_none_or(|oldest| version >= oldest));
    versions.sort_by(|a, b| b.cmp(a));
    versions.dedup_by(|older, newer| older.release() == newer.release());
    versions
}

/// The offer that `wanted` means. The failure of a source matters only if no other source has the release.
pub fn choose(entry: &Entry, wanted: &Wanted, settings: &Settings) -> Result<Offer, InstallError> {
    if entry.sources.is_empty() {
        return Err(InstallError::NotObtainable { name: entry.name.clone(), obtain: entry.obtain.clone() });
    }
    let mut offered = Vec::new();
    let mut trouble = None;
    for source in &entry.sources {
        if matches!((&**source, wanted), (Source::Wheel(_), Wanted::Debian)) {
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

/// Whether wheels of the release exist for other platforms.
fn is_elsewhere(entry: &Entry, wanted: &Wanted, settings: &Settings) -> bool {
    let Wanted::Release(_) = wanted else { return false };
    entry.sources.iter().any(|source| match &**source {
        Source::Wheel(wheel) => {
            let versions = Pip::new(settings).versions_elsewhere(&wheel.package);
            pick(&labelled(versions, wheel.oldest.as_deref(), None, source), wanted).is_some()
        }
        Source::Debian(_) => false,
    })
}

/// The wanted release, for messages.
fn wanted_text(wanted: &Wanted) -> &str {
    match wanted {
        Wanted::Release(release) => release,
        Wanted::Debian => "debian",
        Wanted::Any | Wanted::Latest | Wanted::OnPath => "latest",
    }
}

/// The offer that `wanted` means; `offers` are sorted newest first.
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

/// Whether a release consists of numbers alone, so that it can be the prefix of others.
pub fn is_numeric(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::{Offer, Version, Wanted, newest_builds, pick};
    use crate::install::registry;
    use crate::profile::Profiles;

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
        let source = &registry::entry(&Profiles::built_in(), "z3").unwrap().sources[0];
        let offer = |text: &str| {
            let package_version = Version::parse(text).unwrap();
            let version = package_version.release();
            Offer { label: version.clone(), version, package_version, source: source.clone() }
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
