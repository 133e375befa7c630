/** Random YAML texts of given values: block and flow, quotes, indentation, blank lines, and comments everywhere. */

/** A small generator of numbers, so that a text follows from its seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

export class StyledYaml {
  readonly #random: (below: number) => number;
  readonly #newline: string;
  #comments = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#newline = this.#maybe(8) ? '\r\n' : '\n';
  }

  /** The text of a document; `topLevels` levels of its maps are in block style. */
  document(value: { [key: string]: Plain }, topLevels = 0): string {
    const lines = [...this.#aside(''), ...this.#map(value, '', topLevels), ...this.#aside('')];
    const end = this.#maybe(6) ? '' : this.#newline;
    return (this.#maybe(10) ? '\uFEFF' : '') + lines.join(this.#newline) + end;
  }

  #maybe(oneIn: number): boolean {
    return this.#random(oneIn) === 0;
  }

  #comment(): string {
    this.#comments += 1;
    return `# note ${this.#comments}${this.#maybe(4) ? ': - [x, "y' : ''}`;
  }

  #behind(): string {
    return this.#maybe(3) ? `${this.#maybe(2) ? ' ' : '   '}${this.#comment()}` : '';
  }

  /** Lines of comments and blank lines. */
  #aside(indent: string): string[] {
    if (!this.#maybe(4)) return [];
    return this.#maybe(3) ? ['', indent + this.#comment()] : [indent + this.#comment()];
  }

  #map(value: { [key: string]: Plain }, indent: string, topLevels: number): string[] {
    return Object.entries(value).flatMap(([key, field]) => [
      ...this.#aside(indent),
      ...this.#entry(`${indent}${this.#text(key)}:`, field, indent, topLevels),
    ]);
  }

  #entry(lead: string, value: Plain, indent: string, topLevels: number): string[] {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    const isCollection = typeof value === 'object' && value !== null && !isEmpty;
    if (!isCollection) return [`${lead} ${this.#flow(value)}${this.#behind()}`];
    if (topLevels <= 0 && this.#maybe(2)) return this.#flowLines(`${lead} `, value, indent);
    const width = 1 + this.#random(4);
    const inner = indent + ' '.repeat(Array.isArray(value) && this.#maybe(3) ? 0 : width);
    const head = `${lead}${this.#behind()}`;
    if (!Array.isArray(value)) return [head, ...this.#map(value, inner, topLevels - 1)];
    return [head, ...value.flatMap((item) => [...this.#aside(inner), ...this.#item(item, inner)])];
  }

  #item(item: Plain, indent: string): string[] {
    const isMap = typeof item === 'object' && item !== null && !Array.isArray(item) && Object.keys(item).length > 0;
    if (!isMap || this.#maybe(3)) return [`${indent}- ${this.#flow(item)}${this.#behind()}`];
    const [first = '', ...rest] = this.#map(item, `${indent}  `, 0).filter((line) => line.trim() !== '');
    // A comment cannot be on the line of the dash.
    if (first.trimStart().startsWith('#')) return [`${indent}- ${this.#flow(item)}`];
    return [`${indent}- ${first.trimStart()}`, ...rest];
  }

  /** A flow collection, on one line or with a line for each item and comments between. */
  #flowLines(lead: string, value: Plain[] | { [key: string]: Plain }, indent: string): string[] {
    if (this.#maybe(2)) return [`${lead}${this.#flow(value)}${this.#behind()}`];
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    const texts = Array.isArray(value)
      ? value.map((item) => this.#flow(item))
      : Object.entries(value).map(([key, field]) => `${this.#text(key)}: ${this.#flow(field)}`);
    const inner = `${indent}  `;
    const lines = texts.flatMap((text, index) => {
      const comma = index < texts.length - 1 || this.#maybe(2) ? ',' : '';
      return [...this.#aside(inner), `${inner}${text}${comma}${this.#behind()}`];
    });
    return [`${lead}${open}${this.#behind()}`, ...lines, ...this.#aside(inner), `${indent} ${close}${this.#behind()}`];
  }

  #flow(value: Plain): string {
    const pad = this.#maybe(2) ? ' ' : '';
    if (Array.isArray(value)) {
      if (value.length === 0) return '[]';
      return `[${pad}${value.map((item) => this.#flow(item)).join(this.#maybe(3) ? ',' + '  ' : ', ')}${this.#maybe(8) ? ',' : ''}${pad}]`;
    }
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).map(([key, field]) => `${this.#text(key)}: ${this.#flow(field)}`);
      return fields.length === 0 ? '{}' : `{${pad}${fields.join(', ')}${pad}}`;
    }
    return typeof value === 'string' ? this.#text(value) : String(value);
  }

  #text(text: string): string {
    const isPlain = /^[A-Za-z0-9][\w.:/-]*$/.test(text) && !/^[\d.-]+$|^(true|false|null|~)$|^0|:$|^\d+e/i.test(text);
    const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(text);
    const style = this.#random(4);
    if (style === 0 && !/['\n\r\t\u0080-\uffff]/.test(text)) return `'${text}'`;
    return (isPlain || isAddress) && style !== 1 ? text : JSON.stringify(text);
  }
}
