//! A call before it is sent, and its destination.

use serde_json::Value;
use url::Url;

use super::MethodCall;
use super::bounds::Expected;
use crate::domain::text;

/// The address and project of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// `{base_url}/v2/rpc`.
    pub rpc_url: Url,
    /// `Project-Id`.
    pub project_id: String,
    /// `Subproject-Id`; neither `None` nor `_` is sent.
    pub subproject_id: Option<String>,
}

impl Endpoint {
    /// Project and sub project as shown to the user: `P_9/SP_1`.
    pub(super) fn project(&self) -> String {
        let subproject = self.subproject_id.iter();
        let named = std::iter::once(&self.project_id).chain(subproject);
        text::join(named.map(String::as_str), "/")
    }
}

/// A call ready to be sent.
pub struct PreparedCall {
    pub asked: MethodCall,
    /// An object.
    pub params: Value,
    pub expected: Expected,
}

/// Value of `writes`: the call changes nothing.
pub const READS: bool = false;
pub const WRITES: bool = true;

impl PreparedCall {
    pub fn new(
        writes: bool,
        (method, doing): (&'static str, &'static str),
        about: String,
        params: Value,
        expected: Expected,
    ) -> Self {
        let asked = MethodCall {
            method,
            doing,
            about,
            writes,
        };
        Self {
            asked,
            params,
            expected,
        }
    }
}
