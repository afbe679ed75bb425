//! Bounds of an answer. The interface names no limits (section 8), so anything a server can make large is counted in
//! the bytes before values are made of them: a value takes many times the memory of its text.

/// Default size limit of an answer in megabytes (`max_answer_mb`).
pub const USUAL_MEGABYTES: u32 = 16;
/// Levels of nested arrays and objects.
const DEPTH: usize = 64;
/// Entries that a list may have beyond the requested number: services may have a minimum page size.
const MORE_ENTRIES: usize = 1_000;

/// The expected kind of result.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// `true`, `false`, or the reference of a new document.
    Word,
    /// One document.
    Document,
    /// A list with this number of entries.
    List(u32),
}

/// Limits of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of the body, after decompression.
    pub bytes: usize,
    /// Names and values of its JSON, at any depth.
    values: usize,
    /// Bytes of one text.
    text: usize,
    /// Requested entries, of a list.
    page: Option<u32>,
}

/// An answer that exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The quantity and its limit.
    pub what: String,
    /// Remedy.
    pub remedy: MoreRoom,
}

/// Remedy for an answer that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoreRoom {
    /// A page of fewer entries, or a larger `max_answer_mb`.
    SmallerPage,
    /// A larger `max_answer_mb`.
    Setting,
    /// Nothing that the user can do.
    Nothing,
}

/// Returns the most entries read of a list for which `limit` were requested.
pub fn most_entries(limit: u32) -> usize {
    (limit as usize).saturating_add(MORE_ENTRIES)
}

impl Expected {
    /// Returns the limits; `megabytes` is that of any answer.
    pub fn bounds(self, megabytes: u32) -> Bounds {
        let most = megabytes as usize;
        let times = most.div_ceil(USUAL_MEGABYTES as usize);
        let (megabytes, values, page) = match self {
            Self::Word => (times, times * 10_000, None),
            Self::Document => (most.div_ceil(2), most * 3_000, None),
            Self::List(limit) => {
                let entries = limit as usize;
                let megabytes = most.min((2 + entries.div_ceil(8)) * times);
                (megabytes, most * 3_000 + entries * 400, Some(limit))
            }
        };
        Bounds {
            bytes: megabytes << 20,
            values,
            text: most << 16,
            page,
        }
    }
}

impl Bounds {
    /// Returns the error of a body with more bytes.
    pub fn too_many_bytes(&self) -> TooLarge {
        let most = self.bytes >> 20;
        let page = self.page.map(|entries| match entries {
            1 => ", all that is read of a page of one entry".to_owned(),
            _ => format!(", all that is read of a page of {entries}"),
        });
        TooLarge {
            what: format!(
                "the answer is larger than {most} MiB{}",
                page.unwrap_or_default()
            ),
            remedy: self.of_page(),
        }
    }

    /// True of the answer of a list.
    pub fn is_of_list(&self) -> bool {
        self.page.is_some()
    }

    /// Remedy for a page that is too large as a whole.
    fn of_page(&self) -> MoreRoom {
        match self.page {
            Some(2..) => MoreRoom::SmallerPage,
            _ => MoreRoom::Setting,
        }
    }

