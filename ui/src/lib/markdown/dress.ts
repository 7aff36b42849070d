// What a finished block gains over its HTML: coloured code, set formulas, drawings, pictures on demand.

import { dressCode, type Copy } from './code';
import { drawDiagram } from './diagram';
import { offerImage, type Load } from './image';
import { setMath } from './math';

/** Dresses a block; returns how to take back what listens. Doing it again changes nothing. */
export function dress(block: HTMLElement, copy: Copy, load: Load): () => void {
  const undo: (() => void)[] = [];
  for (const pre of block.querySelectorAll('pre')) {
    undo.push(dressCode(pre, copy));
    // Not a diagram after all: its text is still there to read.
    if (pre.dataset.language === 'mermaid') void drawDiagram(pre).catch(() => undefined);
  }
  for (const math of block.querySelectorAll<HTMLElement>('.math')) void setMath(math).catch(() => undefined);
  for (const image of block.querySelectorAll<HTMLElement>('.remote-image')) undo.push(offerImage(image, load));
  return () => undo.forEach((each) => each());
}
