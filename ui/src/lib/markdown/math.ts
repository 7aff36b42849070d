// Formulas, set by KaTeX once one is on the page.

/** Sets the formula in place; one that can't be read stays as it was written, and says why. */
export async function setMath(element: HTMLElement): Promise<void> {
  if (element.dataset.set !== undefined) return;
  element.dataset.set = '';
  const [{ default: katex }] = await Promise.all([import('katex'), import('katex/dist/katex.min.css')]);
  katex.render(element.textContent, element, {
    displayMode: element.dataset.display === 'true',
    throwOnError: false,
    trust: false,
    maxExpand: 500,
    maxSize: 20,
    errorColor: 'currentColor',
  });
}
