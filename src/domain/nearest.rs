//! The known name that a person may have meant.

/// The known name nearest to `name`, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|known| {
            let distance = strsim::damerau_levenshtein(&name, &known.to_lowercase());
            (distance, known)
        })
        .filter(|(distance, known)| *distance <= (known.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
