import { describe, expect, it } from 'vitest';
import { answering } from '../backend/answering';
import { attachmentOf } from './attachment.fixture';
import { Pictures, isPicture } from './pictures';

const reading = (data = 'AAAA') =>
  answering({ read_attachment: ({ id }) => ({ attachment: attachmentOf(id), data }) });

describe('pictures', () => {
  it('are addresses of data, asked for once', async () => {
    const backend = reading();
    const pictures = new Pictures(backend);
    expect(await Promise.all([pictures.read('a'), pictures.read('a')])).toEqual(Array(2).fill('data:image/png;base64,AAAA'));
    expect(backend.asked).toHaveLength(1);
  });

  it('that could not be read are asked for again', async () => {
    let broken = true;
    const pictures = new Pictures(
      answering({
        read_attachment: ({ id }) => {
          if (broken) throw new Error('no');
          return { attachment: attachmentOf(id), data: 'AAAA' };
        },
      }),
    );
    await expect(pictures.read('a')).rejects.toThrow('no');
    broken = false;
    expect(await pictures.read('a')).toContain('AAAA');
  });

  it('shown longest ago are let go when there are too many', async () => {
    const backend = reading('A'.repeat(100));
    const pictures = new Pictures(backend, 300);
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await pictures.read(id);
    expect(backend.asked.map(({ args }) => (args as { id: string }).id)).toEqual(['a', 'b', 'c', 'b']);
  });

  it('larger than all the room are still shown', async () => {
    const pictures = new Pictures(reading('A'.repeat(100)), 10);
    expect(await pictures.read('a')).toContain('AAAA');
  });
});

it.each([
  ['image/png', true],
  ['image/webp', true],
  ['application/pdf', false],
  ['text/plain', false],
])('%s is shown as a picture: %s', (media, is) => {
  expect(isPicture(attachmentOf('a', media))).toBe(is);
});
