import { describe, expect, it } from 'vitest';
import { tableText } from '../../../src/cli/output/tableText.ts';
import { type AccountName, accounts, openHarness, serviceYaml } from '../harness.ts';
import { onTerminal } from '../onTerminal.ts';

const plain = { width: 60 };

describe('a table', () => {
  it('aligns numbers on the right, leaves out empty columns, and breaks lines in the last one only', () => {
    const rows = [
      {
        id: 'r_1',
        rows: 50_000,
        endedAt: null,
        reason: 'the service answered 500 three times, and no run was started',
      },
      { id: 'r_22', rows: 3, endedAt: null, reason: '' },
    ];
    expect(tableText(['id', 'rows', 'endedAt', 'reason'], rows, plain)).toMatchInlineSnapshot(`
      "ID      ROWS  REASON
      r_1   50,000  the service answered 500 three times, and no
                    run was started
      r_22       3  –
      "
    `);
  });

  it('shows columns that do not fit below their row, and breaks those lines', () => {
    const rows = [
      {
        id: 'r_0123456789abcdef0123',
        state: 'finished',
        tickAt: '2026-07-01T10:00:00.000Z',
        collectionId: 'j_1',
        rows: 9,
        late: false,
      },
      {
        id: 'r_4567',
        state: 'failed',
        tickAt: '2026-07-01T09:00:00.000Z',
        late: true,
        reason: 'the service answered 500 three times',
      },
      { id: 'r_89', state: 'waiting', tickAt: '2026-07-01T11:00:00.000Z' },
    ];
    const columns = ['id', 'state', 'tickAt', 'collectionId', 'rows', 'late', 'reason'];
    const text = tableText(columns, rows, plain);
    expect(text).toMatchInlineSnapshot(`
      "ID                      STATE     TICK AT
      r_0123456789abcdef0123  finished  2026-07-01T10:00:00.000Z
          collection id: j_1, rows: 9, late: no
      r_4567                  failed    2026-07-01T09:00:00.000Z
          late: yes, reason: the service answered 500 three times
      r_89                    waiting   2026-07-01T11:00:00.000Z
      "
    `);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(tableText(columns, rows, { width: 160 }).split('\n')[0]).toMatch(
      /^ID .* COLLECTION ID {2}ROWS {2}LATE {2}REASON$/,
    );
    // The first column is shown, however narrow the terminal is.
    expect(tableText(['id', 'rows'], [{ id: 'x'.repeat(50), rows: 1 }], plain).split('\n')[0]).toMatch(/^ID +ROWS$/);
    expect(tableText(['id', 'rows'], [{ id: 'x'.repeat(59), rows: 1 }], plain)).toBe(
      `ID\n${'x'.repeat(59)}\n    rows: 1\n`,
    );
  });

  it('holds more rows than a function takes arguments', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => ({ ip: `ip-${index}`, count: index }));
    expect(tableText(['ip', 'count'], rows, plain).split('\n')).toHaveLength(200_002);
  });

  it('has one word for an empty list', () => {
    expect(tableText(['id'], [], plain)).toBe('None.\n');
  });

  it('escapes what would control the terminal', () => {
    expect(tableText(['zone'], [{ zone: 'a\u001b[2J\nb' }], plain)).toBe('ZONE\na\\u{1b}[2J\\nb\n');
  });
});

/** Returns what a command shows on a terminal of 80 columns. */
async function shownOf(account: AccountName, command: string): Promise<string> {
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', serviceYaml(account));
  return await onTerminal(harness, 80, command);
}

describe.each(Object.keys(accounts) as AccountName[])('lists on a terminal, on the %s account', (account) => {
  it('are tables, of zones', async () => {
    expect(await shownOf(account, 'zones countries parked')).toBe(
      'COUNTRY  COUNT\nus           2\nde           2\njp           4\n',
    );
  });

  it('show what became of each IP that moved', async () => {
    const moved = await shownOf(account, 'zones migrate --from pricing --to checkout --yes 192.0.2.10');
    expect(moved).toMatch(/IP {10}COUNTRY {2}RESULT\n192\.0\.2\.10 {2}us {7}moved to checkout\n$/);
  });

  it('show the databases only where they disagree', async () => {
    const text = await shownOf(account, 'zones ips pricing');
    expect(text).toMatch(/^IP {13}COUNTRY {2}DATABASES DISAGREE\n/);
    expect(text).toMatch(/\n198\.51\.100\.7 +us +us, us, ca, us\n/);
  });

  it('are tables, of the settings of a manager', async () => {
    const text = await shownOf(account, 'manager settings');
    expect(text).toMatch(/^FIELD +VALUE\n/);
    expect(text).toMatch(/\nwhitelistIps +10\.0\.0\.0\/8\n/);
  });

  it('are the same in a pipe, and JSON if it is asked for', async () => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', serviceYaml(account));
    const { stdout } = await harness.webdata('zones', 'countries', 'parked', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({ us: 2, de: 2, jp: 4 });
    expect((await harness.webdata('zones', 'countries', 'parked')).stdout).toContain('COUNTRY');
  });
});
