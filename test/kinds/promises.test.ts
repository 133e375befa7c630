/** Twelve promises that hold for every kind on every front. A new kind gets them from its entry in `cases.ts`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addStored } from '../../providers/core/stored/table.ts';
import { addKind } from '../../src/kinds/knownKinds.ts';
import { type ConformancePlace, kindCases, openConformancePlace } from './cases.ts';
import { type Front, fronts } from './fronts.ts';
import { banner, storedBanner } from './sampleKind/kind.ts';

const removeKind = addKind(banner);
const removeStored = addStored(banner, storedBanner);
let place: ConformancePlace;
beforeAll(async () => {
  place = await openConformancePlace();
});
afterAll(async () => {
  removeStored();
  removeKind();
  await place[Symbol.asyncDispose]();
});

describe.each(Object.entries(fronts))('on %s', (_front, open) => {
  describe.each(kindCases.map((each) => [each.kind.name, each] as const))('%s', (_kind, kindCase) => {
    let front: Front;
    beforeEach(async () => {
      await place.reset();
      front = open(place, kindCase);
    });
    const spec = () => kindCase.spec(place);
    const applied = async (declared = spec()) => {
      expect(await front.plan(declared)).not.toHaveProperty('refused');
      expect(await front.apply()).not.toHaveProperty('refused');
    };

    it('sends what is planned, and then has no changes', async () => {
      expect(await front.plan(spec())).toMatchObject({ hasChanges: true });
      expect(place.writes()).toEqual([]);
      expect(await front.apply()).not.toHaveProperty('refused');
      const sent = place.writes();
      expect(sent).toHaveLength(1);
      expect(await front.plan(spec())).toEqual({ hasChanges: false });
      await front.apply();
      expect(place.writes()).toEqual(sent);
    });

    it('sees what something else has changed, and corrects it', async () => {
      await applied();
      expect(await front.hasDrifted()).toBe(false);
      await kindCase.disturb(place);
      const sent = place.writes().length;
      expect(await front.hasDrifted()).toBe(true);
      expect(place.writes()).toHaveLength(sent);
      await applied();
      expect(place.writes()).toHaveLength(sent + 1);
      expect(await front.hasDrifted()).toBe(false);
    });

    it('is undone by its run', async () => {
      await applied();
      await place.declare('');
      const { runs } = JSON.parse((await place.webdata('history', '--format', 'json')).stdout);
      const undone = await place.webdata('undo', runs[0].id, '--yes');
      expect(undone).toMatchObject({ code: 0, stderr: '' });
      await front.forget();
      expect(await front.plan(spec())).toMatchObject({ hasChanges: true });
    });

    it('sends a call whose answer was lost only once', async () => {
      await front.plan(spec());
      place.loseNextAnswer();
      await front.apply();
      await applied();
      expect(place.writes()).toHaveLength(1);
      expect(await front.plan(spec())).toEqual({ hasChanges: false });
    });

    promised(kindCase.guarded)(
      'is refused by a guard, before an apply and in it',
      async ({ refusedSpec, spec: guarded, violate, reason }) => {
        expect((await front.plan(refusedSpec)).refused).toMatch(reason);
        expect(await front.plan(guarded)).toMatchObject({ hasChanges: true });
        await violate(place);
        expect(await front.apply()).toHaveProperty('refused');
        expect(place.writes()).toEqual([]);
      },
    );

    it('is removed, if it can be', async () => {
      await applied();
      expect(await front.remove()).not.toHaveProperty('refused');
      expect(place.writes()).toHaveLength(kindCase.isRemovable ? 2 : 1);
    });

    promised(kindCase.guarded)('is not removed where a guard refuses it', async ({ keptSpec, reason }) => {
      await applied(keptSpec);
      const sent = place.writes();
      expect((await front.remove()).refused).toMatch(reason);
      expect(place.writes()).toEqual(sent);
    });

    it('adopts what exists', async () => {
      await applied();
      const sent = place.writes();
      await front.forget();
      await applied();
      expect(place.writes()).toEqual(sent);
      expect(await front.plan(spec())).toEqual({ hasChanges: false });
    });

    promised(kindCase.ignored)('leaves the live value of an ignored field', async (field) => {
      await applied();
      await kindCase.disturb(place);
      const sent = place.writes();
      await front.plan(kindCase.changed(place), field);
      expect(await front.apply()).not.toHaveProperty('refused');
      expect(place.writes()).toEqual(sent);
    });

    promised(kindCase.secret)('shows no secret', async ({ spec: secretSpec, canary }) => {
      await applied(secretSpec);
      await kindCase.disturb(place);
      await front.hasDrifted();
      await applied(secretSpec);
      await front.remove();
      expect(front.texts()).not.toContain(canary);
      expect(await place.read('.webdata/journal.jsonl')).not.toContain(canary);
    });

    promised(kindCase.inTwoCalls)('goes on from what was done where its second call failed', async (inTwoCalls) => {
      await front.plan(inTwoCalls);
      place.refuseWrite(2);
      expect(await front.apply()).toHaveProperty('refused');
      await applied(inTwoCalls);
      const sent = place.writes();
      expect(sent).toHaveLength(3);
      expect(new Set(sent).size).toBe(2);
      expect(await front.plan(inTwoCalls)).toEqual({ hasChanges: false });
    });
  });
});

/** Defines a test if the case of a kind has what it is about: a kind without a guard, for example, has no promise about one. */
function promised<Subject>(subject: Subject | undefined) {
  return (name: string, test: (subject: Subject) => Promise<void>) => {
    if (subject !== undefined) it(name, () => test(subject));
  };
}
