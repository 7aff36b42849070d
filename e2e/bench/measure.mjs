// What the window costs, beside a window with nothing in it. Prints a table.
//
//   ./dev bench     builds the release programs and runs this

import { openDesktop } from '../harness/desktop.mjs';
import { run } from '../harness/process.mjs';
import { built, openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { Key, css } from '../harness/webdriver.mjs';
import { writeSettings } from '../journey/settings.mjs';
import { frames, load, memory, openingTime, startedAt } from './frames.mjs';

const STARTS = 7;
const SETTLE = 10_000;
const IDLE = 20_000;
const OPENINGS = 5;

/** A message of 60 KB, the last part of it at a hundred pieces a second. */
const LONG_MESSAGE = 60_000;
const LINES = 6_000;

const COMPOSER = css('textarea');

const ms = (value) => `${Math.round(value)} ms`;
const mb = (value) => `${Math.round(value)} MB`;
const percent = (value) => `${value.toFixed(2)} %`;
const fps = (seen) => `${seen.perSecond.toFixed(1)} a second`;
const late = (seen) => `${seen.missed} of ${seen.count}`;

const service = await openService({ slowPause: 10, slowLines: LINES });
const bare = await measure('bare-window');
const ours = await measure('talaria-desktop', { prepare: fill, work: atWork });
await service.close();
print();

/** Starts a program many times on one desktop, then looks at it at rest and at work. */
async function measure(name, { prepare = async () => {}, work = async () => ({}) } = {}) {
  const desktop = await openDesktop({ keyring: false });
  const binary = built(name, 'release');
  const open = async () => {
    const program = await openProgram(desktop, { binary });
    await program.page.see(COMPOSER);
    return { ...program, start: Date.now() - (await startedAt(program.pid)) };
  };
  try {
    await prepare(desktop);
    const starts = [];
    for (let at = 0; at < STARTS; at += 1) {
      const program = await open();
      starts.push(program.start);
      await program.close();
    }
    const program = await open();
    await pause(SETTLE);
    const atRest = { memory: await memory(program.pid), load: await load(program.pid, IDLE) };
    const idleFrames = await frames(program.page, () => pause(5_000));
    const worked = await work(program);
    await program.close();
    return { start: median(starts), ...atRest, idleFrames, ...worked };
  } finally {
    await desktop.close();
  }
}

/** A hundred thousand messages, and a service that needs no key. */
async function fill(desktop) {
  await run(built('examples/fill', 'release'), [desktop.dataRoot], { patience: 120_000 });
  await writeSettings(desktop, service);
}

async function atWork({ page, pid }) {
  const openings = [];
  for (let at = 0; at < OPENINGS; at += 1) {
    await openingTime(page, 'Session 300', 'Session 300');
    await pause(500);
    openings.push(await openingTime(page, 'The long one', 'The long one'));
    await pause(500);
  }
  const memoryAfterLong = await memory(pid);

  await page.type(COMPOSER, 'Count slowly, please.');
  await page.press(Key.Enter);
  const length = 'return document.querySelector("main").innerText.length;';
  const before = await page.run(length);
  while ((await page.run(length)) - before < LONG_MESSAGE) await pause(200);
  const streaming = await frames(page, () => pause(10_000));
  const typing = await frames(page, () => page.type(COMPOSER, 'typed while the answer comes in'));
  return { opening: median(openings), memoryAfterLong, streaming, typing };
}

function print() {
  const rows = [
    ['', 'bare', 'Talaria', 'goal'],
    ['start → ready to type', ms(bare.start), ms(ours.start), `≤ ${ms(bare.start + 80)}`],
    ['memory at rest', mb(bare.memory), mb(ours.memory), `≤ ${mb(bare.memory + 35)}`],
    ['memory after 10,000 messages', '', mb(ours.memoryAfterLong), `≤ ${mb(bare.memory + 115)}`],
    ['processor at rest', percent(bare.load), percent(ours.load), '≤ 0.1 %'],
    ['frames at rest', fps(bare.idleFrames), fps(ours.idleFrames), ''],
    ['frames in a streamed 60 KB', '', fps(ours.streaming), '≥ 58 a second'],
    ['longest frame of those', '', ms(ours.streaming.longest), '≤ 33 ms'],
    ['open 10,000 messages', '', ms(ours.opening), '≤ 150 ms'],
    ['frames missed while typing', '', late(ours.typing), '≤ 1 of 120'],
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
  }
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
