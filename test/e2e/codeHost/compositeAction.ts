/** Runs the `run:` steps of a composite action as a runner does: in bash, with inputs only through `env:`. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { stateFolder } from '../process.ts';

export interface Action {
  inputs: Record<string, { description: string; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  if?: string;
  shell?: string;
  run?: string;
  env?: Record<string, string>;
  'working-directory'?: string;
}

interface ActionRun {
  code: number | null;
  log: string;
  outputs: Record<string, string>;
}

interface ActionContext {
  /** The checkout. */
  workspace: string;
  /** The folder of the action. By default, this checkout. */
  actionPath?: string;
  inputs?: Record<string, string>;
  /** What expressions name besides inputs: `github.token`. */
  values?: Record<string, string>;
  env: Record<string, string>;
}

export async function readAction(folder = '.'): Promise<Action> {
  return parse(await readFile(join(folder, 'action.yml'), 'utf8')) as Action;
}

/** Step after step, until one fails; those that use other actions are left out. */
export async function runAction({
  workspace,
  actionPath = resolve('.'),
  inputs = {},
  values = {},
  env,
}: ActionContext): Promise<ActionRun> {
  const action = await readAction(actionPath);
  const outputFile = join(workspace, '..', `output-${crypto.randomUUID()}`);
  const defaults = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']),
  );
  const known: Record<string, string> = { ...values };
  for (const [name, value] of Object.entries({ ...defaults, ...inputs }))
    known[`inputs.${name}`] = evaluate(value, known);
  const runner = { GITHUB_WORKSPACE: workspace, GITHUB_ACTION_PATH: actionPath, RUNNER_TEMP: join(workspace, '..') };
  const all = { PATH: process.env.PATH ?? '', ...stateFolder(), ...runner, ...env };
  let log = '';
  for (const step of action.runs.steps.filter(({ run }) => run !== undefined)) {
    await writeFile(outputFile, '');
    const stepEnv = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluate(value, known)]);
    const cwd = resolve(workspace, evaluate(step['working-directory'] ?? '.', known));
    const { code, output } = await shell('bash', step.run ?? '', cwd, {
      ...all,
      GITHUB_OUTPUT: outputFile,
      ...Object.fromEntries(stepEnv),
    });
    log += output;
    for (const [name, value] of outputsIn(await readFile(outputFile, 'utf8')))
      known[`steps.${step.id}.outputs.${name}`] = value;
    if (code !== 0) return { code, log, outputs: outputsOf(action, known) };
  }
  return { code: 0, log, outputs: outputsOf(action, known) };
}

function outputsOf({ outputs }: Action, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, evaluate(value, known)]));
}

/** What is not known is empty, as on a runner. */
function evaluate(text: string, known: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_all, name: string) => known[name] ?? '');
}

function outputsIn(text: string): [string, string][] {
  return [...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name = '', , value = '']) => [name, value]);
}

/** A script that ends with the first command that fails. */
export function shell(
  name: 'bash' | 'sh',
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const args = name === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script] : ['-ec', script];
  const child = spawn(name, args, { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ code, output }));
  });
}
