/** The titles of a test file, read from its source: each with those of the describes around it, placeholders as they stand. */
import ts from 'typescript';

export const separator = ' › ';

export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node, above: readonly string[]): void => {
    const found = ts.isCallExpression(node) ? titledCall(node) : undefined;
    const path = found ? [...above, found.title] : above;
    if (found && found.kind !== 'describe') titles.push(path.join(separator));
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest, true), []);
  return titles;
}

/** `test('…')`, `test.each(…)('…')`, `describe.skipIf(…)('…')` and the like. */
function titledCall({ expression, arguments: [first] }: ts.CallExpression) {
  const kind = rootOf(expression);
  if (first === undefined || kind === undefined || !/^(describe|it|test)$/.test(kind)) return undefined;
  const title = titleIn(first);
  return title === undefined ? undefined : { kind, title };
}

/** The name that a chain of calls and properties begins with; nothing for the call that only takes the cases. */
function rootOf(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) {
    return /^(each|for|skipIf|runIf)$/.test(expression.name.text) ? undefined : rootOf(expression.expression);
  }
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return undefined;
  return rootOf(expression.expression.expression);
}

function titleIn(argument: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(argument)) return argument.text;
  return ts.isTemplateExpression(argument) ? argument.getText().slice(1, -1) : undefined;
}
