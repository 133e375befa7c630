/** Runs a command of `webdata`, and reads its result from the report. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { AccountsDocument, ApplyDocument, PlanDocument } from '../../report/json/schema.ts';
import type { DeclarationEdit } from '../../report/model/declarationEdit.ts';
import { formatProblems } from '../../report/text/problems.ts';
import { type CiCommand, type JobIo, noReport, type Outcome, type Runner } from '../runner.ts';

/** A command with the options from after `--`. */
export interface WebdataCommand {
  /** As the user would type it. */
  words: readonly string[];
  flags: WebdataFlags;
  /** Runs the command, and prints its errors. `takeEdit` takes the edit that accepts the drift, of each account. */
  run(io: JobIo, takeEdit: ((edit: DeclarationEdit) => void) | undefined): Promise<WebdataResult>;
}

interface WebdataFlags extends CountedDrift {
  file?: readonly string[] | undefined;
  all?: readonly string[] | undefined;
  select?: readonly string[] | undefined;
  zone?: readonly string[] | undefined;
}

/** The options that make more than drift count as drift. */
interface CountedDrift {
  strict?: boolean | undefined;
  pending?: boolean | undefined;
}

export interface WebdataResult {
  code: 0 | 1 | 2;
  /** Undefined if the command failed before its report. */
  report: Reports | undefined;
}

type Reports = Readonly<Record<'text' | 'json' | 'markdown', string>>;

export function webdataRunner({ words, flags, run }: WebdataCommand): Runner {
  return {
    name: 'webdata',
    subject(nameOf) {
      const { file = [], all = [], select = [], zone = [], strict, pending } = flags;
      const counted = [...(strict ? ['--strict'] : []), ...(pending ? ['--pending'] : [])];
      const files = [...file, ...all];
      const whole = (files.length === 0 ? ['webdata.yaml'] : files).map(nameOf).join(' + ');
      // A report on a part says nothing about the whole, and one that counts less nothing about one that counts more.
      return [whole, ...[...new Set([...select, ...zone])].sort(), ...counted].join(', ');
    },
    async run(command, io, { edit = false }) {
      const errors: string[] = [];
      const stderr = {
        write(text: string) {
          errors.push(text);
          return io.stderr.write(text);
        },
      };
      const edits: DeclarationEdit[] = [];
      const takeEdit = edit ? (found: DeclarationEdit) => void edits.push(found) : undefined;
      const { code, report } = await run({ ...io, stderr, env: { ...io.env, CI: 'true' } }, takeEdit);
      if (report === undefined && code !== 1) throw noReport(words);
      const failed = { text: errors.join(''), json: '', markdown: '' };
      const outcome = webdataOutcome(command, code, report ?? failed, flags);
      // After an error, an open proposal may have edits of what could not be checked.
      return code === 1 ? outcome : withEdit(outcome, edits, io);
    },
  };
}

/** Adds the edit. Without one, the drift is reported nevertheless, and the job fails. */
function withEdit(outcome: Outcome, edits: readonly DeclarationEdit[], io: JobIo): Outcome {
  if (edits.length === 0) return outcome;
  const files = new Map<string, DeclarationEdit['files'][number]>();
  for (const each of edits.flatMap((edit) => edit.files)) {
    const known = files.get(each.file);
    if (known !== undefined && known.after !== each.after) {
      io.stderr.write(`${formatProblems([sharedFile(each.file)])}\n`);
      return { ...outcome, code: 1 };
    }
    files.set(each.file, each);
  }
  // Accounts end in any order.
  const inOrder = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  return { ...outcome, edit: { files: inOrder, problems: edits.map(({ problems }) => problems).join('') } };
}

function sharedFile(file: string): Problem {
  return {
    code: 'proposal-not-possible',
    found: `accounts that share ${file} need different edits of it, so no change is proposed`,
    fix: 'run `webdata ci drift --propose -- -f FILE` for one account after the other',
  };
}

type Document = PlanDocument | ApplyDocument | AccountsDocument;

/** JSON and Markdown are empty if the command failed before its report. */
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
    // The summary is the last line of the text report.
    summary: document === undefined ? `webdata ${command} failed.` : (text.trimEnd().split('\n').at(-1) ?? ''),
    markdown,
    json,
    text,
    fingerprint: document === undefined ? '' : fingerprintOf(document, counted),
  };
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
  const { strict = false } = counted;
  const { resources } = document;
  const entries = resources.map(({ kind, name, calls, changes, differences, notes }) => {
    const drift = differences === undefined ? [calls, changes] : [alarmsIn(differences, counted)];
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
