//! Vocabulary of the generated data.

pub const PEOPLE: [&str; 18] = [
    "anna.becker",
    "b.okafor",
    "c.lindqvist",
    "daniel.roth",
    "e.marchetti",
    "f.yilmaz",
    "g.novak",
    "h.tanaka",
    "ines.costa",
    "jörg.müller",
    "k.petrova",
    "l.nguyen",
    "m.dubois",
    "n.haddad",
    "olga.weiß",
    "p.silva",
    "qa",
    "r.kowalski",
];

pub const KINDS: [&str; 12] = [
    "Regression",
    "Smoke test",
    "Acceptance",
    "Exploratory",
    "Release check",
    "Nightly",
    "Load test",
    "Security review",
    "Accessibility",
    "Migration test",
    "Hotfix check",
    "Sprint test",
];

pub const AREAS: [&str; 24] = [
    "checkout",
    "login and sign-up",
    "invoice export",
    "user administration",
    "search",
    "notifications",
    "claims intake",
    "partner portal",
    "payment providers",
    "reporting",
    "mobile app",
    "document upload",
    "address validation",
    "tariff calculator",
    "printing",
    "batch processing",
    "data import",
    "roles and permissions",
    "e-mail templates",
    "customer self-service",
    "archive",
    "time booking",
    "dashboard",
    "REST interface",
];

pub const OTHER_ALPHABETS: [&str; 14] = [
    "Übergabe an die Abnahme",
    "Prüfung Umlaute in Straßennamen",
    "Überweisungen und Rückläufer",
    "回帰テスト 決済",
    "日本語の入力と検索",
    "اختبار الدفع",
    "اختبار واجهة المستخدم",
    "Проверка отчётов",
    "Έλεγχος πληρωμών",
    "Release 🚀 go / no-go",
    "Smoke 🔥 after deployment 👩‍💻",
    "Contrôle des accès réservés",
    "Zażółć gęślą jaźń: polskie znaki",
    "한국어 화면 점검",
];

pub const CONFIGURATIONS: [&str; 14] = [
    "qftest,chrome",
    "qftest,firefox",
    "qftest,edge",
    "manual",
    "manual,chrome",
    "manual,ios 19",
    "manual,android 16",
    "playwright,chrome",
    "playwright,webkit",
    "jmeter",
    "qftest,chrome,windows 11",
    "qftest,chrome,oracle 23",
    "manual,safari,macos",
    "",
];

pub const SENTENCES: [&str; 14] = [
    "Scope as agreed in the planning meeting.",
    "Test data is loaded from the nightly dump of the staging system.",
    "Known failures are linked to their tickets and need no new report.",
    "Please re-test the cases marked Retest after the next deployment.",
    "The provider's sandbox is down between 02:00 and 04:00, failures in that window count as on hold (external).",
    "Only the changed screens are covered, the rest follows with the next minor version.",
    "Run on two browsers at least; differences go into the remarks of the test case.",
    "Accounts with restricted rights are prepared, see the attached list.",
    "Umlaute, ß und Sonderzeichen in allen Pflichtfeldern prüfen.",
    "Response times above two seconds are to be noted even when the result is right.",
    "The import was repeated after the correction of the mapping table.",
    "Results are reviewed by the product owner before the run is closed.",
    "Screenshots of every failed step are attached.",
    "The environment is reset every evening at 20:00.",
];

pub const FILES: [(&str, &str); 8] = [
    ("screenshot-basket.png", "image/png"),
    (
        "test-data.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    ("protocol.pdf", "application/pdf"),
    ("server.log", "text/plain"),
    (
        "Prüfliste Übergabe.docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    ("recording.mp4", "video/mp4"),
    ("har-export.json", "application/json"),
    ("スクリーンショット.png", "image/png"),
];

pub const PRIORITIES: [&str; 3] = ["LOW", "MEDIUM", "HIGH"];

pub const ACCOUNTS: [&str; 4] = ["QA-100", "QA-210", "QA-330", ""];
