/** Every kind as a resource of Terraform and OpenTofu, through the calls of the plugin protocol, in this process. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addStored, storedOf } from '../../providers/core/stored/table.ts';
import { toWireObject } from '../../providers/terraform/attributes.ts';
import { resourceTypes } from '../../providers/terraform/resources.ts';
import { addKind } from '../../src/kinds/knownKinds.ts';
import { openClient, type PlannedEntry, type StateEntry } from '../providers/terraform/client.ts';
import { token } from '../triggers/serving.ts';
import { type ConformancePlace, type KindCase, kindCases, openConformancePlace } from './cases.ts';
import { banner, storedBanner } from './sampleKind/kind.ts';

let place: ConformancePlace;
const removeKind = addKind(banner);
const removeStored = addStored(banner, storedBanner);
beforeAll(async () => {
  place = await openConformancePlace();
});
beforeEach(() => place.reset());
afterAll(async () => {
  removeStored();
  removeKind();
  await place[Symbol.asyncDispose]();
});

function typeOf({ kind }: KindCase) {
  const found = resourceTypes().find((each) => each.kind === kind);
  if (found === undefined) throw new TypeError(`${kind.name} is no type of resource`);
  return found;
}

/** OpenTofu starts a process of the provider for each plan and apply. */
function newProcess(kindCase: KindCase) {
  return openClient(typeOf(kindCase).name, {
    url: place.env.WEBDATA_API_URL,
    apiKey: place.emulator.keys.ops,
    managerUrl: place.env.WEBDATA_MANAGER_URL,
    triggersUrl: place.env.WEBDATA_TRIGGERS_URL,
    triggersToken: token,
    profile: { settleSeconds: 1 },
  });
}

describe.each(kindCases.map((each) => [each.kind.name, each] as const))('%s', (_, kindCase) => {
  const configOf = (spec: object) => toWireObject(typeOf(kindCase).attributes, { ...spec, ...kindCase.identity });
  const planned = async (prior: StateEntry, config = configOf(kindCase.spec(place))) =>
    (await newProcess(kindCase)).plan(prior, config);
  /** Plans in one process and applies in another, as OpenTofu does with a saved plan. */
  const applied = async (prior: StateEntry | null, config: ReturnType<typeof configOf> | null) => {
    const plan: PlannedEntry = await (await newProcess(kindCase)).plan(prior, config);
    return (await newProcess(kindCase)).apply(prior, plan, config);
  };

  it('is validated, planned, created, read, repaired, imported and destroyed', async () => {
    const config = configOf(kindCase.spec(place));
    await (await newProcess(kindCase)).validate(config);
    expect(place.writes()).toEqual([]);
    const created = (await applied(null, config)) as StateEntry;
    const writes = place.writes().length;
    expect(writes).toBeGreaterThan(0);

    expect(await planned(created)).toMatchObject({ hasChanges: false, replaces: [] });
    const refreshed = (await (await newProcess(kindCase)).read(created)) as StateEntry;
    expect(await planned(refreshed)).toMatchObject({ hasChanges: false });
    if (storedOf(kindCase.kind).importTarget !== undefined) {
      const imported = await (await newProcess(kindCase)).import(String(created.wire.id));
      expect(await planned(imported, imported.wire)).toMatchObject({ hasChanges: false });
    }
    expect(place.writes()).toHaveLength(writes);

    await kindCase.disturb(place);
    expect(await planned(refreshed)).toMatchObject({ hasChanges: true });
    const drifted = (await (await newProcess(kindCase)).read(created)) as StateEntry;
    expect(drifted.wire).not.toEqual(created.wire);
    const repaired = (await applied(drifted, config)) as StateEntry;
    expect(place.writes()).toHaveLength(writes + 1);

    expect(await planned(repaired)).toMatchObject({ hasChanges: false });
    expect(await applied(repaired, null)).toBeNull();
    expect(place.writes()).toHaveLength(writes + 1 + (kindCase.isRemovable ? 1 : 0));
  });
});
