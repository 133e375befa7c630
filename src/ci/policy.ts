/** A policy: a command that reads the JSON plan of each account of `webdata ci plan` and may deny it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isMapValue } from '../base/values/plain.ts';
import { jsonText, printableText } from '../base/values/printable.ts';
import { variablesWithoutSecrets } from '../client/environmentSecrets.ts';
import type { AccountsDocument, PlanDocument } from '../report/json/schema.ts';
import { escaped } from '../report/markdown/markup.ts';
import { writeProblem } from './outputs.ts';
import type { JobIo, Outcome } from './runner.ts';

/** Checks a plan that succeeded. A denied plan is an error, with its reasons before the report. */
export async function withPolicy(outcome: Outcome, command: string | undefined, io: JobIo): Promise<Outcome> {
  if (command === undefined || outcome.code === 1) return outcome;
  const denied: string[] = [];
  const warnings: string[] = [];
  for (const { account, plan } of plansIn(outcome.json ?? '')) {
    const named = (message: string) => (account === undefined ? message : `${account}: ${message}`);
    const verdict = await verdictOf(command, plan, io);
    denied.push(...verdict.denied.map(named));
    warnings.push(...verdict.warnings.map(named));
  }
  for (const found of warnings) writeProblem({ code: 'policy-warning', found }, 'warning', io);
  for (const found of denied) writeProblem({ code: 'policy-denied', found, fix }, 'error', io);
  return { ...outcome, code: denied.length > 0 ? 1 : outcome.code, denied, warnings };
}

/** Returns the plan of each account: a rule that reads one document finds nothing in that of several. */
function plansIn(json: string): { account?: string; plan: string }[] {
  const document = JSON.parse(json) as PlanDocument | AccountsDocument;
  if (document.format !== 'webdata.accounts/1') return [{ plan: json }];
  return document.accounts.map(({ account, report }) => ({ account, plan: jsonText(report) }));
}

const fix = 'change the declaration so that the policy allows the plan, or ask the owner of the policy';

/** Returns the reasons and the warnings as Markdown; empty if there are none. */
export function policyMarkdown({ denied = [], warnings = [] }: Pick<Outcome, 'denied' | 'warnings'>): string {
  return listed('❌ Denied by policy', denied) + listed('⚠️ Warnings of the policy', warnings);
}

function listed(heading: string, messages: readonly string[]): string {
  if (messages.length === 0) return '';
  const items = messages.slice(0, mostReasons).map((each) => `- ${escaped(printableText(each))}\n`);
  const left = messages.length - items.length;
  const more = left > 0 ? `- and ${left} more; the log of the job has them\n` : '';
  return `### ${heading}\n\n${items.join('')}${more}\n`;
}

const mostReasons = 20;

/** Runs the command in a shell with the plan on its standard input, without secrets. Exit code 0 allows the plan. */
async function verdictOf(
  command: string,
  plan: string,
  { cwd, env, signal }: JobIo,
): Promise<Record<'denied' | 'warnings', string[]>> {
  const child = spawn(command, { shell: true, cwd, env: variablesWithoutSecrets(env), signal });
  const ended = once(child, 'close');
  // A command that does not read its input is a policy too.
  child.stdin.on('error', () => {}).end(plan);
  const [output, errors, [code, killedBy]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const { failures, warnings } = messagesIn(output);
  if (code === 0) return { denied: [], warnings };
  if (failures.length > 0) return { denied: failures, warnings };
  // `conftest --fail-on-warn`
  if (warnings.length > 0) return { denied: warnings, warnings: [] };
  const reasons = linesOf(output);
  if (code !== null && reasons.length > 0) return { denied: reasons, warnings };
  const end = code === null ? `was ended by ${killedBy}` : `failed with exit code ${code}`;
  return { denied: [`the policy command ${end}: ${linesOf(errors)[0] ?? 'it printed no reason'}`], warnings };
}

/** Reads the results of Conftest (`--output json`), or a list of reasons: texts, or objects with `msg`. Other output has no messages of these kinds. */
function messagesIn(output: string): { failures: string[]; warnings: string[] } {
  const results = [parsed(output)].flat();
  const of = (field: string) => results.flatMap((each) => (isMapValue(each) ? textsIn(each[field]) : []));
  return { failures: [...textsIn(results), ...of('failures')], warnings: of('warnings') };
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return [];
  }
}

function textsIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each) => (isMapValue(each) ? each.msg : each)).filter((each) => typeof each === 'string');
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.trim() !== '');
}
