/** Draws the flow charts of pages as SVG, so that readers need not load a program of several megabytes for them. */

interface Edge {
  from: string;
  to: string;
}

/** Replaces `mermaid` blocks that consist of `a --> b` by pictures. */
export function withDiagrams(markdown: string): string {
  return markdown.replaceAll(/^```mermaid\nflowchart TD\n((?: +\w+ --> \w+\n)+)```$/gm, (_, lines: string) => {
    const edges = [...lines.matchAll(/(\w+) --> (\w+)/g)].map(([, from = '', to = '']) => ({ from, to }));
    return `<figure class="diagram">${diagramSvg(edges)}</figure>`;
  });
}

const [boxWidth, boxHeight, gapX, gapY, margin] = [104, 34, 22, 52, 2];

/** Draws each box below all that point at it. */
export function diagramSvg(edges: readonly Edge[]): string {
  const rows = orderedRows(edges);
  const widest = Math.max(...rows.map((row) => row.length));
  const width = widest * (boxWidth + gapX) - gapX + 2 * margin;
  const height = rows.length * (boxHeight + gapY) - gapY + 2 * margin;
  const boxes = new Map(
    rows.flatMap((row, level) => {
      const step = width / row.length;
      return row.map((name, index) => [name, { x: step * (index + 0.5), y: margin + level * (boxHeight + gapY) }]);
    }),
  );
  const lines = edges.map(({ from, to }) => {
    const [a, b] = [boxes.get(from), boxes.get(to)];
    if (a === undefined || b === undefined) return '';
    const [y1, y2] = [a.y + boxHeight, b.y - 4];
    const bend = (y2 - y1) / 2;
    return `<path d="M${round(a.x)} ${y1}C${round(a.x)} ${round(y1 + bend)} ${round(b.x)} ${round(y2 - bend)} ${round(b.x)} ${y2}"/>`;
  });
  const shapes = [...boxes].map(([name, { x, y }]) => {
    const rect = `<rect x="${round(x - boxWidth / 2)}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="7"/>`;
    return `${rect}<text x="${round(x)}" y="${y + boxHeight / 2 + 4.5}">${name}</text>`;
  });
  const label = edges.map(({ from, to }) => `${from} imports ${to}`).join(', ');
  return `<svg viewBox="0 0 ${round(width)} ${height}" role="img" aria-label="${label}"><defs><marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs><g class="lines">${lines.join('')}</g><g class="boxes">${shapes.join('')}</g></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns the names in rows by their longest way from the top, each row ordered by the positions of the boxes above. */
function orderedRows(edges: readonly Edge[]): string[][] {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const levels = new Map<string, number>();
  const levelOf = (name: string): number => {
    const known = levels.get(name);
    if (known !== undefined) return known;
    const above = edges.filter(({ to }) => to === name).map(({ from }) => levelOf(from) + 1);
    const level = Math.max(0, ...above);
    levels.set(name, level);
    return level;
  };
  const rows: string[][] = [];
  for (const name of names) {
    const level = levelOf(name);
    rows[level] = [...(rows[level] ?? []), name];
  }
  const positions = new Map<string, number>();
  return rows.map((row) => {
    const centre = (name: string) => {
      const above = edges.filter(({ to }) => to === name).map(({ from }) => positions.get(from) ?? 0.5);
      return above.length === 0 ? 0.5 : above.reduce((sum, position) => sum + position, 0) / above.length;
    };
    const ordered = row.toSorted((one, other) => centre(one) - centre(other));
    for (const [index, name] of ordered.entries()) positions.set(name, (index + 0.5) / ordered.length);
    return ordered;
  });
}
