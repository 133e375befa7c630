/** Everything in a file that a person reads: comments and strings of TypeScript, and the prose of Markdown, HTML and YAML. */
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
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
  const { program, comments } = parseSync(file, content);
  const found = comments.map(({ start, end }) => commentText(content.slice(start, end), start));
  const isHelp = [false];
  const enter = (starts: boolean) => isHelp.push(starts);
  const leave = () => isHelp.pop();
  const enterCall = ({ callee }: ESTree.CallExpression | ESTree.NewExpression) =>
    enter(isHelp.at(-1) === true || isHelpCall(callee));
  const enterFunction = () => enter(false);
  const add = (text: string, offset: number): void => {
    if (/\S\s+\S/.test(text)) found.push({ kind: isHelp.at(-1) ? 'help' : 'text', text, offset });
  };
  new Visitor({
    CallExpression: enterCall,
    'CallExpression:exit': leave,
    NewExpression: enterCall,
    'NewExpression:exit': leave,
    Property: ({ key }) => enter(isHelp.at(-1) === true || (key.type === 'Identifier' && helpProperties.has(key.name))),
    'Property:exit': leave,
    ArrowFunctionExpression: enterFunction,
    'ArrowFunctionExpression:exit': leave,
    FunctionExpression: enterFunction,
    'FunctionExpression:exit': leave,
    Literal: ({ value, start, end }) => {
      if (typeof value === 'string') add(quoted(content.slice(start, end)), start);
    },
    TemplateLiteral: (template) => add(quoted(templateText(template, content)), template.start),
  }).visit(program);
  return found;
}

function commentText(comment: string, offset: number): ReadText {
  const text = comment
    .replace(/^\/\*+|^\/\/+/, (open) => ' '.repeat(open.length))
    .replaceAll(/^(\s*)\*(?!\/)/gm, '$1 ');
  return { kind: comment.startsWith('/**') ? 'doc' : 'comment', text: text.replaceAll(/`[^`\n]*`/g, blank), offset };
}

/** A template is one text, with its expressions blanked out. */
function templateText({ start, end, expressions }: ESTree.TemplateLiteral, content: string): string {
  let text = content.slice(start, end);
  for (const expression of expressions) {
    const [from, to] = [expression.start - start, expression.end - start];
    text = text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to);
  }
  return text;
}

/** Code in backquotes is never prose. */
function quoted(literal: string): string {
  return literal.replaceAll(/\\?`[^`\n]*\\`/g, blank).replaceAll(/(?<=.)`[^`\n]+`(?=.)/g, blank);
}

function isHelpCall(callee: ESTree.Expression): boolean {
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' && helpCalls.has(name.name);
}
