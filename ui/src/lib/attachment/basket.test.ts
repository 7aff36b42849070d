import { describe, expect, it, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { Attachment } from '../backend/bindings';
import { attachmentOf, fileOf } from './attachment.fixture';
import { Basket, LARGEST } from './basket.svelte';

/** A core that answers when the test says so. */
function slow() {
  const waits: { name: string; done: (attachment: Attachment) => void; failed: (thrown: unknown) => void }[] = [];
  const backend = answering({
    add_attachment: ({ name }) => new Promise((done, failed) => waits.push({ name, done, failed })),
  });
  return { waits, backend };
}

const statesOf = (basket: Basket) => basket.waiting.map(({ name, state }) => [name, state]);
const nothing = () => undefined;

describe('a basket', () => {
  it('hands a file over in Base64 under its name', async () => {
    const backend = answering({ add_attachment: () => attachmentOf('a') });
    const basket = new Basket(backend, nothing);
    await basket.add([fileOf('notes.txt', 'été')]);
    const data = btoa(String.fromCharCode(...new TextEncoder().encode('été')));
    expect(backend.asked).toEqual([{ name: 'add_attachment', args: { name: 'notes.txt', data } }]);
    expect(basket.kept).toEqual([attachmentOf('a')]);
  });

  it('refuses an empty file', async () => {
    const basket = new Basket(answering({}), nothing);
    await basket.add([fileOf('empty', '')]);
    expect(basket.waiting[0]).toMatchObject({ state: 'refused', refusal: { why: 'empty' } });
  });

  it('shows every file at once but hands over one at a time, in order', async () => {
    const { waits, backend } = slow();
    const basket = new Basket(backend, nothing);
    const added = basket.add([fileOf('one'), fileOf('two')]);
    expect(statesOf(basket)).toEqual([
      ['one', 'busy'],
      ['two', 'busy'],
    ]);
    await vi.waitFor(() => expect(waits.map(({ name }) => name)).toEqual(['one']));
    expect(basket.busy).toBe(true);
    waits[0]?.done(attachmentOf('a'));
    await vi.waitFor(() => expect(waits.map(({ name }) => name)).toEqual(['one', 'two']));
    waits[1]?.done(attachmentOf('b'));
    await added;
    expect(basket.kept.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(basket.busy).toBe(false);
  });

  it('goes on after a file that is refused, and says why', async () => {
    const backend = answering({
      add_attachment: ({ name }) => {
        if (name === 'bad') throw failure('storage', 'no room');
        return attachmentOf('a');
      },
    });
    const basket = new Basket(backend, nothing);
    await basket.add([fileOf('bad'), fileOf('good')]);
    expect(basket.waiting[0]).toMatchObject({ name: 'bad', state: 'refused', refusal: { why: 'failed', error: { message: 'no room' } } });
    expect(basket.kept).toHaveLength(1);
  });

  it('does not even read a file that is too large', async () => {
    const backend = answering({});
    const basket = new Basket(backend, nothing);
    const file = fileOf('film.mkv');
    Object.defineProperty(file, 'size', { value: LARGEST * 1024 * 1024 + 1 });
    await basket.add([file]);
    expect(basket.waiting[0]).toMatchObject({ state: 'refused', refusal: { why: 'too_large' } });
    expect(backend.asked).toEqual([]);
  });

  it('refuses what can not be read, as a folder', async () => {
    const read = vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader) {
      queueMicrotask(() => this.onerror?.(new ProgressEvent('error') as ProgressEvent<FileReader>));
    });
    const basket = new Basket(answering({}), nothing);
    await basket.add([fileOf('folder')]);
    expect(basket.waiting[0]).toMatchObject({ state: 'refused', refusal: { why: 'unreadable' } });
    read.mockRestore();
  });

  it('forgets a file that was removed while it was on its way, and hands over none that still waited', async () => {
    const { waits, backend } = slow();
    const basket = new Basket(backend, nothing);
    const added = basket.add([fileOf('one'), fileOf('two')]);
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    for (const { key } of basket.waiting) basket.remove(key);
    waits[0]?.done(attachmentOf('a'));
    await added;
    expect(basket.waiting).toEqual([]);
    expect(backend.asked).toHaveLength(1);
  });

  it('tells of each change of what is ready, and of no other', async () => {
    const changed = vi.fn();
    const basket = new Basket(
      answering({
        add_attachment: ({ name }) => {
          if (name === 'bad') throw failure('storage');
          return attachmentOf('a');
        },
      }),
      changed,
    );
    await basket.add([fileOf('bad')]);
    basket.remove(basket.waiting[0]?.key ?? 0);
    expect(changed).not.toHaveBeenCalled();
    await basket.add([fileOf('good')]);
    basket.remove(basket.waiting[0]?.key ?? 0);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('gives all that is ready and keeps what is on its way', async () => {
    const { waits, backend } = slow();
    const basket = new Basket(backend, nothing);
    basket.put([attachmentOf('a')]);
    const added = basket.add([fileOf('late')]);
    expect(basket.take()).toEqual([attachmentOf('a')]);
    expect(statesOf(basket)).toEqual([['late', 'busy']]);
    basket.put([attachmentOf('a')]);
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    waits[0]?.done(attachmentOf('b'));
    await added;
    expect(basket.kept.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('a paste from the system’s clipboard', () => {
  it.each([
    ['a picture', attachmentOf('a'), ['a']],
    ['none', null, []],
  ])('brings %s', async (_, answer, ids) => {
    const basket = new Basket(answering({ paste_image: () => answer }), nothing);
    await basket.paste();
    expect(basket.waiting).toHaveLength(ids.length);
    expect(basket.kept.map(({ id }) => id)).toEqual(ids);
  });
});
