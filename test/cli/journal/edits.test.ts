/** A journal that was edited by hand: its run is not undone, and nothing is waited for without end. */
import { describe, expect, it } from 'vitest';
import { type Harness, openDeclared, writesOf } from '../harness.ts';

const declaration =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
const journal = '.webdata/journal.jsonl';

async function openEdited(edit: (lines: string[]) => string[]): Promise<Harness> {
  const harness = await openDeclared('plain', declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  const lines = (await harness.read(journal)).split('\n');
  await harness.write(journal, edit(lines).join('\n'));
  return harness;
}

describe('a journal', () => {
  it.each([
    [
      'a call of no kind',
      '"type":"migrate"',
      '"type":"move"',
      /run [\da-f]{8} is damaged .*: line 2 was edited, or written by a newer version: at call/,
    ],
    [
      'a time that is none',
      /"at":"[^"]*"/,
      '"at":"soon"',
      /run [\da-f]{8} is damaged .*: line 2 was edited, or written by a newer version: at at: /,
    ],
  ])('with %s is refused by undo, and nothing is called', async (_what, from, to, says) => {
    await using harness = await openEdited((lines) =>
      lines.map((line) => (line.includes('"sending"') ? line.replace(from, to) : line)),
    );
    const { code, stderr } = await harness.webdata('undo', '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('whose last call was sent tomorrow, by a clock that was set back since, keeps no one waiting', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const isOutcome = /"type":"(answered|seen|end)"/;
    await using harness = await openEdited((lines) =>
      lines.filter((line) => !isOutcome.test(line)).map((line) => line.replace(/"at":"[^"]*"/, `"at":"${tomorrow}"`)),
    );
    harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await harness.webdata('plan')).toMatchObject({ code: 0 });
  });
});
