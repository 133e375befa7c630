/** The prose check: what it finds in a text, and that it fails only where a change adds findings. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('npm run prose', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-prose-'));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/old.ts'), '/** What is old. */\nexport const a = 1;\n// whoever\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first');
    git('switch', '-qc', 'change');
  });

  afterAll(() => rm(folder, { recursive: true }));

  function git(...args: string[]): void {
    execFileSync('git', args, { cwd: folder });
  }

  function prose(...args: string[]) {
    const script = resolve('scripts/prose.ts');
    const { status, stdout } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
    return { status, stdout };
  }

  it('passes while a change adds no finding, and counts what is left', () => {
    const base = ['--base', 'main'];
    expect(prose(...base)).toEqual({ status: 0, stdout: 'Prose: 2 findings left (src 2).\n' });
  });

  it('passes when text moves to another file', async () => {
    git('mv', 'src/old.ts', 'src/moved.ts');
    expect(prose('--base', 'main')).toMatchObject({ status: 0 });
    git('mv', 'src/moved.ts', 'src/old.ts');
  });

  it('fails and names the new lines when a change adds a finding', async () => {
    await writeFile(join(folder, 'src/new.ts'), '\n/** Reads what nobody reads. */\nexport const b = 1;\n');
    const { status, stdout } = prose('--base', 'main');
    expect(stdout).toContain('src/new.ts:2  banned words: "nobody" - name who');
    expect(stdout).not.toContain('src/old.ts');
    expect(status).toBe(1);
  });

  it('fails for any finding in a clean part of the repository, even an old one', async () => {
    await writeFile(join(folder, 'README.md'), 'Somebody reads it.\n');
    const { status, stdout } = prose('--base', 'main');
    await rm(join(folder, 'README.md'));
    expect(stdout).toContain('README.md:1  banned words: "Somebody"');
    expect(stdout).toContain('These files must have no findings.');
    expect(status).toBe(1);
  });

  it('--list shows the findings of a file with a suggestion each', () => {
    const { stdout } = prose('--list', 'src/old.ts');
    expect(stdout).toBe(
      'src/old.ts:1  headless opening: "What" - start a function comment with a verb, any other comment or option with a noun\n' +
        'src/old.ts:3  banned words: "whoever" - name the subject: "callers that", "any user", "every"\n',
    );
  });
});
