/** Runs `webdata` in this process and reads its reports back from temporary files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import type { AcceptedEdit } from '../../features/accept/acceptedEdit.ts';
import type { AccountsDocument, ApplyDocument, PlanDocument } from '../../report/json/schema.ts';
import { formatProblems } from '../../report/text/problems.ts';
import {
  type CiCommand,
  type JobIo,
  type NameOf,
  noReport,
  type Outcome,
  optionValues,
  type Runner,
} from '../runner.ts';

type Run = (args: readonly string[], io: JobIo) => Promise<0 | 1 | 2>;

const commands: Record<CiCommand, readonly string[]> = {
  plan: ['plan', '--detailed-exitcode'],
  apply: ['apply', '--yes'],
  drift: ['drift'],
};

export function webdataRunner(run: Run): Runner {
  return {
    name: 'webdata',
    subject,
    run: (command, args, given, { edit = false }) =>
      withFolder(async (folder) => {
        const io = { ...given, env: { ...given.env, CI: 'true' } };
        const file = (format: string) => join(folder, `report.${format}`);
        const reports = ['text', 'json', 'markdown'].flatMap((format) => ['--report', `${format}=${file(format)}`]);
        let errorText = '';
        const stderr = {
          write(text: string) {
            errorText += text;
            return io.stderr.write(text);
          },
        };
        // With several accounts, each is edited on its own, after the report on all of them.
        const isAll = optionValues(args, '--all').length > 0;
        const accepting = edit && !isAll ? ['--accept', '--accept-to', file('edit')] : [];
        const code = await run([...commands[command], ...reports, ...accepting, ...args], { ...io, stderr });
        const read = (format: string) => readTextFile(file(format)).catch(() => '');
        const [text, json, markdown] = await Promise.all([read('text'), read('json'), read('markdown')]);
        const accepted = accepting.length > 0 ? await read('edit') : '';
        if (json === '' && code !== 1) throw noReport(['webdata', ...commands[command], ...args]);
        const counted = { strict: args.includes('--strict'), pending: args.includes('--pending') };
        const outcome = webdataOutcome(command, code, { text: text || errorText, json, markdown }, counted);
        // After an error, an open proposal may have edits of the account that could not be checked.
        if (edit && isAll && code === 2)
          return withEdit(outcome, () => editOfAccounts(run, json, args, io, folder), io);
        return accepted === '' ? outcome : { ...outcome, edit: JSON.parse(accepted) as AcceptedEdit };
      }),
  };
}

/** Adds the edit. Without one, the drift is reported nevertheless, and the job fails. */
async function withEdit(outcome: Outcome, makeEdit: () => Promise<AcceptedEdit>, io: JobIo): Promise<Outcome> {
  try {
    return { ...outcome, edit: await makeEdit() };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    io.stderr.write(`${formatProblems(error.problems)}\n`);
    return { ...outcome, code: 1 };
  }
}

/** Returns one edit that accepts the drift of all accounts. @throws ProblemError if an account cannot be read any more */
async function editOfAccounts(
  run: Run,
  json: string,
  args: readonly string[],
  io: JobIo,
  folder: string,
): Promise<AcceptedEdit> {
  const { accounts } = JSON.parse(json) as AccountsDocument;
  const rest = withoutOptions(args, ['--all', '--parallel-accounts']);
  const files = new Map<string, AcceptedEdit['files'][number]>();
  let problems = '';
  for (const [index, { file }] of accounts.filter(({ exitCode }) => exitCode === 2).entries()) {
    const target = join(folder, `edit-${index}`);
    const silent = { ...io, stdout: { write: () => true } };
    const code = await run(['drift', '--accept', '--accept-to', target, '--file', file, ...rest], silent);
    if (code === 1) throw new ProblemError([accountFailed(file)]);
    const edit = JSON.parse(await readTextFile(target).catch(() => '{"files":[],"problems":""}')) as AcceptedEdit;
    for (const each of edit.files) {
      const known = files.get(each.file);
      if (known !== undefined && known.after !== each.after) throw new ProblemError([sharedFile(each.file)]);
      files.set(each.file, each);
    }
    problems += edit.problems;
  }
  return { files: [...files.values()], problems };
}

function accountFailed(file: string): Problem {
  return {
    code: 'proposal-not-possible',
    found: `the drift of ${file} could not be read a second time, so no change is proposed`,
    fix: 'see the error above, then run the check again',
  };
}

