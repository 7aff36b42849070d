import { describe, expect, it, vi } from 'vitest';
import { offerImage } from './image';

function place(): HTMLElement {
  const span = document.createElement('span');
  span.dataset.src = 'https://pictures.example/a.png?who=me';
  span.dataset.alt = 'a chart';
  return span;
}

describe('a picture from elsewhere', () => {
  it('names its whole address and loads nothing by itself', () => {
    const load = vi.fn();
    const span = place();
    offerImage(span, load);
    expect(span.textContent).toContain('https://pictures.example/a.png?who=me');
    expect(load).not.toHaveBeenCalled();
  });

  it('is shown after a click', async () => {
    const span = place();
    offerImage(span, () => Promise.resolve('data:image/png;base64,AA=='));
    span.querySelector('button')?.click();
    await vi.waitFor(() => expect(span.querySelector('img')?.alt).toBe('a chart'));
    expect(span.querySelector('button')).toBe(null);
  });

  it('can be asked for again if it did not come', async () => {
    const span = place();
    offerImage(span, () => Promise.reject(new Error('no network')));
    const ask = span.querySelector('button');
    ask?.click();
    await vi.waitFor(() => expect(ask?.disabled).toBe(false));
    expect(span.querySelector('img')).toBe(null);
  });
});
