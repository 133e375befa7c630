import { describe, expect, it } from 'vitest';
import { findingsIn } from '../../scripts/prose/findings.ts';

describe('the rules', () => {
  it.each([
    ['a doc comment without a subject', '/** What a plan holds. */\nexport const plan = 1;', 'What'],
    ['the same over several lines', '/**\n * Whether\n * it is there.\n */\nfunction f() {}', 'Whether'],
    ['an option without a subject', "command.option('--file <file>', 'where runs are recorded');", 'where'],
    ['a field without a subject', "const spec = z.string().describe('How often it is sent.');", 'How'],
    ['a banned word in a comment', 'const a = 1; // whoever reads this', 'whoever'],
    [
      'a banned phrase in an error',
      `throw new Error(\`\${count} of them are nowhere to be had\`);`,
      'nowhere to be had',
    ],
    ['a phrase over a line break', '/** A route that there\n * is not. */\nconst a = 1;', 'that there is not'],
    ['a comment at the end of a block', 'function f() {\n  g();\n  // nobody calls it\n}', 'nobody'],
    ['a second word for one thing', "const text = 'the trigger server is away';", 'trigger server'],
  ])('find %s', (_, code, words) => {
    expect(findingsIn('src/a.ts', code).map((each) => each.words)).toEqual([words]);
  });

  it.each([
    ['a question', "const question = command.description('What should be applied?');"],
    ['names in code', '/** Returns `whoever`. */\nconst whoever = `x`;'],
    ['an expression of a template', `const text = \`zone \${whoever(zone)} does not exist\`;`],
    ['a verb with a subject', '/** Returns what the service sent. */\nconst a = 1;'],
    ['one word strings', "const command = 'tell';"],
    ['two things that are told apart', '// A number tells the options apart.'],
  ])('allow %s', (_, code) => {
    expect(findingsIn('src/a.ts', code)).toEqual([]);
  });

  it('read the comments and descriptions of YAML, and the text of HTML but not its tags', () => {
    expect(findingsIn('action.yml', "name: a # nobody\ndescription: 'It tells it.'\n")).toMatchObject([
      { line: 1, words: 'nobody' },
      { line: 2, words: 'tells' },
    ]);
    expect(findingsIn('src/a.html', '<p title="nobody">somebody</p>')).toMatchObject([{ words: 'somebody' }]);
  });

  it('read the prose of Markdown but not its code', () => {
    const page = 'Run this:\n\n```sh\nwhoever\n```\n\nIt says `nobody`, and somebody reads it.\n';
    expect(findingsIn('docs/a.md', page)).toMatchObject([{ line: 7, words: 'somebody' }]);
  });
});
