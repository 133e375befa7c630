/** Runs `pulumi` from the PATH without prompts and passes its output through. */
import { spawn } from 'node:child_process';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { type CiCommand, type JobIo, noReport, type Outcome, type Runner } from '../runner.ts';
import { foundUnexpected, hasChangesIn, totalsIn, withoutTimes } from './pulumiOutput.ts';

const commands: Record<CiCommand, readonly string[]> = {
  plan: ['preview'],
  apply: ['up', '--yes', '--skip-preview'],
  drift: ['preview', '--refresh', '--expect-no-changes'],
};
const always = ['--non-interactive', '--color', 'never', '--suppress-progress'];

/** `args` are options of `pulumi`. */
export function pulumiRunner(args: readonly string[]): Runner {
  return {
    name: 'pulumi',
    subject(nameOf) {
      const [folder = '.'] = optionValues(args, '--cwd', '-C');
      const [stack = ''] = optionValues(args, '--stack', '-s');
      const path = nameOf(folder);
      const whole = ['pulumi', path === '.' ? '' : path, stack].filter((part) => part !== '').join(' ');
      const targets = new Set(optionValues(args, '--target', '-t'));
      return [whole, ...[...targets].sort()].join(', ');
    },
    async run(command, io) {
      const words = [...commands[command], ...always, ...args];
      const { code, output } = await pulumi(words, io);
      if (command === 'drift' && code === 0 && totalsIn(output).length === 0) throw noReport(['pulumi', ...words]);
      return pulumiOutcome(command, code, output);
    },
  };
}

/** The values of an option given as `--name value`, `--name=value`, `-n value` or `-nvalue`. */
function optionValues(args: readonly string[], long: string, short: string): string[] {
  return args.flatMap((arg, index) => {
    if (arg === long || arg === short) return args[index + 1] ?? [];
    if (arg.startsWith(`${long}=`)) return arg.slice(long.length + 1);
    return arg.startsWith(short) && !arg.startsWith('--') ? arg.slice(short.length) : [];
  });
}

function pulumiOutcome(command: CiCommand, code: number, output: string): Outcome {
  const drifted = command === 'drift' && code !== 0 && foundUnexpected(output);
  const totals = totalsIn(output).join(', ');
  const result = totals === '' ? 'no resource totals in the output' : totals;
  return {
    code: drifted ? 2 : code === 0 ? 0 : 1,
    changes: hasChangesIn(output),
    summary: code === 0 || drifted ? `pulumi ${command}: ${result}.` : `pulumi ${command} failed: ${result}.`,
    markdown: '',
    text: output,
    fingerprint: withoutTimes(output),
  };
}

/** Returns the exit code and both outputs interleaved. Passes the first interrupt on and waits for the end. */
function pulumi(args: readonly string[], io: JobIo): Promise<{ code: number; output: string }> {
  const { env, cwd, signal, stdout, stderr } = io;
  return new Promise((done, failed) => {
    const child = spawn('pulumi', args, { cwd, env: programEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
    const interrupt = () => child.kill('SIGINT');
    signal.addEventListener('abort', interrupt, { once: true });
    let output = '';
    const tee = (to: JobIo['stdout']) => (text: string) => {
      output += text;
      to.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', tee(stdout));
    child.stderr.setEncoding('utf8').on('data', tee(stderr));
    child.once('error', ({ message }) => {
      const found = `pulumi could not be started (${message})`;
      const fix = 'install the Pulumi CLI and add it to the PATH';
      failed(new ProblemError([{ code: 'pulumi-not-started', found, fix }]));
    });
    child.once('close', (code) => {
      signal.removeEventListener('abort', interrupt);
      done({ code: code ?? 1, output });
    });
  });
}

/** The program of a merge request gets no token: only `webdata` itself writes comments. */
function programEnv({ WEBDATA_GITLAB_TOKEN: _ours, GITLAB_TOKEN: _other, ...rest }: JobIo['env']): NodeJS.ProcessEnv {
  return rest;
}
