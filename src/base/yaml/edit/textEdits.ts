/** Insertions and removals in a text, by the offsets of the text as it was. */

interface TextEdit {
  from: number;
  to: number;
  text: string;
}

export class TextEdits {
  readonly text: string;
  readonly newline: string;
  readonly #edits: TextEdit[] = [];

  constructor(text: string) {
    this.text = text;
    this.newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  }

  replace(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** Inserts whole lines below the line of this offset. */
  insertLinesBelow(offset: number, lines: readonly string[]): void {
    this.insert(this.lineEnd(offset), lines.map((line) => this.newline + line).join(''));
  }

  /** Returns the text after all edits. Those at one offset apply in the order in which they were made. */
  applied(): string {
    const parts: string[] = [];
    let at = 0;
    for (const { from, to, text } of this.#edits.toSorted((a, b) => a.from - b.from)) {
      if (from < at) throw new RangeError('two edits overlap');
      parts.push(this.text.slice(at, from), text);
      at = to;
    }
    return parts.join('') + this.text.slice(at);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Returns the end of the line, before its line break. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    const last = end < 0 ? this.text.length : end;
    return last > offset && this.text[last - 1] === '\r' ? last - 1 : last;
  }

  /** Returns the start of the line below, or the end of the text. */
  nextLine(offset: number): number {
    const end = this.text.indexOf('\n', this.lineEnd(offset));
    return end < 0 ? this.text.length : end + 1;
  }

  /** Returns the text of the line before this offset. */
  before(offset: number): string {
    return this.text.slice(this.lineStart(offset), offset);
  }
}
