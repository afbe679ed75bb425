//! Suggestions for misspelled names.

/// Returns the known name nearest to `name`, if it is near enough. Case and the sort of dash do not count.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let name = plain(name);
    known
        .into_iter()
        .map(|known| {
            let distance = strsim::damerau_levenshtein(&name, &plain(known));
            (distance, known)
        })
        .filter(|(distance, known)| *distance <= (known.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Returns the suggestion for the end of a message.
pub fn did_you_mean(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean \"{name}\"?"))
        .unwrap_or_default()
}
