/** What is wrong with a file as YAML, with its keys, and with its variables. */
import type { BadCase } from './badCase.ts';

export const badYaml: readonly BadCase[] = [
  {
    name: 'a bracket that is never closed',
    yaml: `
zoneIpAllocations:
  static:
    zones: { checkout: { ips: [192.0.2.10 }
`,
    says: `
webdata.yaml:3:31: \`[\` is never closed
  fix: close it with \`]\`, and indent its lines more than the key that it belongs to
`,
  },
  {
    name: 'a tab in the indentation',
    yaml: `
managerSettings:
\tlocal: {}
`,
    says: `
webdata.yaml:2:1: the indentation has a tab
  allowed: spaces
  fix: replace the tab by spaces
`,
  },
  {
    name: 'a key that stands twice',
    yaml: `
name: acme
name: other
`,
    says: `
webdata.yaml:2:1: the key \`name\` appears twice in one map
  fix: remove one of them, or merge their values
  also: webdata.yaml:1:1 first \`name\`
`,
  },
  {
    name: 'a list where a map is due',
    yaml: `
zoneIpAllocations: [static]
`,
    says: `
webdata.yaml:1:20: \`zoneIpAllocations\` is a list
  allowed: a map from name to map
  fix: write \`name: value\` lines, without \`- \`
`,
  },
  {
    name: 'an unknown key at the top',
    yaml: `
zoneIpAlocations: {}
`,
    says: `
webdata.yaml:1:1: unknown key \`zoneIpAlocations\`
  allowed: name, account, backend, include, service, manager, triggers, prices, exceptions, zoneIpAllocations, managerSettings, webhookDeliveries or collectorSchedules
  fix: did you mean \`zoneIpAllocations\`?
`,
  },
  {
    name: 'an unknown key of an allocation',
    yaml: `
zoneIpAllocations:
  static:
    zones: { checkout: { count: 1 } }
    spares: parked
`,
    says: `
webdata.yaml:4:5: unknown key \`spares\` in \`static\`
  at: zoneIpAllocations.static.spares
  allowed: zones, sources, spare, unmanaged, protect, maxMoves, onDelete or ignoreChanges
  fix: did you mean \`spare\`?
`,
  },
  {
    name: 'a key in the singular, of two letters',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ip: [192.0.2.10] }
`,
    says: `
webdata.yaml:4:19: unknown key \`ip\` in \`checkout\`
  at: zoneIpAllocations.static.zones.checkout.ip
  allowed: ips, count or keepAtLeast
  fix: did you mean \`ips\`?
`,
  },
  {
    name: 'an unknown key of a zone, in another spelling',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 1, keep_at_least: 1 }
`,
    says: `
webdata.yaml:4:29: unknown key \`keep_at_least\` in \`checkout\`
  at: zoneIpAllocations.static.zones.checkout.keep_at_least
  allowed: ips, count or keepAtLeast
  fix: did you mean \`keepAtLeast\`?
`,
  },
  {
    name: 'an unknown key of a manager',
    yaml: `
managerSettings:
  local: { whitelistIp: [10.0.0.1] }
`,
    says: `
webdata.yaml:2:12: unknown key \`whitelistIp\` in \`local\`
  at: managerSettings.local.whitelistIp
  allowed: url, zone, wwwWhitelistIps, whitelistIps, logs, requestStats, absentPorts or ignoreChanges
  fix: did you mean \`whitelistIps\`?
`,
  },
  {
    name: 'an unknown key of the profile',
    yaml: `
service:
  profile: { settleSecs: 3 }
`,
    says: `
webdata.yaml:2:14: unknown key \`settleSecs\` in \`profile\`
  at: service.profile.settleSecs
  allowed: geolocation, perCountrySwitch, accountRoutes, accountId, resellerPath, settleSeconds, migrateBatchLimit, tagHeader, collectors, datasets, searchEngineUrl, parsedSwitch, proxyUserPrefix or manager
  fix: did you mean \`settleSeconds\`?
`,
  },
  {
    name: 'a name with a space',
    yaml: `
managerSettings:
  "my manager": { logs: 1 }
`,
    says: `
webdata.yaml:2:3: \`my manager\` cannot be a name here
  at: managerSettings["my manager"]
  allowed: a name of letters, digits, ".", "_" and "-"
`,
  },
  {
    name: 'a batch limit of nothing',
    yaml: `
service: { profile: { migrateBatchLimit: 0 } }
`,
    says: `
webdata.yaml:1:42: \`migrateBatchLimit\` is a number 0
  at: service.profile.migrateBatchLimit
  allowed: an integer of at least 1
`,
  },
  {
    name: 'a variable that is not set',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: ["\${CHECKOUT_IP}"] }
