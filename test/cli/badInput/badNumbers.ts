/** What is wrong with counts, floors and limits, and with what is declared of a manager. */
import type { BadCase } from './badCase.ts';

export const badNumbers: readonly BadCase[] = [
  {
    name: 'a zone that declares nothing',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: {}
`,
    says: `
webdata.yaml:4:17: a zone that declares nothing
  at: zoneIpAllocations.static.zones.checkout
  allowed: at least one of ips, count and keepAtLeast
  fix: add \`ips\` or \`count\`, or remove the zone; \`ips: []\` with \`count: 0\` empties it
`,
  },
  {
    name: 'a zone without a value',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout:
`,
    says: `
webdata.yaml:4:7: \`checkout\` is nothing (null)
  at: zoneIpAllocations.static.zones.checkout
  allowed: a map
  fix: give it a value, or remove the line
`,
  },
  {
    name: 'a count below what is listed',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11], count: 1 }
`,
    says: `
webdata.yaml:4:57: count 1, with 2 IPs listed
  at: zoneIpAllocations.static.zones.checkout.count
  allowed: a count of 2 or more: it includes the listed IPs
`,
  },
  {
    name: 'a floor above the count',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2, keepAtLeast: 3 }
`,
    says: `
webdata.yaml:4:42: keepAtLeast 3, above the count 2
  at: zoneIpAllocations.static.zones.checkout.keepAtLeast
  allowed: at most 2
`,
  },
  {
    name: 'a negative count',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: -1 }
`,
    says: `
webdata.yaml:4:26: \`count\` is a number -1
  at: zoneIpAllocations.static.zones.checkout.count
  allowed: an integer of at least 0, or a map from name to integer of at least 0
`,
  },
  {
    name: 'a count of no country',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: { usa: 1 } }
`,
    says: `
webdata.yaml:4:28: \`usa\` is not a country code
  at: zoneIpAllocations.static.zones.checkout.count.usa
  allowed: a country code of two letters
`,
  },
  {
    name: 'a count of a country by its name, and of no country',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: { Germany: 1, Europe: 2 } }
`,
    says: `
webdata.yaml:4:28: \`Germany\` is not a country code
  at: zoneIpAllocations.static.zones.checkout.count.Germany
  allowed: a country code of two letters
webdata.yaml:4:40: \`Europe\` is not a country code
  at: zoneIpAllocations.static.zones.checkout.count.Europe
  allowed: a country code of two letters
`,
  },
  {
    name: 'a count in words',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: many }
`,
    says: `
webdata.yaml:4:26: \`count\` is a string "many"
  at: zoneIpAllocations.static.zones.checkout.count
  allowed: an integer of at least 0, or a map from name to integer of at least 0
`,
  },
  {
    name: 'a count in quotes',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: "42" }
`,
    says: `
webdata.yaml:4:26: \`count\` is a string "42"
  at: zoneIpAllocations.static.zones.checkout.count
  allowed: an integer of at least 0, or a map from name to integer of at least 0
  fix: remove the quotes: 42
`,
  },
  {
    name: 'maxMoves above 100%',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2 }
    maxMoves: 101%
`,
    says: `
webdata.yaml:5:15: \`maxMoves\` is a string "101%"
  at: zoneIpAllocations.static.maxMoves
  allowed: an integer of at least 0, or a share such as "20%"
`,
  },
  {
    name: 'maxMoves below 0',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2 }
    maxMoves: -1
`,
    says: `
webdata.yaml:5:15: \`maxMoves\` is a number -1
  at: zoneIpAllocations.static.maxMoves
  allowed: an integer of at least 0, or a share such as "20%"
`,
  },
  {
    name: 'half a move',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2 }
    maxMoves: 1.5
`,
    says: `
