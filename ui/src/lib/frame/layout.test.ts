import { describe, expect, it } from 'vitest';
import { Layout } from './layout.svelte';

function memory(kept: string | null = null) {
  let value = kept;
  return { getItem: () => value, setItem: (_key: string, next: string) => void (value = next) };
}

function layout(width: number, zoom = 100, kept = memory()): Layout {
  const made = new Layout(kept);
  made.width = width;
  made.zoom = zoom;
  return made;
}

describe('the panes', () => {
  it.each([
    [1360, 100, false, false],
    [999, 100, false, true],
    [860, 100, false, true],
    [859, 100, true, true],
    [1360, 200, true, true],
    [800, 80, false, false],
  ])('at %i pixels and %i %% lie over the session: list %s, panel %s', (width, zoom, list, panel) => {
    const { listOverlays, panelOverlays } = layout(width, zoom);
    expect([listOverlays, panelOverlays]).toEqual([list, panel]);
  });

  it('hide and come back, and stay so after a restart', () => {
    const kept = memory();
    const wide = layout(1360, 100, kept);
    expect(wide.listShows).toBe(true);
    wide.toggleList();
    expect(wide.listShows).toBe(false);
    expect(layout(1360, 100, kept).listShows).toBe(false);
    wide.revealList();
    expect(wide.listShows).toBe(true);
    wide.revealList();
    expect(wide.listShows).toBe(true);
  });

  it('in a narrow window, a list that was called leaves when it has done its work', () => {
    const kept = memory();
    const narrow = layout(800, 100, kept);
    expect(narrow.listShows).toBe(false);
    narrow.toggleList();
    expect(narrow.listShows).toBe(true);
    narrow.leaveList();
    expect(narrow.listShows).toBe(false);
    narrow.width = 1360;
    expect(narrow.listShows).toBe(true);
  });

  it.each([
    [300, 300],
    [10, 240],
    [900, 320],
    [267.6, 268],
    [Number.NaN, 240],
  ])('asked for a list of %d pixels give one of %d', (asked, given) => {
    const wide = layout(1360);
    wide.resizeList(asked);
    expect(wide.listWidth).toBe(given);
  });

  it('keep their widths', () => {
    const kept = memory();
    const wide = layout(1360, 100, kept);
    wide.resizeList(300);
    wide.resizePanel(500);
    const later = new Layout(kept);
    expect([later.listWidth, later.panelWidth]).toEqual([300, 500]);
  });

  it.each(['', 'null', '[]', '{"list":"wide","panel":-1}', '{"list'])('have usable widths after reading %j', (kept) => {
    const read = new Layout(memory(kept));
    expect(read.listWidth).toBeGreaterThanOrEqual(240);
    expect(read.panelWidth).toBeGreaterThanOrEqual(280);
  });
});
