//! What every screen is made of.

pub mod laid;
pub mod list;
pub mod text_area;
pub mod text_input;