    /// Checks a body against the limits, in one pass without storing anything. A body that is no JSON is reported
    /// elsewhere.
    pub fn check(&self, body: &[u8]) -> Result<(), TooLarge> {
        let (mut values, mut depth, mut deepest, mut longest) = (0_usize, 0_usize, 0, 0);
        // Start of the current text; whether its next byte is escaped; whether a number or a literal is being read.
        let (mut text, mut escaped, mut word): (Option<usize>, bool, bool) = (None, false, false);
        for (at, byte) in body.iter().enumerate() {
            if let Some(start) = text {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => (text, longest) = (None, longest.max(at - start - 1)),
                    _ => {}
                }
                continue;
            }
            let begins = match byte {
                b'"' => {
                    text = Some(at);
                    true
                }
                b'{' | b'[' => {
                    depth += 1;
                    deepest = deepest.max(depth);
                    true
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    false
                }
                b'-' | b'0'..=b'9' | b'a'..=b'z' => !word,
                _ => false,
            };
            word = matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E');
            values += usize::from(begins);
        }
        for (what, came, read, remedy) in [
            ("names and values", values, self.values, self.of_page()),
            ("levels of nesting", deepest, DEPTH, MoreRoom::Nothing),
            ("bytes in one text", longest, self.text, MoreRoom::Setting),
        ] {
            if came > read {
                return Err(TooLarge {
                    what: format!("the answer has {came} {what}; at most {read} are read"),
                    remedy,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, values: usize, text: usize) -> Result<(), String> {
        let bounds = Bounds {
            bytes: 0,
            values,
            text,
            page: None,
        };
        bounds.check(body.as_bytes()).map_err(|large| large.what)
    }

    #[test]
    fn every_name_and_value_is_counted_once() {
        for (body, values) in [
            ("null", 1),
            ("[]", 1),
            ("[ {}, [] ]", 3),
            (r#"{"a":0,"b":-1.5E+7,"c":[true,null,"x"]}"#, 10),
            (r#"{"a,[{\"b\\":"1,2"}"#, 3),
        ] {
            assert_eq!(check(body, values, 99), Ok(()), "{body}");
            assert_eq!(
                check(body, values - 1, 99).unwrap_err(),
                format!(
                    "the answer has {values} names and values; at most {} are read",
                    values - 1
                ),
                "{body}"
            );
        }
    }

    #[test]
    fn a_text_and_the_nesting_have_their_bounds() {
        assert_eq!(check(r#"["abc\"d"]"#, 9, 6), Ok(()));
        assert_eq!(
            check(r#"["abc\"d"]"#, 9, 5).unwrap_err(),
            "the answer has 6 bytes in one text; at most 5 are read"
        );
        let nested = |deep: usize| "[".repeat(deep) + &"]".repeat(deep);
        assert_eq!(check(&nested(64), 99, 0), Ok(()));
        assert_eq!(
            check(&nested(65), 99, 0).unwrap_err(),
            "the answer has 65 levels of nesting; at most 64 are read"
        );
    }

    #[test]
    fn what_is_too_large_is_told_with_what_helps() {
        let told = |expected: Expected, body: &str| {
            let large = expected.bounds(1).check(body.as_bytes()).unwrap_err();
            large.remedy
        };
        let (values, deep) = ("0,".repeat(30_000), "[".repeat(65));
        let text = format!("\"{}\"", "x".repeat(1 << 17));
        for (expected, of_values) in [
            (Expected::Word, MoreRoom::Setting),
            (Expected::Document, MoreRoom::Setting),
            (Expected::List(1), MoreRoom::Setting),
            (Expected::List(50), MoreRoom::SmallerPage),
        ] {
            assert_eq!(told(expected, &values), of_values, "{expected:?}");
            assert_eq!(expected.bounds(1).too_many_bytes().remedy, of_values);
            assert_eq!(told(expected, &text), MoreRoom::Setting, "{expected:?}");
            assert_eq!(told(expected, &deep), MoreRoom::Nothing, "{expected:?}");
        }
    }

    #[test]
    fn a_list_may_be_as_large_as_what_was_asked_for() {
        let megabytes = |expected: Expected, most| expected.bounds(most).bytes >> 20;
        assert_eq!(megabytes(Expected::Word, 16), 1);
        assert_eq!(megabytes(Expected::Document, 16), 8);
        assert_eq!(megabytes(Expected::Document, 1), 1);
        assert_eq!(megabytes(Expected::List(50), 16), 9);
        assert_eq!(megabytes(Expected::List(1000), 16), 16);
        assert_eq!(megabytes(Expected::List(1000), 64), 64);
        // The setting raises the bounds of small answers, too, and lowers none but its own.
        assert_eq!(megabytes(Expected::Word, 64), 4);
        assert_eq!(megabytes(Expected::List(1), 16), 3);
        assert_eq!(megabytes(Expected::List(1), 64), 12);
        assert_eq!(megabytes(Expected::List(1), 4), 3);
        assert_eq!(megabytes(Expected::List(1), 2), 2);
        assert!(Expected::List(50).bounds(16).values < Expected::List(1000).bounds(16).values);
    }
}
