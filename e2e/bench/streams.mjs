// How many events of a streamed answer are read a second: by Talaria, by the parser that most
// programs in JavaScript use, and by a JSON parser alone. Prints a table.
//
//   ./dev bench     builds the measuring program and runs this

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { built } from '../harness/program.mjs';
import { run } from '../harness/process.mjs';

const PARSER = '../service/node_modules/eventsource-parser/dist/index.js';
const RUNS = 30;

const { createParser } = await import(PARSER);
const said = await run(built('examples/measure', 'release'), [], { patience: 120_000 });
const ours = said.trim().split('\n').map((line) => JSON.parse(line));

const million = (count) => `${(count / 1e6).toFixed(2)} M`;
const rows = [['events a second', 'Talaria', 'in JavaScript', 'JSON alone', 'goal']];
for (const { stream, body, piece, events, events_per_second, json_alone_per_second } of ours) {
  const script = await inJavaScript(body, piece, events);
  rows.push([stream, million(events_per_second), million(script), million(json_alone_per_second), '≥ 2.5 M']);
}
print(rows);

/** The most of several runs, over the same bytes in the same pieces. */
async function inJavaScript(file, piece, events) {
  const body = await readFile(file);
  let best = Infinity;
  for (let at = 0; at < RUNS; at += 1) {
    let found = 0;
    const parser = createParser({
      onEvent: ({ data }) => {
        if (data !== '[DONE]' && JSON.parse(data)) found += 1;
      },
    });
    const decoder = new TextDecoder();
    const begun = performance.now();
    for (let start = 0; start < body.length; start += piece) {
      parser.feed(decoder.decode(body.subarray(start, start + piece), { stream: true }));
    }
    best = Math.min(best, performance.now() - begun);
    if (found < events) throw new Error(`only ${found} events of ${fileURLToPath(import.meta.url)}`);
  }
  return events / (best / 1000);
}

function print(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
  }
}
