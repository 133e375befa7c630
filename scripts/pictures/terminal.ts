/** Terminal output with ANSI colors as an SVG image. */

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

interface Style {
  bold?: boolean;
  dim?: boolean;
  color?: string | undefined;
}

interface Segment extends Style {
  column: number;
  text: string;
}

export const palettes: Record<Theme, { background: string; text: string; colors: Record<number, string> }> = {
  light: {
    background: '#f6f8fa',
    text: '#1f2328',
    colors: { 31: '#b3161f', 32: '#116329', 33: '#7d4e00', 34: '#0550ae', 35: '#7b2fb0', 36: '#1b6a72', 90: '#59636e' },
  },
  dark: {
    background: '#161b22',
    text: '#e6edf3',
    colors: { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea', 90: '#9198a1' },
  },
};

export const [charWidth, lineHeight, fontSize, margin] = [7.8, 19, 13, 16];

const escapes = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`, 'g');

export function plainText(ansi: string): string {
  return ansi.replaceAll(escapes, '');
}

export function terminalSvg(ansi: string, theme: Theme): string {
  const { background, text } = palettes[theme];
  const lines = ansi.trimEnd().split('\n');
  const columns = Math.max(...lines.map((line) => plainText(line).length));
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escapeXml(plainText(lines[0] ?? ''))}</title>
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<g font-family="${fonts}" font-size="${fontSize}" fill="${text}">
${drawLines(lines, theme)}
</g>
</svg>
`;
}

export const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Returns the text elements of lines. */
export function drawLines(lines: readonly string[], theme: Theme): string {
  const rows = segmentsOf(lines, theme).map((segments, row) => {
    const y = margin + row * lineHeight + fontSize;
    return segments.map((segment) => textElement(segment, y)).join('');
  });
  return rows.filter((row) => row !== '').join('\n');
}

/** `textLength` keeps columns aligned in any font. */
function textElement({ column, text, bold, dim, color }: Segment, y: number): string {
  const attributes = [
    `x="${(margin + column * charWidth).toFixed(1)}" y="${y}" textLength="${(text.length * charWidth).toFixed(1)}"`,
    bold ? ' font-weight="bold"' : '',
    dim ? ' opacity="0.7"' : '',
    color ? ` fill="${color}"` : '',
  ];
  return `<text ${attributes.join('')}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** For each line its parts of one style, split at wide gaps, because SVG collapses spaces. */
function segmentsOf(lines: readonly string[], theme: Theme): Segment[][] {
  let style: Style = {};
  return lines.map((line) => {
    const segments: Segment[] = [];
    let column = 0;
    for (const [index, part] of line.split(escapes).entries()) {
      if (index % 2 === 1) {
        for (const code of part.split(';')) style = styleAfter(style, Number(code), theme);
        continue;
      }
      for (const { 0: text, index: offset } of part.matchAll(/\S+(?: \S+)*/g)) {
        segments.push({ ...style, text, column: column + offset });
      }
      column += part.length;
    }
    return segments;
  });
}

function styleAfter(style: Style, code: number, theme: Theme): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: undefined };
  const color = palettes[theme].colors[code];
  return color === undefined ? style : { ...style, color };
}
