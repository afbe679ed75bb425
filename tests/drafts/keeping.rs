//! Taking, keeping, leaving and discarding drafts.

use crate::support::prelude::*;
use rundown::disk::{DiskError, Drafts};

use super::{document, draft, drafts, files, fresh, json_of, run, take, title, types};

/// The drafts that are offered, newest first.
fn offered(drafts: &Drafts) -> Vec<Draft> {
    let listed = drafts.list(&owner("qa")).unwrap();
    assert!(listed.damaged.is_empty());
    let found = listed.found.into_iter();
    found.filter(|draft| draft.profile == "qa").collect()
}

#[test]
fn what_was_kept_comes_back_to_the_digit() {
    let place = new_folder();
    for form in [
        FormFor::New,
        FormFor::Clone(run(1)),
        FormFor::Edit(run(1)),
        FormFor::Edit(run(2)),
    ] {
        let drafts = drafts(place.path());
        let taken = take(&drafts, &form);
        assert_eq!((taken.before, taken.other), (None, None), "{form:?}");
        let kept = draft(&taken.key, &form, 5, "typed");
        drafts.keep(&kept).unwrap();
        drop(drafts);
        let again = take(&super::drafts(place.path()), &form);
        assert_eq!((again.key, again.other), (taken.key, None));
        assert_eq!(again.before.as_ref(), Some(&kept));
        let base = again.before.unwrap().base.unwrap();
        assert_eq!(base.raw().to_string(), document().raw().to_string());
    }
}

/// As files looked before serde wrote them: members of nothing are there, and a form was sent under no title.
#[test]
fn what_an_earlier_version_kept_comes_back() {
    let place = new_folder();
    let of = |form: &str, run: Value, base: Value| {
        json!({
            "format": 1, "profile": "qa", "form": form, "run": run, "run_name": "R_21 Übergabe", "at": 5,
            "texts": {"Title": "typed", "Description": "line 1\nline 2"},
            "sent": {"at": 7, "words": "no answer"}, "base": base,
        })
    };
    for (form, file) in [
        (FormFor::New, of("new", Value::Null, Value::Null)),
        (
            FormFor::Clone(run(1)),
            of("clone", json!(run(1).as_str()), Value::Null),
        ),
        (
            FormFor::Edit(run(1)),
            of("edit", json!(run(1).as_str()), document().raw().clone()),
        ),
    ] {
        let drafts = drafts(place.path());
        let key = take(&drafts, &form).key;
        drafts
            .keep(&draft(&key, &form, 5, "made the folder"))
            .unwrap();
        drop(drafts);
        let path = place.path().join(format!("drafts/{key}.json"));
        std::fs::write(path, file.to_string()).unwrap();
        let back = take(&super::drafts(place.path()), &form).before.unwrap();
        assert_eq!((title(&back), &back.form), ("typed", &form));
        let sent = back.sent.unwrap();
        assert_eq!(
            (sent.at, sent.titles, &*sent.words),
            (7, Vec::new(), "no answer")
        );
        let base = (form == FormFor::Edit(run(1))).then(document);
        assert_eq!(back.base, base);
    }
}

