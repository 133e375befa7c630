/** The commands that other schedulers run: the shell, systemd and Kubernetes take them for the right words, and they run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CronJob } from 'kubernetes-models/batch/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { exportTicks } from '../../src/features/export/exportTicks.ts';
import { ticksBetween } from '../../src/triggers/timing/timing.ts';
import { crontabLines, plain, schedule, special } from '../features/export/exportSamples.ts';
import { clockChanges } from '../triggers/timings.ts';

const odd = [
  schedule('nightly', '0 3 * * *'),
  schedule('-x', '0 3 * * *', { owner: '--help' }),
  schedule(`it's "100%"`, '0 3 * * *', { owner: 'Acme & Söhne; true' }),
  schedule('$(touch pwned) `touch pwned` $HOME', '0 3 * * *', { owner: '$$(A) $(A) $A %I %%' }),
  schedule('a\\nb #c !d ~ * ?', '0 3 * * *', { owner: '../../etc' }),
  schedule('.hidden/x-y', '0 3 * * *', { owner: ' ' }),
  schedule('%d%%', '0 3 * * *', { owner: '@{a,b}' }),
];

const words = ({ owner, name }: { owner: string; name: string }) => [
  'triggers',
  'fire-tick',
  '--owner',
  owner,
  '--tick',
  'now',
  '--',
  name,
];

describe('a command with odd names', () => {
  it('is a shell command of these words in a crontab, with the environment of its file', async () => {
    const folder = await scratchFolder();
    const environmentFile = join(folder, "it's the environment");
    await writeFile(
      environmentFile,
      `PATH='${folder}:/usr/bin:/bin'\nWEBDATA_TRIGGERS_STORE='postgres://it is $HOME'\n`,
    );
    // A crontab has no backslashes in names.
    const schedules = odd.filter(({ name }) => !name.includes('\\'));
    const commands = crontabLines(schedules, { environmentFile }).map(({ command }) => command);
    expect(commands).toHaveLength(schedules.length);
    expect(await runAll(commands, folder)).toEqual(
      schedules.map((each) => ({ words: words(each), store: 'postgres://it is $HOME' })),
    );
  });

  it('is a shell command of these words in a workflow', async () => {
    const folder = await scratchFolder();
    const [file] = exportTicks(odd, 'github-actions');
    const { jobs } = parse(file?.text ?? '') as { jobs: Record<string, { steps: { run?: string }[] }> };
    const commands = Object.values(jobs).map(({ steps }) => `PATH='${folder}':$PATH; ${steps.at(-1)?.run}`);
    expect((await runAll(commands, folder)).map((run) => run.words)).toEqual(odd.map(words));
  });

  it('has these arguments in a CronJob', () => {
    const [file] = exportTicks(odd, 'kubernetes');
    const args = parseAllDocuments(file?.text ?? '').map((document) => {
      const [container] = new CronJob(document.toJS()).spec?.jobTemplate.spec?.template.spec?.containers ?? [];
      return (container?.args ?? []).map(asKubernetesReads);
    });
    expect(args).toEqual(odd.map(words));
  });

  it('has these words in a unit of systemd, which are not expanded', () => {
    const files = exportTicks(odd, 'systemd');
    const services = new Map(
      files.filter(({ file }) => file.endsWith('@.service')).map(({ file, text }) => [file, text]),
    );
    const timers = files.filter(({ file }) => file.endsWith('.timer'));
    const found = timers.map(({ file }) => {
      const [, template = '', instance = ''] = /^(.*@)(.*)\.timer$/.exec(file) ?? [];
      const [, command = ''] = /^ExecStart=:webdata (.*)$/m.exec(services.get(`${template}.service`) ?? '') ?? [];
      return asSystemdReads(command, instance);
    });
    expect(found).toEqual(odd.map(words));
  });
});

describe.skipIf(!isInstalled('systemd-analyze') && process.env.CI === undefined)('what systemd itself says', () => {
  it('its calendar has the ticks of the schedule', () => {
    const start = Date.parse('2026-05-31T12:00Z');
    const schedules = [...plain, ...special];
    const calendars = schedules.map((each) => {
      const timer = exportTicks([each], 'systemd').find(({ file }) => file.endsWith('.timer'));
      return [...(timer?.text ?? '').matchAll(/^OnCalendar=(.*)$/gm)].map(([, calendar]) => calendar ?? '');
    });
    const elapses = elapsesOf(calendars.flat(), start);
    for (const [index, { name, timing }] of schedules.entries()) {
      const found = (calendars[index] ?? []).map((calendar) => elapses.get(calendar) ?? []);
      // Of each calendar only so many times are known.
      const until = Math.min(...found.map((times) => times.at(-1) ?? start));
      const ticks = [...new Set(found.flat())].filter((tick) => tick <= until).sort((a, b) => a - b);
      expect(ticks.length, name).toBeGreaterThanOrEqual(12);
      expect(ticks, name).toEqual(ticksBetween(timing, start, until, 100));
    }
  });

  it('its calendar has every tick on days on which clocks change', () => {
    const crons = ['*/15 * * * *', '30 2 * * *', '0 0-4 * * *', '30 * * * SUN', '45 1 */2 * *', '*/30 2 25-31 3,10 *'];
    for (const { timeZone, day } of clockChanges) {
      const start = Date.parse(day) - 3_600_000;
      const timings = crons.map((cron) => ({ cron, timeZone }));
      const calendars = timings.map((timing) => {
        const timer = exportTicks([schedule('any', timing)], 'systemd', { now: Date.parse('2026-01-01') }).find(
          ({ file }) => file.endsWith('.timer'),
        );
        return [...(timer?.text ?? '').matchAll(/^OnCalendar=(.*)$/gm)].map(([, calendar]) => calendar ?? '');
      });
      const elapses = elapsesOf([...new Set(calendars.flat())], start, 250);
      for (const [index, timing] of timings.entries()) {
        const starts = new Set((calendars[index] ?? []).flatMap((calendar) => elapses.get(calendar) ?? []));
        const missed = ticksBetween(timing, start, start + 2 * 86_400_000, 1000).filter((tick) => !starts.has(tick));
        expect(
          missed.map((tick) => new Date(tick).toISOString()),
          `${timing.cron} in ${timeZone}`,
        ).toEqual([]);
      }
    }
  });

  it('it finds nothing wrong with the units', async () => {
    const folder = await scratchFolder();
    const files = exportTicks([...plain, ...special, ...odd], 'systemd');
    // The program must exist on this machine.
    for (const { file, text } of files) await writeFile(join(folder, file), text.replace(':webdata ', ':/bin/true '));
    const verify = () => {
      const paths = files.map(({ file }) => join(folder, file)).filter((path) => path.endsWith('.timer'));
      const run = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' });
      return run.stderr.split('\n').filter((line) => line.includes('webdata'));
    };
    expect(verify()).toEqual([]);
    await writeFile(join(folder, 'webdata-acme@nightly.timer'), '[Timer]\nOnCalendar=0 3 * * *\n');
    expect(verify()).not.toEqual([]);
  });
});

