/** The tokens of YAML with their lines and columns, to find a line again after the text was formatted. */
import { CST, Lexer } from 'yaml';

export interface LineToken {
  /** The same for all scalars, which may be folded or quoted otherwise. */
  name: string;
  line: number;
  lastLine: number;
  column: number;
  /** True if nothing is before it on its line. */
  isFirst: boolean;
  /** True if nothing but dashes is before it on its line. */
  isLead: boolean;
  isBlockScalar: boolean;
}

/** Returns the tokens, without those that only some spellings of a value have: commas, question marks and `|`. */
export function lineTokens(text: string): LineToken[] {
  const reader = new Reader();
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const isMark = lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR;
    if (!isMark) reader.read(lexeme, isScalar);
    // The text of a scalar follows its mark.
    isScalar = lexeme === CST.SCALAR;
  }
  return reader.tokens;
}

class Reader {
  readonly tokens: LineToken[] = [];
  #line = 0;
  #column = 0;
  #isFirst = true;
  #isLead = true;
  #hasHeader = false;

  read(lexeme: string, isScalar: boolean): void {
    const isSpace = !isScalar && (lexeme.startsWith('#') || lexeme.replace('\uFEFF', '').trim() === '');
    const isBlockScalar = isScalar && this.#hasHeader;
    if (!isSpace) {
      const isHeader = !isScalar && /^[|>]/.test(lexeme);
      if (isScalar || !(isHeader || lexeme === ',' || lexeme === '?')) this.#add(lexeme, isScalar, isBlockScalar);
      this.#hasHeader = isHeader;
      this.#isFirst = false;
      this.#isLead &&= lexeme === '-';
    }
    this.#advance(lexeme, isSpace || isBlockScalar);
  }

  #add(lexeme: string, isScalar: boolean, isBlockScalar: boolean): void {
    const [line, body] = [this.#line, isBlockScalar ? lexeme.replace(/\n$/, '') : lexeme];
    this.tokens.push({
      name: isScalar || /^["']/.test(lexeme) ? 'scalar' : lexeme,
      line,
      lastLine: line + body.split('\n').length - 1,
      column: isBlockScalar ? (/^ *(?=\S)/m.exec(body)?.[0].length ?? 0) : this.#column,
      isFirst: this.#isFirst,
      isLead: this.#isLead && !isBlockScalar,
      isBlockScalar,
    });
  }

  #advance(lexeme: string, mayEndLine: boolean): void {
    const lines = lexeme.split('\n');
    const last = lines.at(-1) ?? '';
    this.#line += lines.length - 1;
    this.#column = lines.length > 1 ? last.length : this.#column + lexeme.length;
    if (mayEndLine && lines.length > 1) [this.#isFirst, this.#isLead] = [true, true];
  }
}
