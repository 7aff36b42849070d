import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openService } from './scripted-service.mjs';

const KEY = 'sk-harness';
const SAVER = {
  type: 'function',
  function: {
    name: 'save_note',
    parameters: {
      properties: { title: { type: 'string' }, text: { type: 'string' }, version: {} },
      required: ['title', 'text'],
    },
  },
};
const PROOF = { type: 'function', function: { name: 'proof', parameters: {} } };

let service;
before(async () => {
  service = await openService({ key: KEY, pause: 0, slowPause: 0 });
});
after(() => service.close());

/** Asks as a user, and gives the deltas of the answer. */
async function ask(messages, { tools, key = KEY } = {}) {
  const response = await fetch(`${service.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ messages, tools, stream: true }),
  });
  if (!response.ok) return response.status;
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)));
  return chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
}

const user = (content) => [{ role: 'user', content }];
const textOf = (deltas) => deltas.map((delta) => delta.content ?? '').join('');
const callOf = (deltas) => deltas.find((delta) => delta.tool_calls)?.tool_calls[0].function;

test('a request without the key is refused', async () => {
  assert.equal(await ask(user('hello'), { key: 'wrong' }), 401);
});

test('plain words come back', async () => {
  assert.equal(textOf(await ask(user('good morning'))), 'You said: good morning');
});

test('a single unknown tool is called', async () => {
  assert.equal(callOf(await ask(user('prove it'), { tools: [PROOF] })).name, 'proof');
});

for (const [wish, title] of [
  ['Save a note “Plan”, please', 'Plan'],
  ['把要点存成笔记「会议纪要」', '会议纪要'],
]) {
  test(`the wish “${wish}” calls for the note “${title}”`, async () => {
    const call = callOf(await ask(user(wish), { tools: [SAVER] }));
    const { title: called, text, ...rest } = JSON.parse(call.arguments);
    assert.equal(called, title);
    assert.ok(text.startsWith(`# ${title}`));
    assert.deepEqual(rest, {});
  });
}

test('a tool result ends the round', async () => {
  const messages = [...user('Save a note'), { role: 'tool', content: 'saved' }];
  assert.equal(textOf(await ask(messages, { tools: [SAVER] })), 'Done: saved');
});

test('what was asked is kept, with its authorization', () => {
  const [first] = service.chats();
  assert.equal(first.authorization, 'Bearer wrong');
  assert.equal(first.body.messages[0].content, 'hello');
});
