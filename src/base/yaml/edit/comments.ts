/** The comments of a YAML text. */
import { CST, Lexer } from 'yaml';

interface Comment {
  from: number;
  to: number;
}

export function commentsIn(text: string): Comment[] {
  const comments: Comment[] = [];
  if (!text.includes('#')) return comments;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text.slice(at))) {
    const isMark = lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR;
    // The text of a scalar follows its mark, and may begin with a #.
    if (!isMark && !isScalar && lexeme.startsWith('#')) comments.push({ from: at, to: at + lexeme.trimEnd().length });
    if (!isMark) at += lexeme.length;
    isScalar = lexeme === CST.SCALAR;
  }
  return comments;
}

/** Returns the comments of one text that another one lacks. A line that was turned into a comment keeps the comment within it. */
export function lostComments(before: string, after: string): string[] {
  const textsIn = (text: string) => commentsIn(text).map(({ from, to }) => text.slice(from, to));
  const left = textsIn(after);
  return textsIn(before).filter((comment) => {
    const index = left.findIndex((other) => other.endsWith(comment));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
