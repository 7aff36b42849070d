// A model service on loopback that answers by simple rules, as OpenAI's chat completions.
//
//   a tool result at the end       a sentence about it
//   tools without `save_note`      a call of the first one
//   a wish with “note” or “笔记”    a call of `save_note`
//   a wish with “file” or “文件”    a call of `write_file`
//   a wish with “command” or “命令” a call of `run_command`, in the background with “background”
//   a wish with “web” or “联网”     a call of `search_web`
//   a wish with “slowly”           a long answer, a numbered line at a time
//   anything else                  the same words back

import { createServer } from 'node:http';

const MODEL = 'scripted-large';

/** Starts the service. With a `key`, requests without it are refused. */
export async function openService({ key, pause = 8, slowPause = 60, slowLines = 400 } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });

  async function answer(request, response) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { authorization } = request.headers;
    const body = text && JSON.parse(text);
    requests.push({ method: request.method, path: request.url, authorization, body });
    if (key && authorization !== `Bearer ${key}`) return refuse(response, 401, 'invalid_api_key');
    if (request.method === 'GET' && request.url === '/v1/models') return list(response);
    if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      const { pieces, wait } = reply(body, { pause, slowPause, slowLines });
      return stream(response, pieces, wait);
    }
    return refuse(response, 404, 'not_found');
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    model: MODEL,
    requests,
    /** The chat requests alone. */
    chats: () => requests.filter((it) => it.path.endsWith('/chat/completions')),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response, status, code) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code, message: `Refused: ${code}.` } }));
}

function list(response) {
  const models = [
    { id: MODEL, object: 'model', context_window: 65_536 },
    { id: 'scripted-small', object: 'model', context_window: 8_192 },
  ];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', data: models }));
}

function reply(body, { pause, slowPause, slowLines }) {
  const messages = body.messages ?? [];
  const tools = (body.tools ?? []).map((tool) => tool.function);
  const last = messages.at(-1);
  if (last?.role === 'tool') return { pieces: words(`Done: ${kept(last)}`), wait: pause };

  const wish = said(messages.findLast((message) => message.role === 'user')?.content);
  const saver = tools.find((tool) => tool.name === 'save_note');
  if (tools.length > 0 && !saver) return { pieces: [call(tools[0], {})], wait: pause };
  if (saver && /\bnote\b|笔记/i.test(wish)) {
    return { pieces: [call(saver, noteFrom(wish))], wait: pause };
  }
  const named = (name) => tools.find((tool) => tool.name === name);
  if (named('write_file') && /\bfile\b|文件/i.test(wish)) {
    const made = { path: 'beds/计划.md', content: '# Beds\n\n- 四号地：番茄\n- Bed two: beans\n' };
    return { pieces: [callOf('write_file', made)], wait: pause };
  }
  if (named('run_command') && /\bcommand\b|命令/i.test(wish)) {
    const command = "printf '你好\\n' > greeting.txt && cat greeting.txt && test ! -r ~/.bashrc && echo confined";
    return { pieces: [callOf('run_command', { command })], wait: pause };
  }
  if (named('search_web') && /\bweb\b|联网/i.test(wish)) {
    return { pieces: [callOf('search_web', { query: 'raised beds 番茄' })], wait: pause };
  }
  if (/slowly/i.test(wish)) {
    const lines = Array.from({ length: slowLines }, (_, at) => `Line ${at + 1} of the answer.\n\n`);
    return { pieces: lines.map((content) => ({ content })), wait: slowPause };
  }
  return { pieces: words(`You said: ${wish}`), wait: pause };
}

/** The text of a message's content, whether a string or parts. */
function flat(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

/** The user's own words, without the files they sent along. */
function said(content) {
  if (typeof content === 'string') return content;
  return flat((content ?? []).filter((part) => !part.text?.startsWith('The file "')));
}

/** What a tool's result says, in words where it tells of a file. */
function kept(result) {
  const text = flat(result.content);
  const path = /"path":"([^"]+)"/.exec(text)?.[1];
  return path ? `it is kept in \`${path}\`.` : text;
}

/** The title stands in quotation marks in the wish, of either language. */
function noteFrom(wish) {
  const title = /[“"「《](.+?)[”"」》]/.exec(wish)?.[1] ?? 'From the chat';
  return { title, text: `# ${title}\n\nSaved because you asked: ${wish}\n` };
}

/** Fills a tool's arguments by their names; what else is required gets a word. */
function call(tool, note) {
  const { properties = {}, required = [] } = tool.parameters ?? {};
  const values = {};
  for (const name of Object.keys(properties)) {
    if (/title/i.test(name) && note.title) values[name] = note.title;
    else if (/content|text|body|markdown/i.test(name) && note.text) values[name] = note.text;
    else if (required.includes(name)) values[name] = 'talaria';
  }
  return callOf(tool.name, values);
}

function callOf(name, values) {
  const described = { name, arguments: JSON.stringify(values) };
  return { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: described }] };
}

function words(text) {
  return (text.match(/.{1,6}/gsu) ?? []).map((content) => ({ content }));
}

async function stream(response, pieces, wait) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data) => response.write(`data: ${JSON.stringify({ model: MODEL, ...data })}\n\n`);
  for (const delta of pieces) {
    if (response.destroyed) return;
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  const reason = pieces.some((piece) => piece.tool_calls) ? 'tool_calls' : 'stop';
  send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
  const usage = { prompt_tokens: 40, completion_tokens: pieces.length };
  send({ choices: [], usage: { ...usage, total_tokens: 40 + pieces.length } });
  response.end('data: [DONE]\n\n');
}
