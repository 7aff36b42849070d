// What a reader sees of the window's speed, measured inside the page by its own frames.

import { readdir, readFile } from 'node:fs/promises';

import { family } from '../harness/program.mjs';

const TICKS_A_SECOND = 100;

/** Frames a second, and the frames that came late, while something else is done. */
export async function frames(page, meanwhile) {
  await page.run(
    `const gaps = (window.frameGaps = []);
     let last = performance.now();
     const frame = (now) => {
       gaps.push(now - last);
       last = now;
       if (window.frameGaps === gaps) requestAnimationFrame(frame);
     };
     requestAnimationFrame(frame);`,
  );
  await meanwhile();
  const gaps = await page.run('const gaps = window.frameGaps; window.frameGaps = null; return gaps;');
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  const missed = gaps.map((gap) => Math.max(0, Math.round((gap * 60) / 1000) - 1));
  return {
    perSecond: (1000 * gaps.length) / total,
    missed: missed.reduce((sum, count) => sum + count, 0),
    longest: Math.max(...gaps),
    count: gaps.length,
  };
}

/** Milliseconds from a click on a line of the session list to the frame that shows its end. */
export function openingTime(page, title, words) {
  return page.runAsync(
    `const [title, words, done] = arguments;
     const line = [...document.querySelectorAll('button, a')]
       .find((it) => it.innerText.trim().startsWith(title));
     const begin = performance.now();
     line.click();
     const frame = () => {
       if (!document.querySelector('main').innerText.includes(words)) requestAnimationFrame(frame);
       else requestAnimationFrame(() => done(performance.now() - begin));
     };
     requestAnimationFrame(frame);`,
    title,
    words,
  );
}

/** The memory of a program and all its helpers in MB, what they share counted once. */
export async function memory(pid) {
  const sizes = await Promise.all(
    (await family(pid)).map(async (id) => {
      const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** The share of one processor that a program and its helpers use over some time, in percent. */
export async function load(pid, millis) {
  const before = await ticks(pid);
  await new Promise((resolve) => setTimeout(resolve, millis));
  const used = ((await ticks(pid)) - before) / TICKS_A_SECOND;
  return (100 * used) / (millis / 1000);
}

async function ticks(pid) {
  let sum = 0;
  for (const id of await family(pid)) {
    for (const thread of await readdir(`/proc/${id}/task`).catch(() => [])) {
      const stat = await readFile(`/proc/${id}/task/${thread}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      sum += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    }
  }
  return sum;
}

/** When a process was started, as the clock of `Date`. */
export async function startedAt(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const ticksSinceBoot = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  const uptime = Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]);
  return Date.now() - (uptime - ticksSinceBoot / TICKS_A_SECOND) * 1000;
}