function sharedFile(file: string): Problem {
  return {
    code: 'proposal-not-possible',
    found: `accounts that share ${file} need different edits of it, so no change is proposed`,
    fix: 'run `webdata ci drift --propose -- -f FILE` for one account after the other',
  };
}

/** Returns the arguments without these options and their values. */
function withoutOptions(args: readonly string[], names: readonly string[]): string[] {
  return args.filter(
    (arg, index) => !names.some((name) => arg === name || arg.startsWith(`${name}=`) || args[index - 1] === name),
  );
}

/** The files, in their order, the patterns of `--all`, and the selected resources: a report on a part says nothing about the whole. */
function subject(args: readonly string[], nameOf: NameOf): string {
  const all = optionValues(args, '--all');
  const files = [...optionValues(args, '--file', '-f'), ...all];
  const selected = new Set(optionValues(args, '--select'));
  const whole = (files.length === 0 ? ['webdata.yaml'] : files).map(nameOf).join(' + ');
  return [whole, ...[...selected].sort()].join(', ');
}

type Document = PlanDocument | ApplyDocument | AccountsDocument;

interface Reports {
  text: string;
  /** Empty, like the Markdown, if the command failed before its report. */
  json: string;
  markdown: string;
}

function webdataOutcome(
  command: CiCommand,
  code: 0 | 1 | 2,
  { text, json, markdown }: Reports,
  counted: CountedDrift,
): Outcome {
  const document = json === '' ? undefined : (JSON.parse(json) as Document);
  return {
    code: code === 2 && command !== 'drift' ? 0 : code,
    hasDrift: command === 'drift' && (code === 2 || (document !== undefined && hasDrifted(document, counted))),
    changes: document !== undefined && (command === 'apply' ? hasMade(document) : code === 2 || hasChanged(document)),
    summary: document === undefined ? `webdata ${command} failed.` : lastLine(text),
    markdown,
    json,
    text,
    fingerprint: document === undefined ? '' : fingerprintOf(document, counted),
  };
}

/** The options that make more than drift count as drift. */
interface CountedDrift {
  strict: boolean;
  pending: boolean;
}

/** Returns true if something that could be compared has drifted, also beside something that could not be. */
function hasDrifted(document: Document, counted: CountedDrift): boolean {
  if (document.format !== 'webdata.plan/1') return hasChanged(document);
  return document.resources.some(({ calls, differences }) =>
    differences === undefined ? calls.length > 0 : alarmsIn(differences, counted).length > 0,
  );
}

type DifferenceDocument = NonNullable<PlanDocument['resources'][number]['differences']>[number];

function alarmsIn(differences: readonly DifferenceDocument[], { pending }: CountedDrift): DifferenceDocument[] {
  return differences.filter(({ cause, muted }) => !muted && (cause !== 'pending' || pending));
}

/** Identifies the drift: without pending and muted differences, unless they count. With `--strict`, the notes count too. */
function fingerprintOf(document: Document, counted: CountedDrift): string {
  if (document.format === 'webdata.accounts/1') {
    return JSON.stringify(document.accounts.map(({ account, report }) => [account, fingerprintOf(report, counted)]));
  }
  if (document.format === 'webdata.apply/1') return '';
  const { strict } = counted;
  const { resources, baseline = false } = document;
  const entries = resources.map(({ kind, name, calls, changes, differences = [], notes }) => {
    const drifted = alarmsIn(differences, counted);
    const isWhole = drifted.length === differences.length;
    const drift = baseline || !isWhole ? [drifted] : [calls, changes];
    return { kind, name, drift: [...drift, strict ? notes : []] };
  });
  // Resources without drift may be added to the declaration and removed from it.
  const drifted = entries.filter(({ drift }) => drift.some((list) => list.length > 0));
  return JSON.stringify(drifted.map(({ kind, name, drift }) => [kind, name, ...drift]));
}

/** Returns true if one of several accounts has changes or drift. */
function hasChanged(document: Document): boolean {
  return document.format === 'webdata.accounts/1' && document.summary.changed > 0;
}

/** Returns true if a call took effect. An apply without calls, or one that was refused, reports its plan instead. */
function hasMade(document: Document): boolean {
  if (document.format === 'webdata.accounts/1') return document.accounts.some(({ report }) => hasMade(report));
  return document.format === 'webdata.apply/1' && document.summary.made > 0;
}

/** The summary is the last line of the text report. */
function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

async function withFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-ci-'));
  try {
    return await action(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
