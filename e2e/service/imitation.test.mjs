// The command line with a scripted service that others wrote, in each protocol it speaks.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { openHome } from '../harness/command-line.mjs';
import { PROTOCOLS, openImitation } from '../harness/imitation.mjs';

const STORY =
  'Once upon a time 从前 there was an owl 🦉, who read "all" the notes.\nThe end.';

let imitation;
before(async () => {
  imitation = await openImitation();
});
after(() => imitation.close());

for (const protocol of PROTOCOLS) {
  describe(protocol, () => {
    let home;
    const chat = (message) => home.chat(imitation.speaking(protocol), message);
    before(async () => {
      home = await openHome();
    });
    after(() => home.close());

    test('an answer is read whole', async () => {
      const { last, pieces } = await chat('Tell me a story');
      assert.deepEqual([last.type, last.finish, last.text], ['turn_finished', 'stop', STORY]);
      assert.equal(pieces.join(''), STORY);
    });

    test('reasoning is told from the answer', async () => {
      const { last, textOf } = await chat('Think first');
      assert.equal(last.text, 'Forty-two.');
      assert.equal(textOf('reasoning'), 'Six times seven is forty-two.');
    });

    test('an answer is shown while it comes', async () => {
      const { last, pieces } = await chat('Slowly');
      assert.equal(last.text, 'one two three four five six');
      assert.ok(pieces.length > 3, `it came in pieces: ${pieces}`);
    });

    test('calls are run and their results answered', async () => {
      const { last } = await chat('Save a note');
      assert.deepEqual([last.finish, last.text], ['stop', 'It is written.']);
      const calls = last.tool_calls.map((call) => [call.name, call.arguments, call.is_error]);
      assert.deepEqual(calls, [
        // A name that is close is the schema's own in the record.
        ['save_note', { title: 'Owls', content: 'They read at night. 夜里' }, false],
        ['list_notes', {}, false],
      ]);
      const saved = await home.talaria(imitation.speaking(protocol), ['note', 'read', 'Owls']);
      assert.match(JSON.stringify(saved), /They read at night\. 夜里/);
    });

    for (const [message, code, kept] of [
      ['Break off in words', 'stream_cut', /^These w/],
      ['Hang up', 'stream_cut', /^These w/],
      ['Break off in a call', 'stream_cut', /^$/],
      ['Say nothing', 'network', /^$/],
      ['Talk nonsense', 'bad_response', /^$/],
      ['Fall over', 'overloaded', /^$/],
      ['Be busy', 'rate_limited', /^$/],
    ]) {
      test(`a failure is named and what came is kept: ${message}`, async () => {
        const { events, last, textOf } = await chat(message);
        assert.deepEqual([last.type, last.code], ['error', code], JSON.stringify(last));
        assert.match(textOf('model_text'), kept);
        assert.ok(!JSON.stringify(events).includes('tool_call'), 'no call is run');
      });
    }
  });
}
