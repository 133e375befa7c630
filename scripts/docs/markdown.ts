/** Tables in Markdown. */

export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export function code(text: string): string {
  return `\`${text}\``;
}
