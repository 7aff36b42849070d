// Colours of code. The languages' grammars are loaded when a block needs them.

/** Colours the code in place. A language without a grammar stays plain. */
export async function highlight(code: HTMLElement, name: string): Promise<void> {
  const [{ LanguageDescription }, { languages }, { classHighlighter, highlightCode }] = await Promise.all([
    import('@codemirror/language'),
    import('@codemirror/language-data'),
    import('@lezer/highlight'),
  ]);
  const support = await LanguageDescription.matchLanguageName(languages, name, true)?.load();
  if (support === undefined) return;
  const text = code.textContent;
  const coloured = document.createDocumentFragment();
  highlightCode(
    text,
    support.language.parser.parse(text),
    classHighlighter,
    (part, classes) => {
      if (classes === '') return coloured.append(part);
      const span = document.createElement('span');
      span.className = classes;
      span.textContent = part;
      coloured.append(span);
    },
    () => coloured.append('\n'),
  );
  // A selection inside would be lost.
  if (getSelection()?.containsNode(code, true) !== true || getSelection()?.isCollapsed === true) code.replaceChildren(coloured);
}
