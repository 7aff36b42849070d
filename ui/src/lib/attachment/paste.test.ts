import { describe, expect, it } from 'vitest';
import { fileOf } from './attachment.fixture';
import { pastedFrom } from './paste';

const picture = fileOf('image.png', 'x', 'image/png');
const document = fileOf('report.pdf', 'x', 'application/pdf');

function clipboard(files: File[], words: Record<string, string> = {}): DataTransfer {
  return { files, getData: (type: string) => words[type] ?? '' } as unknown as DataTransfer;
}

describe('a paste', () => {
  it.each([
    ['words', clipboard([], { 'text/plain': 'hello' }), 'text'],
    ['words with their look', clipboard([], { 'text/plain': 'hello', 'text/html': '<b>hello</b>' }), 'text'],
    ['a picture', clipboard([picture]), 'files'],
    ['a picture of a page', clipboard([picture], { 'text/html': '<img src="x">' }), 'files'],
    ['a table with a picture of it', clipboard([picture], { 'text/plain': '1\t2', 'text/html': '<table>' }), 'text'],
    ['a file with its name', clipboard([document], { 'text/plain': 'report.pdf' }), 'files'],
    ['a picture file with its name', clipboard([picture], { 'text/plain': 'image.png' }), 'files'],
    ['a document beside styled words', clipboard([document], { 'text/plain': 'a', 'text/html': 'a' }), 'files'],
    ['only a look', clipboard([], { 'text/html': '<img src="x">' }), 'unseen'],
    ['nothing', clipboard([]), 'unseen'],
    ['no clipboard at all', null, 'unseen'],
  ])('of %s is %3$s', (_, data, kind) => {
    expect(pastedFrom(data).kind).toBe(kind);
  });

  it('gives all its files', () => {
    expect(pastedFrom(clipboard([picture, document]))).toEqual({ kind: 'files', files: [picture, document] });
  });
});
