//! What replays of vectors share.

/// A message of the vectors, with the language's names in place of C's.
pub fn said(in_c: &str, text: &str, name: &str) {
    let of_c = |word: &str| word == "NULL" || word.starts_with("pto_") || word.starts_with("PTO_");
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && !"_:.".contains(c)).map(|word| word.trim_end_matches('.').to_owned()).collect()
    };
    let (want, got) = (words(in_c), words(text));
    assert_eq!(want.len(), got.len(), "{name}: {text}");
    for (want, got) in want.iter().zip(&got) {
        assert!(want == got || of_c(want) && !of_c(got), "{name}: {text}");
    }
}
