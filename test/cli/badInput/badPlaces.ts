/** What is wrong with where an allocation says that IPs are: zones, spare, sources, addresses. */
import type { BadCase } from './badCase.ts';

export const badPlaces: readonly BadCase[] = [
  {
    name: 'an IP twice in one zone',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.10] }
`,
    says: `
webdata.yaml:4:37: 192.0.2.10 is declared twice
  at: zoneIpAllocations.static.zones.checkout.ips[1]
  allowed: each IP in one place, because it can be in only one zone
  also: webdata.yaml:4:25 is the first declaration
`,
  },
  {
    name: 'an IP in two zones',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10] }
      pricing:
        ips:
          - 192.0.2.10
`,
    says: `
webdata.yaml:7:13: 192.0.2.10 is declared twice
  at: zoneIpAllocations.static.zones.pricing.ips[0]
  allowed: each IP in one place, because it can be in only one zone
  also: webdata.yaml:4:25 is the first declaration
`,
  },
  {
    name: 'an IP in two allocations',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10] }
  other:
    zones:
      pricing: { ips: [192.0.2.10] }
`,
    says: `
webdata.yaml:7:24: 192.0.2.10 is declared twice
  at: zoneIpAllocations.other.zones.pricing.ips[0]
  allowed: each IP in one place, because it can be in only one zone
  also: webdata.yaml:4:25 is the first declaration
`,
  },
  {
    name: 'a zone in two allocations',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 1 }
  other:
    zones:
      checkout: { count: 2 }
`,
    says: `
webdata.yaml:7:17: checkout is filled by two allocations
  at: zoneIpAllocations.other.zones.checkout
  allowed: a zone in the \`zones\` of one allocation at most
  also: webdata.yaml:4:17 is the other one
`,
  },
  {
    name: 'a spare that is filled',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 1 }
      parked: { count: 1 }
    spare: parked
`,
    says: `
webdata.yaml:6:12: parked is the spare and is also filled
  at: zoneIpAllocations.static.spare
  allowed: a zone that is not in \`zones\`
  also: webdata.yaml:5:15 is filled here
`,
  },
  {
    name: 'a source that is filled',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 1 }
    sources: [old-pricing, checkout]
`,
    says: `
webdata.yaml:5:28: checkout is a source and is also filled
  at: zoneIpAllocations.static.sources[1]
  allowed: a zone that is not in \`zones\`
  also: webdata.yaml:4:17 is filled here
`,
  },
  {
    name: 'a spare that is a source',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 1 }
    sources: [parked]
    spare: parked
`,
    says: `
webdata.yaml:5:15: parked is a source and is also the spare
  at: zoneIpAllocations.static.sources[0]
  allowed: zones other than the spare
`,
  },
  {
    name: 'a spare that another allocation fills',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 1 }
    spare: pricing
  other:
    zones:
      pricing: { count: 2 }
`,
    says: `
webdata.yaml:5:12: pricing is filled by another allocation
  at: zoneIpAllocations.static.spare
  allowed: a zone that no allocation fills
  also: webdata.yaml:8:16 is filled here
`,
  },
  {
    name: 'an IPv6 address',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: ["2001:db8::1"] }
`,
    says: `
webdata.yaml:4:25: 2001:db8::1, an IPv6 address
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  allowed: one IPv4 address, such as 192.0.2.10
`,
  },
  {
    name: 'a network with a host part',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.5/24] }
`,
    says: `
webdata.yaml:4:25: 192.0.2.5/24 is an address within a network
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  allowed: the network, 192.0.2.0/24, or the address alone
`,
  },
  {
    name: 'no address, and a zone that is to be protected',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.300, 192.0.2] }
    protect: [checkout]
`,
    says: `
webdata.yaml:4:25: 192.0.2.300, not an address
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  allowed: one IPv4 address, such as 192.0.2.10
webdata.yaml:4:38: 192.0.2, not an address
  at: zoneIpAllocations.static.zones.checkout.ips[1]
  allowed: one IPv4 address, such as 192.0.2.10
webdata.yaml:5:15: checkout, not an address
  at: zoneIpAllocations.static.protect[0]
  allowed: one IPv4 address, such as 192.0.2.10
`,
  },
  {
    name: 'no zones',
    yaml: `
zoneIpAllocations:
  static:
    zones: {}
`,
    says: `
webdata.yaml:3:12: an allocation without zones
  at: zoneIpAllocations.static.zones
  allowed: at least one zone
`,
  },
  {
    name: 'zones left out',
    yaml: `
zoneIpAllocations:
  static:
    spare: parked
`,
    says: `
webdata.yaml:2:3: \`zones\` is missing
  at: zoneIpAllocations.static.zones
  allowed: a map from name to map
  fix: add \`zones: …\` here
`,
  },
  {
    name: 'a release without a spare',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2 }
    unmanaged: release
    onDelete: release
`,
    says: `
webdata.yaml:5:16: unmanaged: release, without a spare
  at: zoneIpAllocations.static.unmanaged
  allowed: release with a \`spare\`, which receives the IPs
  fix: add \`spare\`
webdata.yaml:6:15: onDelete: release, without a spare
  at: zoneIpAllocations.static.onDelete
  allowed: release with a \`spare\`, which receives the IPs
  fix: add \`spare\`
`,
  },
  {
    name: 'a word that is not one of the two',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2 }
    unmanaged: repot
`,
    says: `
webdata.yaml:5:16: \`unmanaged\` is a string "repot"
  at: zoneIpAllocations.static.unmanaged
  allowed: report or release
  fix: did you mean \`report\`?
`,
  },
  {
    name: 'changes to be ignored of nothing',
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 2 }
    ignoreChanges: [zones.chekout, checkout]
`,
    says: `
webdata.yaml:5:21: zones.chekout, which names no zone of this allocation
  at: zoneIpAllocations.static.ignoreChanges[0]
  allowed: one of zones.checkout
  fix: did you mean zones.checkout?
webdata.yaml:5:36: checkout, which names no zone of this allocation
  at: zoneIpAllocations.static.ignoreChanges[1]
  allowed: one of zones.checkout
`,
  },
];
