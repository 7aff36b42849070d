// A picture from elsewhere: named in full, and loaded only when the user says so.

import { t } from '../language/language.svelte';

/** Reads a picture; gives its `data:` address. */
export type Load = (url: string) => Promise<string>;

/** Puts a button in the picture's place; returns how to take it back. */
export function offerImage(place: HTMLElement, load: Load): () => void {
  const url = place.dataset.src ?? '';
  if (place.querySelector('img') !== null) return () => undefined;
  const ask = document.createElement('button');
  ask.type = 'button';
  ask.textContent = t('markdown.image', { url });
  ask.onclick = () => void show();
  place.append(ask);
  return () => ask.remove();

  async function show(): Promise<void> {
    ask.disabled = true;
    try {
      const image = document.createElement('img');
      image.src = await load(url);
      image.alt = place.dataset.alt ?? '';
      place.append(image);
      ask.remove();
    } catch {
      ask.disabled = false;
      ask.textContent = t('markdown.image.failed', { url });
    }
  }
}
