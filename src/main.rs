//! The program `rundown`.

fn main() {}