`,
    says: `
webdata.yaml:4:26: the environment variable \`CHECKOUT_IP\` is not set
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  fix: \`export CHECKOUT_IP=VALUE\`, or write \`$\${CHECKOUT_IP}\` for the literal text
`,
  },
  {
    name: 'a variable without quotes in a map of one line, of which the errors of the later lines come',
    yaml: `
service: { url: \${WEBDATA_API_URL} }
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.1] } } }
`,
    says: `
webdata.yaml:1:17: \`\${WEBDATA_API_URL}\` is inside [ ] or { } without quotes, so that YAML reads its { as the start of a map
  fix: put text in quotes: "\${WEBDATA_API_URL}"; give a number, true or false a line of its own: NAME: \${WEBDATA_API_URL}
`,
  },
  {
    name: 'a key in the singular, which belongs elsewhere too',
    yaml: `
zoneIpAllocations:
  static: { zone: { checkout: { count: { us: 1 } } } }
`,
    says: `
webdata.yaml:2:13: unknown key \`zone\` in \`static\`
  at: zoneIpAllocations.static.zone
  allowed: zones, sources, spare, unmanaged, protect, maxMoves, onDelete or ignoreChanges
  fix: did you mean \`zones\`?
`,
  },
  {
    name: 'a variable that is not set, and one that nearly has its name',
    yaml: `
service: { apiKey: "\${WEBDATA_API_KEYS}" }
`,
    says: `
webdata.yaml:1:21: the environment variable \`WEBDATA_API_KEYS\` is not set
  at: service.apiKey
  fix: did you mean \`WEBDATA_API_KEY\`? If not: \`export WEBDATA_API_KEYS=VALUE\`, or write \`$\${WEBDATA_API_KEYS}\` for the literal text
`,
  },
  {
    name: 'a documented variable that is not set, which is never a typing error',
    env: { WEBDATA_MANAGER_URL: undefined },
    yaml: `
manager: { url: "\${WEBDATA_MANAGER_URL}" }
`,
    says: `
webdata.yaml:1:18: the environment variable \`WEBDATA_MANAGER_URL\` is not set
  at: manager.url
  fix: \`export WEBDATA_MANAGER_URL=http://127.0.0.1:22999\`, or write \`$\${WEBDATA_MANAGER_URL}\` for the literal text
`,
  },
  {
    name: 'a variable that is empty',
    env: { CHECKOUT_IP: '', CHECKOUT_IPS: '192.0.2.10' },
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: ["\${CHECKOUT_IP}"] }
`,
    says: `
webdata.yaml:4:26: the environment variable \`CHECKOUT_IP\` is empty
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  fix: \`export CHECKOUT_IP=VALUE\`, or write \`$\${CHECKOUT_IP}\` for the literal text
`,
  },
  {
    name: 'a variable that holds something else, which is not shown',
    env: { CHECKOUT_IP: 'hush-hush' },
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: ["\${CHECKOUT_IP}"] }
`,
    says: `
webdata.yaml:4:25: \${CHECKOUT_IP}, not an address
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  allowed: one IPv4 address, such as 192.0.2.10
`,
  },
  {
    name: 'no file',
    says: `
webdata.yaml can't be read: the file does not exist
  fix: name the file with -f FILE, go to the folder that holds webdata.yaml, or make one with \`webdata init\`
`,
  },
  {
    name: 'a file that is not there',
    args: ['validate', '-f', 'prod.yaml'],
    says: `
prod.yaml can't be read: the file does not exist
  fix: name the file with -f FILE, go to the folder that holds webdata.yaml, or make one with \`webdata init\`
`,
  },
  {
    name: 'a folder without declarations',
    args: ['validate', '-f', '.'],
    says: `
the folder . has no declaration
  allowed: files that end with .yaml or .yml
  fix: name another folder or a file with -f
`,
  },
];
