// The one way from the page to the core. The window has the real one, a browser the fake.

import type { Change, Commands, Streams } from './bindings';

export interface Backend {
  /** Asks once. Throws an ApiError. */
  call<K extends keyof Commands>(name: K, args: Commands[K]['arguments']): Promise<Commands[K]['result']>;
  /** Asks and hears events until the stream has ended. Throws an ApiError if it could not begin. */
  stream<K extends keyof Streams>(
    name: K,
    args: Streams[K]['arguments'],
    onEvent: (event: Streams[K]['event']) => void,
  ): Promise<void>;
  /** Hears what changed; returns how to stop hearing. */
  onChange(heard: (change: Change) => void): () => void;
  /** Opens a link in the browser. */
  openLink(url: string): Promise<void>;
  /** Lets the user choose a folder; null if they did not. */
  chooseFolder(): Promise<string | null>;
  /** The first frame is drawn. */
  ready(): Promise<void>;
}
