/** What the cases of commands stand on: the account, the declaration, what comes before, and texts that many of them end with. */
import type { AccountInput } from '../../src/emulator/index.ts';
import { accountWith, type Harness, serviceYaml } from '../cli/harness.ts';
import { searchPages } from '../searchPages.ts';

export interface CommandCase {
  line: string;
  /** 0 by default. */
  code?: 1 | 2;
  /** The whole text, in which `{api}` and `{manager}` are URLs; or what it has to match. */
  stdout: string | RegExp;
  /** Nothing by default. */
  stderr?: string | RegExp;
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

export const triggered = (prefix: string) =>
  new RegExp(`^Triggered (${prefix}_\\w+)\\. To resume: webdata collect --resume \\1\\n$`);

export async function afterMove({ webdata }: Harness): Promise<readonly string[]> {
  const { code } = await webdata(...move.split(' '));
  if (code !== 0) throw new Error('the move that comes before failed');
  return [];
}

export async function afterTrigger({ webdata }: Harness): Promise<readonly string[]> {
  const { stdout } = await webdata('collect', '--dataset', 'gd_companies', ...input.split(' '), '--no-wait');
  return [stdout.trim()];
}
