//! Tables of a page, row by row and no wider than what stands in them.
//!
//! The converter's own tables are as wide as their widest cell in every row: that is paid for in
//! tokens, and one wide cell above many rows would fill the memory.

use std::rc::Rc;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::{Element, Node};

use super::page::tag;

/// A table with headings becomes one in Markdown; any other lays out a page and is read as text.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the converter calls it with a value"
)]
pub(super) fn table(handlers: &dyn Handlers, element: Element) -> Option<HandlerResult> {
    let rows = rows(element.node);
    let is_headed = rows
        .iter()
        .any(|row| children(row).any(|cell| tag(&cell) == "th"));
    if !is_headed {
        return Some(handlers.walk_children(element.node));
    }
    let mut lines = vec![String::new()];
    for caption in children(element.node).filter(|child| tag(child) == "caption") {
        lines.extend([line(handlers, &caption), String::new()]);
    }
    for (at, row) in rows.iter().enumerate() {
        let cells = children(row).filter(|cell| matches!(tag(cell), "th" | "td"));
        let cells: Vec<String> = cells.map(|cell| line(handlers, &cell)).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if at == 0 {
            lines.push(format!("|{}", " --- |".repeat(cells.len())));
        }
    }
    lines.push(String::new());
    Some(lines.join("\n").into())
}

/// The rows of a table, with those of its head, body and foot in their order.
fn rows(table: &Rc<Node>) -> Vec<Rc<Node>> {
    let rows = children(table).flat_map(|child| match tag(&child) {
        "tr" => vec![child],
        "thead" | "tbody" | "tfoot" => children(&child).filter(|row| tag(row) == "tr").collect(),
        _ => Vec::new(),
    });
    rows.collect()
}

fn children(node: &Rc<Node>) -> impl Iterator<Item = Rc<Node>> + use<> {
    let children: Vec<Rc<Node>> = node.children.borrow().iter().map(Rc::clone).collect();
    children.into_iter()
}

/// What stands in a cell, on one line.
fn line(handlers: &dyn Handlers, cell: &Rc<Node>) -> String {
    let content = handlers.walk_children(cell).content;
    let words: Vec<&str> = content.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}
