/** `pulumi` as what is run in CI: from the PATH, never asking, its output passed through. */
import { spawn } from 'node:child_process';
import { ProblemError } from '../input/problem.ts';
import { type CiCommand, type Front, noReport, type Outcome, optionValues, type Surroundings } from './front.ts';
import { foundUnexpected, hasChangesIn, totalsIn, withoutTimes } from './pulumiOutput.ts';

const commands: Record<CiCommand, readonly string[]> = {
  plan: ['preview'],
  apply: ['up', '--yes', '--skip-preview'],
  drift: ['preview', '--refresh', '--expect-no-changes'],
};
const always = ['--non-interactive', '--color', 'never', '--suppress-progress'];

export const pulumiFront: Front = {
  name: 'pulumi',
  subject(args, nameOf) {
    const [folder = '.'] = optionValues(args, '--cwd', '-C');
    const [stack = ''] = optionValues(args, '--stack', '-s');
    const place = nameOf(folder);
    const whole = ['pulumi', place === '.' ? '' : place, stack].filter((part) => part !== '').join(' ');
    const targets = new Set(optionValues(args, '--target', '-t'));
    return [whole, ...[...targets].sort()].join(', ');
  },
  async run(command, args, io) {
    const words = [...commands[command], ...always, ...args];
    const { code, output } = await pulumi(words, io);
    if (command === 'drift' && code === 0 && totalsIn(output).length === 0) throw noReport(['pulumi', ...words]);
    return outcomeOf(command, code, output);
  },
};

function outcomeOf(command: CiCommand, code: number, output: string): Outcome {
  const drifted = command === 'drift' && code !== 0 && foundUnexpected(output);
  const totals = totalsIn(output).join(', ');
  const told = totals === '' ? 'nothing is told of resources' : totals;
  return {
    code: drifted ? 2 : code === 0 ? 0 : 1,
    changes: hasChangesIn(output),
    summary: code === 0 || drifted ? `pulumi ${command}: ${told}.` : `pulumi ${command} failed: ${told}.`,
    markdown: '',
    text: output,
    fingerprint: withoutTimes(output),
  };
}

/** The exit code, and both outputs as they came. A first interrupt is passed on, and its end waited for. */
function pulumi(args: readonly string[], io: Surroundings): Promise<{ code: number; output: string }> {
  const { env, cwd, signal, stdout, stderr } = io;
  return new Promise((done, failed) => {
    const child = spawn('pulumi', args, { cwd, env: programEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
    const interrupt = () => child.kill('SIGINT');
    signal.addEventListener('abort', interrupt, { once: true });
    let output = '';
    const tee = (to: Surroundings['stdout']) => (text: string) => {
      output += text;
      to.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', tee(stdout));
    child.stderr.setEncoding('utf8').on('data', tee(stderr));
    child.once('error', (error) => failed(notStarted(error)));
    child.once('close', (code) => {
      signal.removeEventListener('abort', interrupt);
      done({ code: code ?? 1, output });
    });
  });
}

/** Who tells GitLab is `webdata`: the program of a merge request does not need what writes its comments. */
function programEnv({
  WEBDATA_GITLAB_TOKEN: _ours,
  GITLAB_TOKEN: _other,
  ...rest
}: Surroundings['env']): NodeJS.ProcessEnv {
  return rest;
}

function notStarted({ message }: Error): ProblemError {
  return new ProblemError([
    {
      code: 'pulumi-not-started',
      found: `pulumi could not be started (${message})`,
      fix: 'install the Pulumi CLI, and put it on the PATH',
    },
  ]);
}
