// Which note lies beside which session. It is remembered, so that a session comes back as it was left.

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'talaria.panels';
/** So many sessions are remembered, the latest. */
const MOST = 100;

export class Panels {
  /** Pairs of session and path, the latest last. */
  #kept = $state.raw<[session: string, path: string][]>([]);
  #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#kept = read(memory);
  }

  /** The path of the note beside a session; null: none. */
  noteOf(session: string | null): string | null {
    return this.#kept.find(([id]) => id === session)?.[1] ?? null;
  }

  open(session: string, path: string): void {
    this.#keep([...this.#others(session), [session, path]]);
  }

  close(session: string): void {
    this.#keep(this.#others(session));
  }

  #others(session: string): [string, string][] {
    return this.#kept.filter(([id]) => id !== session);
  }

  #keep(kept: [string, string][]): void {
    this.#kept = kept.slice(-MOST);
    this.#memory.setItem(KEY, JSON.stringify(this.#kept));
  }
}

function read(memory: Memory): [string, string][] {
  try {
    const kept: unknown = JSON.parse(memory.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPair) : [];
  } catch {
    return [];
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
