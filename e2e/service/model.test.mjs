// The command line with llama.cpp's own server and a real language model, in each protocol.
//
// So small a model does what it sees done: its sessions were begun with the scripted service, which
// also shows that a session goes on with another service than it began with.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { openHome } from '../harness/command-line.mjs';
import { PROTOCOLS, openImitation } from '../harness/imitation.mjs';
import { openModelWithTools } from '../harness/model-server.mjs';

const python = process.env.MODEL_PYTHON;
const WINDOW = 4096;
const FRUITS = ['Apples', 'Pears', 'Plums'];

describe('a real model', { skip: !python }, () => {
  let model;
  let imitation;
  before(async () => {
    model = await openModelWithTools(python, WINDOW);
    imitation = await openImitation();
  });
  after(async () => {
    await model.close();
    await imitation.close();
  });

  for (const protocol of PROTOCOLS) {
    describe(protocol, () => {
      let home;
      const service = () => ({ url: model.url, protocol, model: 'smollm2' });
      const save = (title, text) =>
        home.talaria(service(), ['note', 'save', title, '--text', text]);

      /** A session in which the scripted service was told all but the last, and the model that. */
      const chat = async (messages) => {
        let session = [];
        for (const message of messages.slice(0, -1)) {
          const { last } = await home.chat(imitation.speaking(protocol), message, ...session);
          session = ['-s', last.session_id];
        }
        const answer = await home.chat(service(), messages.at(-1), ...session);
        assert.equal(answer.last.type, 'turn_finished', JSON.stringify(answer.last));
        return answer;
      };
      before(async () => {
        home = await openHome();
      });
      after(() => home.close());

      test('its answer streams', async () => {
        const names = ['Ann', 'Bob', 'Cleo', 'Dora'];
        const { last, pieces } = await chat(names.map((name) => `Say hello to ${name}.`));
        assert.match(last.text, /^Hello/);
        assert.ok(pieces.length > 1, `it came in pieces: ${pieces}`);
        assert.ok(last.usage.input_tokens > 100, JSON.stringify(last.usage));
      });

      test('it calls a tool and answers with the result', async () => {
        await save('Cherries', 'Cherries are dark.');
        for (const title of FRUITS) await save(title, `${title} are sweet.`);
        const titles = [...FRUITS, 'Cherries'];
        const { last } = await chat(titles.map((title) => `Read the note ${title}.`));
        const [call] = last.tool_calls;
        assert.deepEqual([call.name, call.arguments], ['read_note', { title: 'Cherries' }]);
        assert.match(call.result, /Cherries are dark\./);
        assert.ok(last.text, 'it says something');
      });

      test('what does not fit its window is told with the window', async () => {
        const long = 'All work and no play. '.repeat(WINDOW);
        const { last } = await home.chat(service(), long, '--window', '1000000');
        assert.deepEqual([last.type, last.code], ['error', 'context_overflow'], JSON.stringify(last));
        assert.equal(last.limit, WINDOW);
      });
    });
  }
});
