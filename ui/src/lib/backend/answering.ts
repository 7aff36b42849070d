// A backend for unit tests that answers only what the test says, and remembers what it was asked.

import type { Commands, Streams } from './bindings';
import type { Backend } from './backend';

type Answers = {
  [K in keyof Commands]?: (args: Commands[K]['arguments']) => Commands[K]['result'] | Promise<Commands[K]['result']>;
};
type Runs = {
  [K in keyof Streams]?: (
    args: Streams[K]['arguments'],
    onEvent: (event: Streams[K]['event']) => void,
  ) => void | Promise<void>;
};

/** What was asked, in order. */
export type Asked = { name: keyof Commands | keyof Streams; args: unknown };

/** A backend with these answers. A question without one fails as `internal`. */
export function answering(answers: Answers, runs: Runs = {}): Backend & { asked: Asked[]; opened: string[] } {
  const asked: Asked[] = [];
  const opened: string[] = [];
  return {
    asked,
    opened,
    async call(name, args) {
      asked.push({ name, args });
      const answer = answers[name];
      if (answer === undefined) throw failure('internal', `no answer for ${name}`);
      return answer(args);
    },
    async stream(name, args, onEvent) {
      asked.push({ name, args });
      await runs[name]?.(args, onEvent);
    },
    onChange: () => () => undefined,
    async openLink(url) {
      opened.push(url);
    },
    chooseFolder: () => Promise.resolve(null),
    ready: () => Promise.resolve(),
  };
}

/** An error as a command throws it. */
export function failure(code: 'internal' | 'conflict' | 'not_found' | 'keyring' | 'storage' | 'auth' | 'cancelled', message = '') {
  return { code, message, hint: '' };
}
