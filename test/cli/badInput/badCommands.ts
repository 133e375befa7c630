/** What is wrong with a command line, or with where it is run: nothing is asked of the service. */
import type { BadCase } from './badCase.ts';

export const badCommands: readonly BadCase[] = [
  {
    name: 'an unknown command',
    args: ['aply'],
    says: `
error: unknown command 'aply'
(Did you mean apply?)
(see webdata --help)
`,
  },
  {
    name: 'an unknown option',
    args: ['plan', '--ouput', 'x'],
    says: `
error: unknown option '--ouput'
(Did you mean --output?)
(see webdata plan --help)
`,
  },
  {
    name: 'an argument too many',
    args: ['plan', 'plan.json'],
    says: `
error: too many arguments for 'plan'. Expected 0 arguments but got 1: plan.json.
(see webdata plan --help)
`,
  },
  {
    name: 'no resource at a time',
    args: ['plan', '--parallelism', '0'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    says: `
error: option '--parallelism <count>' argument '0' is invalid. It must be a whole number, 1 or more.
(see webdata plan --help)
`,
  },
  {
    name: 'moves in words',
    args: ['apply', '--max-moves', 'all'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    says: `
error: option '--max-moves <count>' argument 'all' is invalid. It must be a whole number, 0 or more.
(see webdata apply --help)
`,
  },
  {
    name: 'a token of the trigger service with a line break, as a file of a secret has',
    args: ['triggers', 'serve', '--port', '0'],
    env: { WEBDATA_TRIGGERS_TOKEN: 'token-0123456789abcdef\n' },
    says: `
WEBDATA_TRIGGERS_TOKEN contains a space, a line break or another character that no header can carry
  fix: set it to the output of \`openssl rand -hex 16\`, here and for every client of the trigger service
`,
  },
  {
    name: 'an authorization of the receiver with a line break',
    args: ['receive', '--folder', 'results', '--port', '0', '--authorization-env', 'HOOK'],
    env: { HOOK: 'Bearer canary\n' },
    says: `
--authorization-env: HOOK begins or ends with white space
  allowed: the name of a variable that holds the value of the header
  fix: remove the white space
`,
  },
  ...['--port', '--manager-port', '--proxy-port'].map((option) => ({
    name: `emulator: a ${option} too high`,
    args: ['emulator', '--account', 'account.yaml', option, '70000'],
    says: `
error: option '${option} <port>' argument '70000' is invalid. It must be a port: 0 to 65535.
(see webdata emulator --help)
`,
  })),
  ...[
    ['pause', 'nightly'],
    ['run-now', 'nightly', '--yes'],
  ].map((args) => ({
    name: `triggers ${args[0]} of nobody's schedule`,
    args: ['triggers', ...args],
    says: `
the owner of the schedule is not known
  allowed: --owner NAME, or a declaration with a \`name\` at its top
  fix: pass --owner NAME, or the declaration with -f FILE
`,
  })),
  {
    name: 'an unknown format',
    args: ['plan', '--format', 'yaml'],
    says: `
error: option '--format <format>' argument 'yaml' is invalid. Allowed choices are text, json, markdown, html, junit, github.
(see webdata plan --help)
`,
  },
  {
    name: 'a destroy of everything',
    args: ['destroy', '--yes'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    says: `
error: required option '--select <kind/name>' not specified
(see webdata destroy --help)
`,
  },
  {
    name: 'a selection of nothing',
    args: ['plan', '--select', 'ZoneIpAllocation/statik'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    says: `
--select ZoneIpAllocation/statik matches no declared resource
  allowed: ZoneIpAllocation/static
  fix: did you mean ZoneIpAllocation/static?
`,
  },
  {
    name: 'a selection where nothing is declared',
    args: ['plan', '--select', 'static'],
    yaml: `
`,
    says: `
--select static matches no declared resource
  allowed: KIND/NAME of a declared resource
  fix: name a declared resource as KIND/NAME
`,
  },
  {
    name: 'no API key',
    args: ['plan'],
    env: { WEBDATA_API_KEY: undefined },
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    plan: `
zoneIpAllocations.static
  1 problem, see below

the API key is missing
  fix: set WEBDATA_API_KEY; an admin creates keys in the control panel
  affects: zoneIpAllocations.static

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'no URL of the service',
    args: ['apply', '--yes'],
    env: { WEBDATA_API_URL: undefined },
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    plan: `
zoneIpAllocations.static
  1 problem, see below

the URL of the service is not known
  fix: set service.url in the file, WEBDATA_API_URL, or pass --api-url
  affects: zoneIpAllocations.static

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'no URL of the manager',
    args: ['drift'],
    env: { WEBDATA_MANAGER_URL: undefined },
    yaml: `
managerSettings:
  local: { logs: 8 }
`,
    plan: `
managerSettings.local
  1 problem, see below

the URL of the proxy manager is not known
  fix: set manager.url in the file, or \`url\` of the resource, WEBDATA_MANAGER_URL, or pass --manager-url
  affects: managerSettings.local

Drift: 1 problem prevents a full check.
`,
  },
  {
    name: 'a URL that is none',
    args: ['plan', '--api-url', 'nonsense'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    plan: `
zoneIpAllocations.static
  1 problem, see below

the URL "nonsense" is not an http or https URL
  fix: Write it like https://api.example.com.
  affects: zoneIpAllocations.static

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'a URL with a password in it, which is not shown',
    args: ['plan', '--manager-url', 'http://admin:hush-hush@127.0.0.1:1'],
    yaml: `
managerSettings:
  local: { logs: 8 }
`,
    plan: `
managerSettings.local
  1 problem, see below

the URL "http://***@127.0.0.1:1" contains credentials, a query or a fragment
  fix: Keep only the scheme, host, port and path; credentials have a setting of their own.
  affects: managerSettings.local

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'a pull from nowhere',
    args: ['pull'],
    env: { WEBDATA_API_URL: undefined },
    says: `
the URL of the service is not known
  fix: set service.url in the file, WEBDATA_API_URL, or pass --api-url
`,
  },
  {
    name: 'an undo of nothing',
    args: ['undo', '--yes'],
    yaml: `
`,
    says: `
no run in the journal made a change that can be undone
  allowed: a run that made changes and was not undone yet
  fix: \`webdata history\` lists the runs
`,
  },
  {
    name: 'an undo of an unknown run',
    args: ['undo', 'abcdef', '--yes'],
    yaml: `
`,
    says: `
run \`abcdef\` does not exist in the journal of this service
  allowed: the id of a run, or its first characters
  fix: \`webdata history\` lists the runs
`,
  },
  {
    name: 'an undo of a run whose id is empty',
    args: ['undo', '', '--yes'],
    yaml: `
`,
    says: `
the run id is empty
  allowed: at least the first 4 characters of a run id
  fix: \`webdata history\` lists the runs; leave the id out to undo the last one
`,
  },
  {
    name: 'a plan file that is not there',
    args: ['apply', 'nowhere.json'],
    says: `
nowhere.json is not a plan file: the file does not exist
  allowed: a file that \`webdata plan --output FILE\` wrote
  fix: plan again
`,
  },
];