/// A form that was left before the disk answered lets its draft go late: by then it may be open in another form.
#[test]
fn a_draft_stays_open_until_each_form_that_took_it_has_left_it() {
    let (_place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    assert_eq!(take(&drafts, &FormFor::New).key, key);
    drafts.leave(&key);
    types(&drafts, &key);
    assert!(offered(&drafts).is_empty());
    drafts.leave(&key);
    assert_eq!(offered(&drafts).len(), 1);
    let late = drafts.keep(&draft(&key, &FormFor::New, 2, "late"));
    assert!(matches!(late, Err(DiskError::NotOpen { .. })), "{late:?}");
}

#[test]
fn the_newest_text_is_the_one_that_is_there() {
    let (place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    for at in 0..20 {
        drafts
            .keep(&draft(&key, &FormFor::New, at, &format!("typed {at}")))
            .unwrap();
        assert_eq!(
            json_of(place.path())["texts"]["Title"],
            format!("typed {at}")
        );
    }
    drafts.leave(&key);
    assert_eq!(
        take(&drafts, &FormFor::New).before.map(|draft| draft.at),
        Some(19)
    );
    assert_eq!(
        files(place.path()),
        [
            "drafts/.lock".to_owned(),
            format!("drafts/{key}.json"),
            format!("drafts/{key}.lock")
        ]
    );
}

#[test]
fn an_open_form_is_taken_again_as_it_is() {
    let (_place, drafts) = fresh();
    let first = take(&drafts, &FormFor::New);
    types(&drafts, &first.key);
    let second = take(&drafts, &FormFor::New);
    assert_eq!((&second.key, second.other), (&first.key, None));
    assert_eq!(second.before.as_ref().map(title), Some("typed"));
}

#[test]
fn a_form_of_another_run_or_profile_does_not_get_the_draft_of_an_open_one() {
    let (_place, drafts) = fresh();
    let form = FormFor::Edit(run(1));
    let open = take(&drafts, &form).key;
    drafts.keep(&draft(&open, &form, 1, "typed")).unwrap();
    for (profile, form, wish) in [
        ("qa", FormFor::Edit(run(2)), DraftWish::Newest),
        ("qa", FormFor::Clone(run(1)), DraftWish::Newest),
        ("qa", FormFor::New, DraftWish::Newest),
        ("live", form.clone(), DraftWish::Newest),
        ("qa", form.clone(), DraftWish::Fresh),
        ("qa", form, DraftWish::Kept("another".into())),
    ] {
        let taken = drafts.take(&owner(profile), &form, &wish).unwrap().found;
        let nobody = (taken.before, taken.other);
        assert_eq!(nobody, (None, None), "{profile} {form:?} {wish:?}");
        assert_ne!(taken.key, open, "{profile} {form:?} {wish:?}");
    }
}

#[test]
fn a_closed_form_keeps_nothing() {
    let (_place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    types(&drafts, &key);
    drafts.leave(&key);
    for key in [key.as_str(), "../journal", ""] {
        let error = drafts
            .keep(&draft(key, &FormFor::New, 2, "late"))
            .unwrap_err();
        assert!(matches!(error, DiskError::NotOpen { .. }), "{error}");
    }
    assert_eq!(title(&offered(&drafts)[0]), "typed");
}

#[test]
fn what_was_left_is_offered_by_profile_newest_first() {
    let (place, drafts) = fresh();
    assert!(offered(&drafts).is_empty());
    assert!(
        !place.path().join("drafts").exists(),
        "looking makes nothing"
    );
    for (at, number) in [(10, 1), (30, 2), (20, 3)] {
        let form = FormFor::Edit(run(number));
        let key = take(&drafts, &form).key;
        drafts.keep(&draft(&key, &form, at, "typed")).unwrap();
        drafts.leave(&key);
    }
    let other = drafts
        .take(&owner("other"), &FormFor::New, &DraftWish::Newest)
        .unwrap()
        .found
        .key;
    drafts
        .keep(&Draft {
            project: String::new(),
            profile: "other".into(),
            ..draft(&other, &FormFor::New, 40, "other")
        })
        .unwrap();
    drafts.leave(&other);
    assert_eq!(
        offered(&drafts)
            .iter()
            .map(|draft| draft.at)
            .collect::<Vec<_>>(),
        [30, 20, 10]
    );
    take(&drafts, &FormFor::Edit(run(2)));
    assert_eq!(
        offered(&drafts)
            .iter()
            .map(|draft| draft.at)
            .collect::<Vec<_>>(),
        [20, 10],
        "one is open by now"
    );
    let found = drafts.list(&owner("other")).unwrap().found;
    let others = found.iter().filter(|draft| draft.profile == "other");
    assert_eq!(others.count(), 1);
}

#[test]
fn a_form_without_a_word_leaves_nothing() {
    let (place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    drafts.leave(&key);
    assert!(offered(&drafts).is_empty());
    assert_eq!(files(place.path()), ["drafts/.lock"]);
}

#[test]
fn what_is_discarded_is_not_offered_and_can_still_be_found() {
    let (place, drafts) = fresh();
    for at in 0..25 {
        let key = take(&drafts, &FormFor::New).key;
        drafts
            .keep(&draft(&key, &FormFor::New, at, "typed"))
            .unwrap();
        if at % 2 == 0 {
            drafts.leave(&key);
        }
        drafts.discard(&key).unwrap();
        assert!(offered(&drafts).is_empty());
        drafts.discard(&key).unwrap();
        let left = std::fs::read_dir(place.path().join("drafts")).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".lock", "discarded"]);
    }
    let discarded = files(&place.path().join("drafts/discarded"));
    assert_eq!(discarded.len(), 20);
    let text = std::fs::read_to_string(place.path().join("drafts/discarded").join(&discarded[19]))
        .unwrap();
    assert!(text.contains("\"at\": 24"), "the newest stay: {text}");
    // Also where the clock was ahead.
    let folder = place.path().join("drafts/discarded");
    for name in &discarded {
        std::fs::rename(folder.join(name), folder.join(format!("9{}", &name[1..]))).unwrap();
    }
    let key = take(&drafts, &FormFor::New).key;
    drafts
        .keep(&draft(&key, &FormFor::New, 99, "typed"))
        .unwrap();
    drafts.discard(&key).unwrap();
    let newest = files(&folder).pop().unwrap();
    let text = std::fs::read_to_string(folder.join(newest)).unwrap();
    says(&text, "\"at\": 99");
}

#[test]
fn nothing_of_the_service_is_in_the_name_of_a_file() {
    let (place, drafts) = fresh();
    let odd = DocRef::parse("TestRun-dm/..\u{202e}canary").unwrap();
    let form = FormFor::Edit(odd);
    let key = drafts
        .take(&owner("../../canary"), &form, &DraftWish::Newest)
        .unwrap()
        .found
        .key;
    drafts
        .keep(&Draft {
            project: String::new(),
            profile: "../../canary".into(),
            ..draft(&key, &form, 1, "typed")
        })
        .unwrap();
    for name in files(place.path()) {
        assert!(!name.contains("canary") && name.is_ascii(), "{name}");
    }
    assert_eq!(json_of(place.path())["profile"], "../../canary");
}

/// What could be the name of a draft, but for one thing.
fn no_keys() -> Vec<String> {
    let name = "0123456789abcdef".repeat(2);
    vec![
        name[1..].to_owned(),
        format!("{name}0"),
        name.replace('c', "g"),
        format!("{name}-"),
        format!("{name}-x"),
        format!("{name}-2x"),
        format!("{}-2", &name[1..]),
        "notes".to_owned(),
        String::new(),
    ]
}

#[test]
fn files_of_others_beside_the_drafts_are_no_drafts() {
    let (place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    types(&drafts, &key);
    drafts.leave(&key);
    let folder = place.path().join("drafts");
    for name in no_keys() {
        for ending in ["json", "lock"] {
            std::fs::write(folder.join(format!("{name}.{ending}")), "mine").unwrap();
        }
    }
    let before = files(&folder);
    assert_eq!(offered(&drafts).len(), 1);
    for text in no_keys().iter().chain(&["../journal".to_owned()]) {
        let error = drafts.discard(text).unwrap_err();
        assert!(
            matches!(error, DiskError::NotOpen { .. }),
            "{text}: {error}"
        );
    }
    assert_eq!(files(&folder), before);
    // Each number of a form is a key.
    for key in [key.clone(), format!("{key}-2"), format!("{key}-31")] {
        drafts.discard(&key).unwrap();
    }
    assert!(offered(&drafts).is_empty());
}

/// Two services may have a profile of the same name, and runs of the same reference.
#[test]
fn a_draft_is_offered_at_its_service_and_taken_elsewhere_only_by_choice() {
    let (_place, drafts) = fresh();
    let at = |service: &str| owner("qa").with(|it| it.service = service.into());
    let (one, two) = (at("http://one/api"), at("http://two/api"));
    let form = FormFor::Edit(run(1));
    let take = |owner: &DraftOwner, wish: &DraftWish| {
        let taken = drafts.take(owner, &form, wish).unwrap().found;
        drafts.leave(&taken.key);
        taken
    };
    let services = |owner: &DraftOwner| {
        let found = drafts.list(owner).unwrap().found;
        let service = found.into_iter().map(|draft| draft.service);
        service.collect::<Vec<_>>()
    };
    let key = drafts.take(&one, &form, &DraftWish::Newest).unwrap();
    let key = key.found.key;
    drafts.keep(&draft(&key, &form, 1, "typed")).unwrap();
    drafts.leave(&key);
    assert!(take(&one, &DraftWish::Newest).before.is_some());
    let elsewhere = take(&two, &DraftWish::Newest);
    assert_eq!(elsewhere.before, None);
    assert_ne!(elsewhere.key, key);
    assert_eq!(services(&one), [""]);
    assert_eq!(services(&at("http://one/api/")), [""]);
    assert_eq!(services(&two), ["http://one/api"]);
    // Of a profile that has another name by now it has another place.
    for (new, typed) in [(two, "typed on"), (owner("renamed"), "and on")] {
        let wish = DraftWish::Kept(key.clone());
        let taken = drafts.take(&new, &form, &wish).unwrap().found;
        assert_eq!(taken.key, key);
        let (profile, texts) = (new.profile.clone(), taken.before.unwrap().texts);
        let before = draft(&key, &form, 2, typed);
        assert_ne!(before.texts, texts);
        drafts
            .keep(&before.with(|it| it.profile = profile))
            .unwrap();
        drafts.leave(&key);
        let again = take(&new, &DraftWish::Kept(key.clone())).before.unwrap();
        assert_eq!(title(&again), typed);
        assert_eq!(services(&new), [""]);
    }
    assert_eq!(take(&one, &DraftWish::Newest).before, None);
}
