/** Everything in a file that a person reads: comments and strings of TypeScript, and the prose of Markdown, HTML and YAML. */
import ts from 'typescript';
import type { TextKind } from './rules.ts';

interface ReadText {
  kind: TextKind;
  /** As long as in the file and with its line breaks, so that offsets are those of the file. */
  text: string;
  offset: number;
}

export function textsOf(file: string, content: string): ReadText[] {
  if (/\.(?:md|ya?ml)$/.test(file)) return [{ kind: 'markdown', text: withoutCode(content), offset: 0 }];
  if (file.endsWith('.html')) return [{ kind: 'markdown', text: content.replaceAll(/<[^>]*>/g, spaces), offset: 0 }];
  return textsOfProgram(file, content);
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2|<!--[\s\S]*?-->|`[^`\n]*`/gm, blank);
}

/** Keeps a character, so that words on both sides stay apart from each other. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, '_');
}

function spaces(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

const helpCalls: ReadonlySet<string> = new Set([
  'describe',
  'description',
  'option',
  'requiredOption',
  'argument',
  'Option',
]);
const helpProperties: ReadonlySet<string> = new Set(['summary', 'description']);

function textsOfProgram(file: string, content: string): ReadText[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest);
  const found: ReadText[] = [];
  const [scanned, seen] = [new Set<number>(), new Set<number>()];
  const comments = (position: number): void => {
    if (scanned.has(position)) return;
    scanned.add(position);
    for (const read of [ts.getLeadingCommentRanges, ts.getTrailingCommentRanges]) {
      for (const { pos, end } of read(content, position) ?? []) {
        if (seen.has(pos)) continue;
        seen.add(pos);
        found.push(commentText(content.slice(pos, end), pos));
      }
    }
  };
  const visit = (node: ts.Node, isHelp: boolean): void => {
    comments(node.pos);
    comments(node.end);
    const text = stringText(node, content);
    if (text !== undefined && /\S\s+\S/.test(text)) {
      found.push({ kind: isHelp ? 'help' : 'text', text, offset: node.end - text.length });
    }
    const children = startsHelp(node) || (isHelp && !ts.isFunctionLike(node));
    ts.forEachChild(node, (child) => visit(child, children));
  };
  visit(source, false);
  return found;
}

function commentText(comment: string, offset: number): ReadText {
  const text = comment
    .replace(/^\/\*+|^\/\/+/, (open) => ' '.repeat(open.length))
    .replaceAll(/^(\s*)\*(?!\/)/gm, '$1 ');
  return { kind: comment.startsWith('/**') ? 'doc' : 'comment', text: text.replaceAll(/`[^`\n]*`/g, blank), offset };
}

/** A template is one text, with its expressions blanked out. Code in backquotes is never prose. */
function stringText(node: ts.Node, content: string): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return quoted(content.slice(node.end - node.getFullWidth(), node.end).trimStart());
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = content.slice(node.pos, node.end);
  for (const { expression } of node.templateSpans) {
    const [from, to] = [expression.pos - node.pos, expression.end - node.pos];
    text = text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to);
  }
  return quoted(text.trimStart());
}

function quoted(literal: string): string {
  return literal.replaceAll(/\\?`[^`\n]*\\`/g, blank).replaceAll(/(?<=.)`[^`\n]+`(?=.)/g, blank);
}

function startsHelp(node: ts.Node): boolean {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const { expression } = node;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return ts.isIdentifier(name) && helpCalls.has(name.text);
  }
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && helpProperties.has(node.name.text);
}
