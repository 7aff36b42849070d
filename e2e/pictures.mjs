// The README's pictures, taken of the real window: node e2e/pictures.mjs
// What they show is imported and saved on the command line, as any user could.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openDesktop } from './harness/desktop.mjs';
import { run } from './harness/process.mjs';
import { built, openProgram } from './harness/program.mjs';
import { css } from './harness/webdriver.mjs';
import { writeSettings } from './journey/settings.mjs';

const NOW = Date.now();
const MODEL = { service: 'scripted', model: 'qwen3:8b' };
let next = 0;

const SCENES = [
  {
    file: 'docs/window.png',
    language: 'en',
    theme: 'light',
    model: 'qwen3:8b',
    note: 'Review 2026-11-30',
    text: '# Review 2026-11-30\n\n## Decisions\n\n- Write the session to a temporary file first, then replace the real one.\n- A change goes live only after its own tests pass.\n- From next week a full recovery drill runs before each release.\n\n## To do\n\n- [ ] Tests for a power cut, by Wednesday\n- [x] Move the old recordings off the shared disk\n',
    asked: 'Turn today’s review into a note, and show me how to replace a file without losing it.',
    answer: 'The note has three decisions and two to-dos. The safe way to replace a file is to write beside it and then rename:\n\n```rust\nlet spare = path.with_extension("new");\nlet mut file = File::create(&spare)?;\nfile.write_all(bytes)?;\nfile.sync_all()?;\nfs::rename(&spare, path)?;\n```\n\nA crash leaves either the **old** file or the **new** one, never half of each. The rename takes $O(1)$ whatever the size.',
    others: [
      ['Tea and walking in Hangzhou', 'Three days, two tea gardens, one lake.'],
      ['Compare three note formats', 'Plain Markdown wins for most uses.'],
      ['Weekly report', 'Saved as a note, with the open points.'],
    ],
  },
  {
    file: 'docs/window-zh.png',
    language: 'zh-CN',
    theme: 'dark',
    model: 'qwen3:8b',
    note: '项目复盘 2026-11-30',
    text: '# 项目复盘 2026-11-30\n\n## 决定\n\n- 会话状态先写临时文件，再替换正式文件。\n- 改动必须先通过它自己的测试。\n- 下周起，发布前跑一次完整的恢复演练。\n\n## 待办\n\n- [ ] 补上断电恢复的测试，周三前\n- [x] 把旧录音移出共享盘\n',
    asked: '把今天复盘会的结论存成笔记，再比较一下几种保存方式。',
    answer: '结论已经整理成笔记，共三项决定和两个待办。几种保存方式的差别如下：\n\n| 方式 | 崩溃之后 | 代价 |\n|---|---|---|\n| 直接覆盖 | 可能只剩一半 | 最低 |\n| 先写后换 | 旧的或新的，**完整** | 多一次改名 |\n| 数据库事务 | 完整，可回退 | 需要引擎 |\n\n改名的代价与文件大小无关，为 $O(1)$。',
    others: [
      ['华东区五月销售额', '生成了一份 Markdown 报表。'],
      ['Rust 错误处理的取舍', 'thiserror 与 anyhow 各有分工。'],
      ['整理下载文件夹', '先列出重复的文件，再逐个确认。'],
    ],
  },
];


async function take(scene) {
  const desktop = await openDesktop({ keyring: false });
  try {
    const service = { url: 'http://127.0.0.1:11434/v1', model: scene.model };
    await writeSettings(desktop, service, scene);
    const talaria = (...words) => run(built('talaria'), words, { env: desktop.env });
    await talaria('note', 'save', scene.note, '--text', scene.text);
    for (const [age, [title, words]] of scene.others.entries()) {
      await bring(desktop, talaria, session(title, [turn(title, words, [], age + 1)], age + 1));
    }
    const saved = saveNote(scene);
    await bring(desktop, talaria, session(scene.note, [turn(scene.asked, scene.answer, [saved], 0)], 0));

    const { page, close } = await openProgram(desktop);
    await page.click(css('[data-session] button'));
    await page.click(css('[data-testid=tool-step] summary'));
    await page.click(css('[data-testid=tool-step] button'));
    await page.read(css('aside'), scene.note);
    await page.click(css('[data-testid=tool-step] summary'));
    await page.see(css('.katex, table'));
    await page.picture(scene.file);
    await close();
  } finally {
    await desktop.close();
  }
}

async function bring(desktop, talaria, document) {
  const file = join(desktop.folder, 'session.json');
  await writeFile(file, JSON.stringify(document));
  await talaria('session', 'import', file);
}

function id() {
  next += 1;
  return `01930000-0000-7000-8000-${String(next).padStart(12, '0')}`;
}

function session(title, turns, age) {
  const at = NOW - age * 3_600_000;
  const session = {
    id: id(),
    title,
    title_origin: 'user',
    model: MODEL,
    source: 'desktop',
    pinned: false,
    archived: false,
    created_at: at,
    updated_at: at,
  };
  return { version: 1, session, turns };
}

function turn(asked, answer, calls, age) {
  const at = NOW - age * 3_600_000;
  const turn_id = id();
  const item = (content, millis) => ({
    id: id(),
    turn_id,
    content,
    started_at: at,
    finished_at: at + millis,
  });
  return {
    id: turn_id,
    session_id: id(),
    state: 'finished',
    model: MODEL,
    usage: { input_tokens: 1204, cached_tokens: 1024, output_tokens: 212 },
    finish: 'stop',
    failure: null,
    started_at: at,
    finished_at: at + 4_000,
    items: [
      item({ kind: 'user_text', text: asked }, 0),
      item({ kind: 'reasoning', text: '…' }, 1_800),
      ...calls.map((call) => item(call, 100)),
      item({ kind: 'model_text', text: answer }, 2_000),
    ],
  };
}

function saveNote({ note, text }) {
  const result = { path: `${note}.md`, saved: 'new note', version: '0b65a2a8c2ec50e0' };
  return {
    kind: 'tool_call',
    call: { id: 'call-1', name: 'save_note', arguments: { title: note, content: text } },
    result: { text: JSON.stringify(result), is_error: false },
    round: 1,
  };
}

for (const scene of SCENES) await take(scene);
