/** Every kind as a Pulumi resource, through the core that the provider's handlers call, in this process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import {
  createResource,
  deleteResource,
  diffResource,
  readResource,
  updateResource,
} from '../../providers/core/lifecycle.ts';
import { ownNotes } from '../../providers/core/runNotes.ts';
import { openStack, type Stack } from '../../providers/core/stack.ts';
import { addStored } from '../../providers/core/stored/table.ts';
import { handlersOf } from '../../providers/runtime/index.ts';
import { addKind } from '../../src/kinds/knownKinds.ts';
import { opened } from '../providers/testStack.ts';
import { token } from '../triggers/serving.ts';
import { type ConformancePlace, kindCases, openConformancePlace } from './cases.ts';
import { banner, storedBanner } from './sampleKind/kind.ts';

let place: ConformancePlace;
const removeKind = addKind(banner);
const removeStored = addStored(banner, storedBanner);
beforeAll(async () => {
  place = await openConformancePlace();
});
afterAll(async () => {
  removeStored();
  removeKind();
  await place[Symbol.asyncDispose]();
});

/** The engine starts a provider process for each preview, update and refresh. */
function newProcess(): Stack {
  const config = new Map<string, string | undefined>([
    ['webdata:apiUrl', place.env.WEBDATA_API_URL],
    ['webdata:apiKey', place.emulator.keys.ops],
    ['webdata:managerUrl', place.env.WEBDATA_MANAGER_URL],
    ['webdata:triggersUrl', place.env.WEBDATA_TRIGGERS_URL],
    ['webdata:triggersToken', token],
    ['webdata:profile', '{"settleSeconds":1}'],
  ]);
  return openStack((key) => config.get(key), { print: async () => true, notes: ownNotes() });
}

describe.each(kindCases.map((each) => [each.kind.name, each] as const))('%s', (name, kindCase) => {
  const { kind } = kindCase;

  it('has handlers', () => {
    expect(handlersOf(name)).toMatchObject({ create: expect.any(Function), delete: expect.any(Function) });
  });

  it('is checked, created, read, repaired and removed', async () => {
    const given = { ...kindCase.spec(place), ...kindCase.identity };
    const before = place.writes().length;
    const odd = { ...given, oddField: 1 };
    const { inputs, failures } = await checkInputs(kind, {}, given, opened(newProcess()));
    expect(failures).toEqual([]);
    expect((await checkInputs(kind, {}, odd, opened(newProcess()))).failures).toHaveLength(1);
    expect(place.writes()).toHaveLength(before);
    const { id, properties } = await createResource(newProcess(), kind, inputs);
    const created = place.writes().length;
    expect(created).toBeGreaterThan(before);
    expect(await diffResource(newProcess(), kind, properties, inputs)).toMatchObject({ hasChanges: false });
    expect((await readResource(newProcess(), kind, properties))?.inputs).toMatchObject(given);
    expect(place.writes()).toHaveLength(created);

    await kindCase.disturb(place);
    expect(await diffResource(newProcess(), kind, properties, inputs)).toMatchObject({ hasChanges: true });
    expect((await readResource(newProcess(), kind, properties))?.inputs).not.toMatchObject(given);
    const updated = await updateResource(newProcess(), kind, id, properties, inputs);
    expect(place.writes()).toHaveLength(created + 1);

    expect(await diffResource(newProcess(), kind, updated, inputs)).toMatchObject({ hasChanges: false });
    await deleteResource(newProcess(), kind, updated);
    expect(place.writes()).toHaveLength(created + 1 + (kindCase.isRemovable ? 1 : 0));
  });
});
