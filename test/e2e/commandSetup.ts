/** What the cases of commands stand on: the account, the declaration, what comes before, and texts that many of them end with. */
import type { AccountInput } from '../../src/emulator/index.ts';
import { accountWith, type Harness, serviceYaml } from '../cli/harness.ts';
import { searchPages } from '../searchPages.ts';

export interface CommandCase {
  line: string;
  code: 0 | 1 | 2;
  /** The whole text, in which `{api}` and `{manager}` are URLs; or what it has to match. */
  stdout: string | RegExp;
  stderr: string | RegExp;
  /** With a key that the service does not know, and a token that the manager does not. */
  refused?: true;
  /** What comes before; returns what is added to the line. */
  prepare?(harness: Harness): Promise<readonly string[]>;
}

export async function accountOfCases(): Promise<AccountInput> {
  const account = await accountWith('plain', ({ manager }) => {
    manager.token = managerToken;
  });
  return {
    ...account,
    zones: { ...account.zones, results: { type: 'search', ips: {} } },
    pages: { ...account.pages, ...searchPages('coffee') },
    collectors: { c_prices: { row: { title: 'Item {n}' } }, c_slow: { seconds: 3600 } },
    datasets: { gd_companies: { row: { name: 'Company {n}' } }, gd_slow: { seconds: 3600 } },
  };
}

export const managerToken = 'manager-token-1';

export const declaration = `${serviceYaml('plain')}    searchEngineUrl: https://search.example.com
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }
`;

export const selected = '--select ZoneIpAllocation/static';
export const move = 'zones migrate --from pricing --to checkout --yes 192.0.2.10';
export const input = '--input url=https://shop.example.com/1';

/** Calls that stand for themselves are refused with the whole of the answer. */
export const unknownKey = (request: string) =>
  new RegExp(
    `^${escaped(request)} was answered 401: Authentication failed: the API key is not valid\n {2}fix: Use a valid`,
  );
export const unknownToken = (request: string) =>
  `${request} was answered 401: Authentication required: the manager requires its own bearer token\n  fix: Set the manager's token; this one may be wrong or missing.\n`;
export const unknownZone = (request: string) =>
  `${request} was answered 404: Zone not found: nowhere\n  fix: Check the URL and the names in the request.\n`;

/** The output of a plan that could not be made. */
export const planRefused = (title: string) =>
  new RegExp(
    `^zoneIpAllocations\\.static\n[\\s\\S]*was answered 401: [\\s\\S]*WEBDATA_API_KEY[\\s\\S]*\n${title}: 1 problem ${title === 'Drift' ? 'prevents a full check' : 'blocks this plan'}\\.\n$`,
  );

export const mistyped = (words: string) =>
  new RegExp(`^error: ${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\n\\(see webdata [\\w -]*--help\\)\\n$`);
export const notAChoice = (option: string, value: string, choices: string) =>
  mistyped(`${option} '${value}' is invalid. Allowed choices are ${choices}.`);

export const good = { code: 0, stderr: '' } as const;
export const bad = { code: 1, stdout: '' } as const;
export const refused = { code: 1, stdout: '', refused: true } as const;

export async function afterMove({ webdata }: Harness): Promise<readonly string[]> {
  const { code } = await webdata(...move.split(' '));
  if (code !== 0) throw new Error('the move that comes before failed');
  return [];
}

export async function afterTrigger({ webdata }: Harness): Promise<readonly string[]> {
  const { stdout } = await webdata('collect', '--dataset', 'gd_companies', ...input.split(' '), '--no-wait');
  return [stdout.trim()];
}

/** For a regular expression, but for the braces of what is put in later. */
function escaped(text: string): string {
  return text.replaceAll(/[.?*+]/g, '\\$&');
}
