//! The writes, each by what it is about.

use rundown::domain::{DocRef, NewRun, WriteRequest, method};
use rundown::rpc::{CallError, Writer};
use serde_json::Value;

pub trait Writes {
    async fn add_document(&self, run: &NewRun, locale: &str) -> Result<DocRef, CallError>;
    async fn modify_document(
        &self,
        run: &DocRef,
        document: &Value,
        locale: &str,
    ) -> Result<(), CallError>;
    async fn delete_test_run(&self, run: &DocRef) -> Result<bool, CallError>;
    async fn add_test_suites_to_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<Value, CallError>;
    async fn delete_test_suites_from_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<(), CallError>;
}

impl Writes for Writer {
    async fn add_document(&self, run: &NewRun, locale: &str) -> Result<DocRef, CallError> {
        self.create(&WriteRequest::create(run, locale)).await
    }

    async fn modify_document(
        &self,
        run: &DocRef,
        document: &Value,
        locale: &str,
    ) -> Result<(), CallError> {
        self.save(&WriteRequest::save(run, document, locale)).await
    }

    async fn delete_test_run(&self, run: &DocRef) -> Result<bool, CallError> {
        self.delete(&WriteRequest::delete(run)).await
    }

    async fn add_test_suites_to_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<Value, CallError> {
        let request = of_suites(method::ADD_SUITES, run, suites);
        self.change_suites(&request).await
    }

    async fn delete_test_suites_from_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<(), CallError> {
        let request = of_suites(method::REMOVE_SUITES, run, suites);
        self.change_suites(&request).await.map(drop)
    }
}

fn of_suites(method: &'static str, run: &DocRef, suites: &[DocRef]) -> WriteRequest {
    let suites: Vec<_> = suites
        .iter()
        .map(|it| (it.clone(), String::new()))
        .collect();
    WriteRequest::suites(method, Some(run), &suites)
}
