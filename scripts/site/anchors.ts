/** The addresses of headings. */

/** Returns the anchors of the headings, as Markdown renderers make them. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  const prose = text.replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2`*$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\\', '');
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