/** The next times of each calendar, by systemd. */
function elapsesOf(calendars: readonly string[], start: number, iterations = 12): Map<string, number[]> {
  const base = new Date(start).toISOString().slice(0, 19).replace('T', ' ');
  const args = ['calendar', `--iterations=${iterations}`, `--base-time=${base} UTC`, ...calendars];
  const env = { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' };
  const blocks = execFileSync('systemd-analyze', args, { encoding: 'utf8', env }).split('\n\n');
  expect(blocks).toHaveLength(calendars.length);
  const timesOf = (block = '') =>
    [...block.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC/g)].map(([, day, time]) =>
      Date.parse(`${day}T${time}Z`),
    );
  return new Map(calendars.map((calendar, index) => [calendar, timesOf(blocks[index])]));
}

/** `$$` is a `$`, and `$(NAME)` a variable: none may be left. */
function asKubernetesReads(arg: string): string {
  return arg.replaceAll(/\$\$|\$\(/g, (found) => {
    if (found === '$(') throw new Error(`Kubernetes takes this for a variable: ${arg}`);
    return '$';
  });
}

/** Quotes as in C, `%%` is a `%`, and `%I` the instance without its escapes, put in after the words were told apart. */
function asSystemdReads(command: string, instance: string): string[] {
  const unescaped = instance.replaceAll('-', '/').replaceAll(/\\x(..)/g, (_, hex: string) => `%${hex}`);
  const name = decodeURIComponent(unescaped);
  return [...command.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)]
    .map(([word]) => (word.startsWith('"') ? (JSON.parse(word) as string) : word))
    .map((word) => word.replaceAll(/%[%I]/g, (found) => (found === '%%' ? '%' : name)));
}

/** With a `webdata` in the folder that tells its store and its words. */
async function runAll(commands: readonly string[], folder: string): Promise<{ words: string[]; store: string }[]> {
  await writeProgram(folder, `printf '%s\\0' "$WEBDATA_TRIGGERS_STORE" "$@"`);
  const run = (command: string) =>
    execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', cwd: folder, env: { PATH: '/usr/bin:/bin' } });
  const told = commands.map((command) => run(command).split('\0').slice(0, -1));
  expect(await readdir(folder)).not.toContain('pwned');
  return told.map(([store = '', ...rest]) => ({ store, words: rest }));
}

/** As `webdata`. */
async function writeProgram(folder: string, script: string): Promise<void> {
  await writeFile(join(folder, 'webdata'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function scratchFolder(): Promise<string> {
  const folder = join(tmpdir(), `webdata-export-${crypto.randomUUID()}`);
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
