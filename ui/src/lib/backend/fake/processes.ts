// Commands in the background, in memory: `processes=some` in the address gives a session two.

import type { ProcessView } from '../bindings';
import { fault } from './fault';

const OUTPUT = Array.from({ length: 30 }, (_, at) => `${at + 1}  bed ${at % 5}: 浇水 OK`).join('\n');

export class FakeProcesses {
  #list: ProcessView[];

  constructor(scene: URLSearchParams) {
    const some: ProcessView[] = [
      { id: 1, command: 'npm run build', running: false, exit_code: 2, seconds: 9, output: 'error: no bed 5\n' },
      { id: 2, command: 'python -m http.server 8000 --directory /home/ada/Projects/garden', running: true, exit_code: null, seconds: 75, output: OUTPUT },
    ];
    this.#list = scene.get('processes') === 'some' ? some : [];
  }

  readonly answers = {
    list_processes: (): ProcessView[] => this.#list,
    stop_process: ({ id }: { id: number }) => {
      if (!this.#list.some((each) => each.id === id && each.running)) throw fault('not_found', 'there is no such command');
      this.#list = this.#list.map((each) => (each.id === id ? { ...each, running: false } : each));
      return null;
    },
  };
}
