/** A stack over an emulator and a trigger service, in this process and without the engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource, diffResource, updateResource } from '../../providers/core/lifecycle.ts';
import { openStack, type Stack } from '../../providers/core/stack.ts';
import { failureOf } from '../../providers/pulumi/failures.ts';
import { type Emulator, readAccount, startEmulator } from '../../src/emulator/index.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { accounts } from '../cli/harness.ts';
import { openServing, type Serving, token } from '../triggers/serving.ts';

export interface TestStack extends AsyncDisposable {
  emulator: Emulator;
  serving: Serving;
  /** The messages that previews have printed. */
  printed: string[];
  /** The configuration of the stack, by name without `webdata:`. */
  settings: Record<string, string>;
  /** Opens a provider of the stack, as the engine does for each preview, update and refresh. */
  open(): Stack;
}

export async function openTestStack(file: string = accounts.plain): Promise<TestStack> {
  const account = await readAccount(file);
  const [emulator, serving] = await Promise.all([startEmulator(account, { port: 0, managerPort: 0 }), openServing()]);
  const printed: string[] = [];
  const machine = await mkdtemp(join(tmpdir(), 'webdata-stack-'));
  const before = process.env.WEBDATA_STATE_FOLDER;
  process.env.WEBDATA_STATE_FOLDER = machine;
  const settings: Record<string, string> = {
    apiUrl: emulator.apiUrl,
    apiKey: emulator.keys.ops,
    managerUrl: emulator.managerUrl,
    triggersUrl: serving.url,
    triggersToken: token,
    profile: '{"settleSeconds":0.1}',
  };
  return {
    emulator,
    serving,
    printed,
    settings,
    open: () =>
      openStack((key) => settings[key.replace(/^webdata:/, '')], {
        print: async (text) => printed.push(text) > 0,
      }),
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env.WEBDATA_STATE_FOLDER;
      else process.env.WEBDATA_STATE_FOLDER = before;
      await Promise.all([emulator.close(), serving[Symbol.asyncDispose](), rm(machine, { recursive: true })]);
    },
  };
}

export function kindNamed(name: string): AnyKind {
  const found = kinds.find((kind) => kind.name === name);
  if (found === undefined) throw new TypeError(`no kind ${name}`);
  return found;
}

/** Returns the reasons by property. */
export async function failuresOf(
  kind: AnyKind,
  inputs: Properties,
  stack: Stack,
  olds: Properties = {},
): Promise<Record<string, string>> {
  const { problems } = await checkInputs(kind, olds, inputs, () => stack);
  const failures = problems.map((problem) => failureOf(problem, 'pulumi', stack.redact));
  return Object.fromEntries(failures.map(({ property, reason }) => [property, reason]));
}

/** Checks, creates or updates a resource, and returns its properties. Does nothing if the diff is empty. */
export async function up(test: TestStack, kind: AnyKind, inputs: Properties, olds?: Properties): Promise<Properties> {
  const stack = test.open();
  const checked = await checkInputs(kind, olds ?? {}, inputs, () => stack);
  if (checked.problems.length > 0) throw new TypeError(JSON.stringify(checked.problems));
  if (olds === undefined) return (await createResource(stack, kind, checked.inputs)).properties;
  const { hasChanges } = await diffResource(stack, kind, olds, checked.inputs);
  return hasChanges ? updateResource(stack, kind, 'id', olds, checked.inputs) : olds;
}
