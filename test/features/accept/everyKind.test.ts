import './sampleKind.ts';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { addKind, kinds } from '../../../src/kinds/knownKinds.ts';
import { kindCases, openConformancePlace } from '../../kinds/cases.ts';

it.each(
  kindCases.map((kindCase) => [kindCase.kind.name, kindCase] as const),
)('%s is declared as it is live, which sends nothing and leaves no drift', async (_, { kind, spec, disturb }) => {
  const remove = kinds.includes(kind) ? undefined : addKind(kind);
  try {
    await using place = await openConformancePlace();
    await place.declare(stringify({ [kind.collection]: { it: spec(place) } }));
    expect(await place.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await disturb(place);
    await place.write('webdata.yaml', `# kept\n${await place.read('webdata.yaml')}`);
    const sent = place.writes();
    const { code, stderr } = await place.webdata('drift', '--accept', `${kind.name}/it`, '--yes');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('No drift is left.') });
    expect(stderr).toContain('+++ b/webdata.yaml');
    expect(await place.webdata('drift')).toMatchObject({ code: 0 });
    expect(await place.read('webdata.yaml')).toMatch(/^# kept\n/);
    expect(place.writes()).toEqual(sent);
  } finally {
    remove?.();
  }
});
