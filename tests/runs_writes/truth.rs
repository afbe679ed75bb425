//! What the database of the service holds, and writes of others straight into it.

use super::bench::Bench;
use super::support::served::{document_of, key, run_of, suites_of};
use crate::support::prelude::*;

impl Bench {
    fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.service.database()).unwrap()
    }

    /// What the database holds of a run: its document.
    pub fn truth(&self, run: &DocRef) -> Option<Value> {
        document_of(&self.service, run)
    }

    /// A field of `Root.General` in the database.
    pub fn field(&self, run: &DocRef, field: RunField) -> String {
        self.truth(run).unwrap()["Root"]["General"][field.name()]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// An open run of the made data, of the project, sub project and version that everybody works on.
    pub fn first_open_run(&self) -> DocRef {
        let sql = "SELECT r.ref FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.status = 0
            AND json_extract(d.doc, '$.Root.General.ProjectId') = 'P_9'
            AND json_extract(d.doc, '$.Root.General.SubprojectId') = 'SP_1'
            AND json_extract(d.doc, '$.Root.General.ProjectVersionNumber') = '1.2.1' ORDER BY r.seq LIMIT 1";
        let key: Vec<u8> = self
            .database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap();
        run_of(&key)
    }

    /// Titles of runs in the database that begin so, in order of their making.
    pub fn titles(&self, begin: &str) -> Vec<String> {
        let database = self.database();
        let mut statement = database
            .prepare("SELECT title FROM runs WHERE title LIKE ?1 || '%' ORDER BY seq")
            .unwrap();
        statement
            .query_map([begin], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    }

    /// The suites of a run in the database.
    pub fn suites(&self, run: &DocRef) -> BTreeSet<DocRef> {
        suites_of(&self.service, run)
    }

    /// Somebody of this name writes a run, in the database itself.
    pub fn edit(&self, run: &DocRef, who: &str, change: impl FnOnce(&mut Value)) {
        let mut document = self.truth(run).unwrap();
        document["Root"]["Metadata"]["EditedBy"] = who.into();
        let at = document["Root"]["Metadata"]["EditedOn"].as_i64().unwrap();
        document["Root"]["Metadata"]["EditedOn"] = (at + 1).into();
        change(&mut document);
        self.put(run, &document);
    }

    /// Makes a run so many milliseconds older.
    pub fn age(&self, run: &DocRef, by: i64) {
        let mut document = self.truth(run).unwrap();
        let at = document["Root"]["Metadata"]["CreatedOn"].as_i64().unwrap() - by;
        document["Root"]["Metadata"]["CreatedOn"] = at.into();
        self.put(run, &document);
        let sql = "UPDATE runs SET created_on = ?2 WHERE ref = ?1";
        assert_eq!(self.database().execute(sql, (key(run), at)).unwrap(), 1);
    }

    /// Puts a document into the database as it is.
    pub fn put(&self, run: &DocRef, document: &Value) {
        let database = self.database();
        database.busy_timeout(Duration::from_secs(5)).unwrap();
        let text = |pointer: &str| {
            document
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let sql = "UPDATE docs SET doc = ?2, meta = NULL WHERE seq = (SELECT seq FROM runs WHERE ref = ?1)";
        assert_eq!(
            database
                .execute(sql, (key(run), document.to_string()))
                .unwrap(),
            1
        );
        let sql = "UPDATE runs SET title = ?2 WHERE ref = ?1";
        assert_eq!(
            database
                .execute(sql, (key(run), text("/Root/General/Title")))
                .unwrap(),
            1
        );
        database
            .execute(
                "UPDATE state SET value = value + 1 WHERE key = 'revision'",
                [],
            )
            .unwrap();
    }
}
