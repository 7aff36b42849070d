// Diagrams, drawn by Mermaid once their text is complete.

let next = 1;

/** Draws the diagram above its text, which folds away; a text that is no diagram stays as it is. */
export async function drawDiagram(pre: HTMLElement): Promise<void> {
  const code = pre.querySelector('code');
  if (code === null || pre.dataset.drawn !== undefined) return;
  pre.dataset.drawn = '';
  const text = code.textContent;
  const { default: mermaid } = await import('mermaid');
  const dark = document.documentElement.dataset.theme === 'dark';
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme: dark ? 'dark' : 'neutral' });
  const { svg } = await mermaid.render(`diagram-${next++}`, text);
  const drawing = document.createElement('div');
  drawing.className = 'diagram';
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', text);
  // Mermaid has cleaned it: no script, no handler, no link out.
  drawing.innerHTML = svg;
  pre.insertBefore(drawing, code);
  code.hidden = true;
}
