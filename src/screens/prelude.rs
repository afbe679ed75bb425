//! Names that most screens and boxes use.

pub(crate) use std::sync::Arc;

pub(crate) use ratatui::prelude::{Line, Rect, Span, Style};

pub(crate) use super::keys::{
    BACK_AGAIN, Binding, CLOSES, COPIES, EVERYWHERE, EXPORTS, FINDS, HELPS, MARKS, MOVES, MOVING,
    OF_A_BOX, OF_A_SCREEN, Place, SCROLLS, SORTS, TURNS,
};
pub(crate) use super::screen::{Draw, Screen};
pub(crate) use crate::attached::Attached;
pub(crate) use crate::domain::{
    DocRef, Document, DocumentName, End, Failure, FormFor, Outcome, ResultCode, RunField, RunRow,
    RunsPage, Status, SuiteRow, texts_of,
};
pub(crate) use crate::mirror::Run;
pub(crate) use crate::store::{
    Action, Answer, Choice, Cx, Effect, Fact, Heading, Hint, KeyTable, Layer, Motion, Open, Opened,
    Remote, Request, Shared, Slot,
};
pub(crate) use crate::ui::{
    Cell, Column, Context, FootField, Input, Layout, List, Menu, Scroll, Scrolled, Sheet, Surface,
    Table, Tall, TextBox, Unmarked, beside, frame, text,
};
