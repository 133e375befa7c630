/** A declaration on an emulator, in a repository of a fake forge. */
import { join } from 'node:path';
import { type Harness, openDeclared, type Result } from '../cli/harness.ts';
import { type FakeGitHub, fakeGitHub } from './fakeGitHub.ts';
import { token } from './posts.ts';

export const inPlace =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.13] } }, spare: parked } }\n';
/** One IP of `pricing` is to move. */
export const oneMove =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.10] } }, sources: [pricing] } }\n';

export interface OnGitHub extends AsyncDisposable {
  harness: Harness;
  forge: FakeGitHub;
  /** `webdata ci …` in a run of GitHub Actions. */
  ci(...args: string[]): Promise<Result>;
  ciWith(env: Readonly<Record<string, string | undefined>>, ...args: string[]): Promise<Result>;
  /** What the run left in this file of the runner: outputs, the step summary. */
  left(file: 'output' | 'summary'): Promise<string>;
}

export async function onGitHub(
  declaration: string,
  { event = pullRequest(7), person }: Setting = {},
): Promise<OnGitHub> {
  const harness = await openDeclared('plain', declaration);
  const forge = await fakeGitHub(person === undefined ? {} : { person });
  await harness.write('event.json', JSON.stringify(event));
  await harness.write('output', '');
  await harness.write('summary', '');
  const env = {
    ...forge.env,
    GITHUB_TOKEN: token,
    GITHUB_WORKSPACE: harness.folder,
    GITHUB_EVENT_PATH: join(harness.folder, 'event.json'),
    GITHUB_OUTPUT: join(harness.folder, 'output'),
    GITHUB_STEP_SUMMARY: join(harness.folder, 'summary'),
  };
  const ciWith: OnGitHub['ciWith'] = (more, ...args) =>
    harness.webdataWith({ env: { ...env, ...more } as Record<string, string> }, 'ci', ...args);
  return {
    harness,
    forge,
    ciWith,
    ci: (...args) => ciWith({}, ...args),
    left: (file) => harness.read(file),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

interface Setting {
  event?: object;
  person?: string;
}

export function pullRequest(number: number): object {
  return { pull_request: { number, head: { sha: 'c0ffee'.padEnd(40, '1') } } };
}
