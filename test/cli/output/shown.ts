/** What commands show on a terminal: the cases that golden files are kept of, in this process and from the built program. */
import { resolve } from 'node:path';
import { type AccountName, serviceYaml } from '../harness.ts';

export const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11], count: { us: 8, de: 2 } }
      pricing: { count: { us: 3, de: 4 } }
    spare: parked
managerSettings:
  local: { zone: checkout, whitelistIps: [10.0.0.0/8], logs: 500, absentPorts: [24010] }
`;

export const moving =
  'zoneIpAllocations:\n  static:\n    zones:\n      checkout: { ips: [192.0.2.10, 192.0.2.11] }\n    sources: [pricing]\n';

export interface ShownCase {
  name: string;
  /** Starts the names of the golden files. */
  prefix: string;
  commands: readonly string[];
  /** The accounts of which each shows something of its own. */
  accounts: readonly AccountName[];
  fileFor(account: AccountName): string;
  /** Replaces what differs between machines. */
  stable?(text: string): string;
  /** Returns the part of the text that must fit the width. */
  fitting?(text: string): string;
}

export const shownCases: readonly ShownCase[] = [
  {
    name: 'a plan and its drift',
    prefix: '',
    commands: ['plan', 'drift'],
    accounts: ['plain', 'stranger'],
    fileFor: (account) => serviceYaml(account) + declaration,
  },
  {
    name: 'an audit',
    prefix: 'audit-',
    commands: ['audit'],
    accounts: ['odd'],
    fileFor: (account) =>
      `${serviceYaml(account)}  zones: { checkout: { allowedCallers: [203.0.113.205, 203.0.113.96/29] } }\n${declaration}`,
  },
  {
    name: 'a diagnosis',
    prefix: 'doctor-',
    commands: ['doctor'],
    accounts: ['plain', 'stranger'],
    fileFor: (account) => serviceYaml(account) + moving,
    stable: (text) =>
      text
        .replace(/webdata \S+, Node \S+/, 'webdata 1.2.3, Node 24.0.0')
        .replace(/folder \S+\s+does[\s\S]+?creates\s+it/, 'folder (wrapped by the length of its name)'),
    fitting: (text) => text.split('\nService profile')[0] ?? '',
  },
];

/** The width at which golden files are kept. */
export const usualWidth = 80;

/** Returns the path of a golden file. */
export function goldenOf({ prefix }: ShownCase, account: AccountName): string {
  return resolve(`test/cli/output/golden/${prefix}${account}.txt`);
}

export const separator = '\n=====\n\n';