webdata.yaml:5:15: \`maxMoves\` is a number 1.5
  at: zoneIpAllocations.static.maxMoves
  allowed: an integer of at least 0, or a share such as "20%"
`,
  },
  {
    name: 'logs below 0',
    yaml: `
managerSettings:
  local: { logs: -1 }
`,
    says: `
webdata.yaml:2:18: \`logs\` is a number -1
  at: managerSettings.local.logs
  allowed: an integer of at least 0
`,
  },
  {
    name: 'logs as text',
    yaml: `
managerSettings:
  local: { logs: "1000" }
`,
    says: `
webdata.yaml:2:18: \`logs\` is a string "1000"
  at: managerSettings.local.logs
  allowed: an integer of at least 0
  fix: remove the quotes: 1000
`,
  },
  {
    name: 'ports that are none',
    yaml: `
managerSettings:
  local: { absentPorts: [0, 65536, "24010"] }
`,
    says: `
webdata.yaml:2:26: \`absentPorts[0]\` is a number 0
  at: managerSettings.local.absentPorts[0]
  allowed: an integer from 1 to 65535
webdata.yaml:2:29: \`absentPorts[1]\` is a number 65536
  at: managerSettings.local.absentPorts[1]
  allowed: an integer from 1 to 65535
webdata.yaml:2:36: \`absentPorts[2]\` is a string "24010"
  at: managerSettings.local.absentPorts[2]
  allowed: an integer from 1 to 65535
  fix: remove the quotes: 24010
`,
  },
  {
    name: 'entries that are no networks',
    yaml: `
managerSettings:
  local:
    whitelistIps: [10.0.0.0/33, localhost]
    wwwWhitelistIps: [10.0.0]
`,
    says: `
webdata.yaml:3:20: 10.0.0.0/33, neither an address nor a network
  at: managerSettings.local.whitelistIps[0]
  allowed: an address such as 10.0.0.5, or a network such as 10.0.0.0/8
webdata.yaml:3:33: localhost, neither an address nor a network
  at: managerSettings.local.whitelistIps[1]
  allowed: an address such as 10.0.0.5, or a network such as 10.0.0.0/8
webdata.yaml:4:23: 10.0.0, neither an address nor a network
  at: managerSettings.local.wwwWhitelistIps[0]
  allowed: an address such as 10.0.0.5, or a network such as 10.0.0.0/8
`,
  },
  {
    name: 'a field to be ignored that there is not',
    yaml: `
managerSettings:
  local: { logs: 1, ignoreChanges: [log] }
`,
    says: `
webdata.yaml:2:37: \`ignoreChanges[0]\` is a string "log"
  at: managerSettings.local.ignoreChanges[0]
  allowed: zone, wwwWhitelistIps, whitelistIps, logs, requestStats or absentPorts
  fix: did you mean \`logs\`?
`,
  },
  {
    name: 'a manager without a scheme',
    yaml: `
managerSettings:
  local: { url: 127.0.0.1:22999 }
`,
    says: `
webdata.yaml:2:17: \`url\` is a string "127.0.0.1:22999"
  at: managerSettings.local.url
  allowed: a URL
`,
  },
  {
    name: 'two entries for one manager',
    yaml: `
managerSettings:
  one: { url: "http://127.0.0.1:22999", logs: 1 }
  two: { url: "http://localhost:22999/", logs: 2 }
`,
    says: `
webdata.yaml:3:8: the manager at localhost:22999 is declared twice
  at: managerSettings.two
  allowed: one entry for each manager
  also: webdata.yaml:2:8 is the other one
`,
  },
  {
    name: 'two entries for one manager, one of them by default',
    yaml: `
manager: { url: "http://127.0.0.1:22999" }
managerSettings:
  one: { url: "http://127.0.0.1:22999", logs: 1 }
  two: { logs: 2 }
`,
    says: `
webdata.yaml:4:8: the manager at 127.0.0.1:22999 is declared twice
  at: managerSettings.two
  allowed: one entry for each manager
  also: webdata.yaml:3:8 is the other one
`,
  },
];
