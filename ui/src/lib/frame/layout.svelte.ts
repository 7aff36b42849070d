// What stands beside the work and how wide: the session list and the side panel. Widths are those
// at a size of 100 %; they and the limits grow with the user's size.

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

export const LIST = { least: 240, most: 320, usual: 268 };
export const PANEL = { least: 280, most: 560, usual: 344 };

/** Below this the list lies over the work instead of beside it. */
const LIST_BESIDE = 860;
/** Below this the panel does. */
const PANEL_BESIDE = 1000;

const KEY = 'talaria.layout';

type Kept = { list: number; panel: number; listHidden: boolean };

export class Layout {
  /** The window's width. */
  width = $state(1360);
  /** The user's size, in percent. */
  zoom = $state(100);
  listWidth = $state(LIST.usual);
  panelWidth = $state(PANEL.usual);
  #listHidden = $state(false);
  #listOver = $state(false);
  #memory: Memory;

  readonly #room: number = $derived((this.width * 100) / this.zoom);
  /** Whether the list lies over the work when it shows. */
  readonly listOverlays: boolean = $derived(this.#room < LIST_BESIDE);
  readonly panelOverlays: boolean = $derived(this.#room < PANEL_BESIDE);
  readonly listShows: boolean = $derived(this.listOverlays ? this.#listOver : !this.#listHidden);

  constructor(memory: Memory) {
    this.#memory = memory;
    const kept = read(memory);
    this.listWidth = within(LIST, kept.list ?? LIST.usual);
    this.panelWidth = within(PANEL, kept.panel ?? PANEL.usual);
    this.#listHidden = kept.listHidden ?? false;
  }

  toggleList(): void {
    if (this.listOverlays) {
      this.#listOver = !this.#listOver;
      return;
    }
    this.#listHidden = !this.#listHidden;
    this.#keep();
  }

  /** Makes sure the list can be seen, as a search in it needs. */
  revealList(): void {
    if (!this.listShows) this.toggleList();
  }

  /** The list has done its work; where it lies over the session, it leaves. */
  leaveList(): void {
    this.#listOver = false;
  }

  resizeList(width: number): void {
    this.listWidth = within(LIST, width);
    this.#keep();
  }

  resizePanel(width: number): void {
    this.panelWidth = within(PANEL, width);
    this.#keep();
  }

  #keep(): void {
    const kept: Kept = { list: this.listWidth, panel: this.panelWidth, listHidden: this.#listHidden };
    this.#memory.setItem(KEY, JSON.stringify(kept));
  }
}

function within({ least, most }: { least: number; most: number }, width: number): number {
  return Number.isFinite(width) ? Math.round(Math.min(most, Math.max(least, width))) : least;
}

function read(memory: Memory): Partial<Kept> {
  try {
    const kept: unknown = JSON.parse(memory.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}
