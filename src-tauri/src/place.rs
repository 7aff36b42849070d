//! Where the window was, and whether it may open there again.
//!
//! A screen may be gone since, or the saved place may be nonsense: a window must never open where
//! its title bar can't be reached.

use talaria_api::WindowPlace;

/// A rectangle in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The part of the title bar that must lie on a screen.
const REACHABLE: (i64, i64) = (100, 50);
/// The smallest window that is still of use, in physical pixels.
const SMALLEST: (u32, u32) = (360, 240);

/// The place to open at: the saved size within the largest screen, and the saved position if
/// enough of the title bar is on some screen. `None` for both means the default.
pub(crate) fn reachable(saved: WindowPlace, screens: &[Area]) -> Option<WindowPlace> {
    let widest = screens.iter().map(|screen| screen.width).max()?;
    let highest = screens.iter().map(|screen| screen.height).max()?;
    if saved.width < SMALLEST.0 || saved.height < SMALLEST.1 {
        return None;
    }
    let place = WindowPlace {
        width: saved.width.min(widest),
        height: saved.height.min(highest),
        ..saved
    };
    screens
        .iter()
        .any(|screen| title_bar_on(&place, screen))
        .then_some(place)
}

fn title_bar_on(place: &WindowPlace, screen: &Area) -> bool {
    let overlap = |start: i32, length: i64, from: i32, extent: u32| {
        let end = (i64::from(start) + length).min(i64::from(from) + i64::from(extent));
        end - i64::from(start.max(from))
    };
    overlap(place.x, i64::from(place.width), screen.x, screen.width) >= REACHABLE.0
        && overlap(place.y, REACHABLE.1, screen.y, screen.height) >= REACHABLE.1
}

#[cfg(test)]
mod tests {
    use super::{Area, WindowPlace, reachable};

    fn place(x: i32, y: i32, width: u32, height: u32) -> WindowPlace {
        WindowPlace {
            x,
            y,
            width,
            height,
            maximized: false,
        }
    }

    const ONE: &[Area] = &[Area {
        x: 0,
        y: 0,
        width: 1920,
        height: 1080,
    }];
    const LEFT_TOO: &[Area] = &[
        Area {
            x: -1920,
            y: 0,
            width: 1920,
            height: 1080,
        },
        Area {
            x: 0,
            y: 0,
            width: 1920,
            height: 1080,
        },
    ];

    #[test]
    fn a_window_opens_where_it_was_only_if_it_can_be_reached_there() {
        let cases = [
            ("in the middle", place(100, 100, 1200, 800), ONE, true),
            ("minimised", place(-32_000, -32_000, 160, 28), ONE, false),
            (
                "on a screen that is gone",
                place(3_000, 100, 1200, 800),
                ONE,
                false,
            ),
            (
                "on a screen to the left",
                place(-1_567, 171, 1200, 800),
                LEFT_TOO,
                true,
            ),
            (
                "the same without that screen",
                place(-1_567, 171, 1200, 800),
                ONE,
                false,
            ),
            ("above the screen", place(100, -40, 1200, 800), ONE, false),
            ("without size", place(100, 100, 0, 0), ONE, false),
            ("without screens", place(100, 100, 1200, 800), &[], false),
        ];
        for (name, saved, screens, expected) in cases {
            assert_eq!(reachable(saved, screens).is_some(), expected, "{name}");
        }
    }

    #[test]
    fn a_giant_window_is_cut_to_its_screen() {
        let fitted = reachable(place(0, 0, 99_999, 99_999), ONE).map(|it| (it.width, it.height));
        assert_eq!(fitted, Some((1920, 1080)));
    }
}
