/** The titles of a test file, read from its source: each with those of the describes around it, placeholders as they stand. */
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

export const separator = ' › ';

export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const around: (TitledCall | undefined)[] = [];
  const calls = {
    CallExpression: (call: ESTree.CallExpression): void => {
      const found = titledCall(call, source);
      around.push(found);
      if (found === undefined || found.kind === 'describe') return;
      titles.push(around.flatMap((each) => each?.title ?? []).join(separator));
    },
    'CallExpression:exit': () => around.pop(),
  };
  new Visitor(calls).visit(parseSync('test.ts', source).program);
  return titles;
}

interface TitledCall {
  kind: string;
  title: string;
}

/** `test('…')`, `test.each(…)('…')`, `describe.skipIf(…)('…')` and the like. */
function titledCall({ callee, arguments: [first] }: ESTree.CallExpression, source: string): TitledCall | undefined {
  const kind = rootOf(callee);
  if (first === undefined || kind === undefined || !/^(describe|it|test)$/.test(kind)) return undefined;
  const title = titleIn(first, source);
  return title === undefined ? undefined : { kind, title };
}

/** The name that a chain of calls and properties begins with; nothing for the call that only takes the cases. */
function rootOf(expression: ESTree.Expression): string | undefined {
  if (expression.type === 'Identifier') return expression.name;
  if (expression.type === 'MemberExpression') {
    const { object, property } = expression;
    const isOfCases = property.type === 'Identifier' && /^(each|for|skipIf|runIf)$/.test(property.name);
    return isOfCases ? undefined : rootOf(object);
  }
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'MemberExpression') return undefined;
  return rootOf(expression.callee.object);
}

function titleIn(argument: ESTree.Argument, source: string): string | undefined {
  if (argument.type === 'Literal') return typeof argument.value === 'string' ? argument.value : undefined;
  return argument.type === 'TemplateLiteral' ? source.slice(argument.start + 1, argument.end - 1) : undefined;
}
