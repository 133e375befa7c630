/** What only the live account can tell: it is read, and nothing is written. */
import type { BadCase } from './badCase.ts';

export const badForTheAccount: readonly BadCase[] = [
  {
    name: 'an IP that is in no known zone',
    args: ['apply', '--yes'],
    yaml: `
service: { profile: { settleSeconds: 0 } }
zoneIpAllocations:
  static:
    zones:
      checkout:
        ips: [203.0.113.99]
`,
    plan: `
zoneIpAllocations.static
  note: checkout holds 8 unmanaged IPs
  1 problem, see below

webdata.yaml:6:15: 203.0.113.99 is in none of the zones that were listed (checkout)
  at: zoneIpAllocations.static.zones.checkout.ips[0]
  allowed: an IP that the account holds
  fix: if the service retired or replaced it, run \`webdata drift --accept\`; otherwise correct the address, or name the zone that holds it under \`sources\`

Plan: 1 problem blocks this plan · otherwise 8 unmanaged IPs left.
`,
  },
  {
    name: 'zones that there are not',
    args: ['apply', '--yes'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      chekout: { count: 1 }
    sources: [old-pricing, nowhere]
    spare: park
`,
    plan: `
zoneIpAllocations.static
  3 problems, see below

webdata.yaml:4:16: zone \`chekout\` does not exist (the service said: Zone not found: chekout)
  at: zoneIpAllocations.static.zones.chekout
  allowed: the name of a zone of this account
  fix: correct the name, or make the zone in the control panel (a zone cannot be renamed); if no zone of the account is found, check the URL of the service
webdata.yaml:5:28: zone \`nowhere\` does not exist (the service said: Zone not found: nowhere)
  at: zoneIpAllocations.static.sources[1]
  allowed: the name of a zone of this account
  fix: correct the name, or make the zone in the control panel (a zone cannot be renamed); if no zone of the account is found, check the URL of the service
webdata.yaml:6:12: zone \`park\` does not exist (the service said: Zone not found: park)
  at: zoneIpAllocations.static.spare
  allowed: the name of a zone of this account
  fix: correct the name, or make the zone in the control panel (a zone cannot be renamed); if no zone of the account is found, check the URL of the service

Plan: 3 problems block this plan.
`,
  },
  {
    name: 'counts that can not be met',
    args: ['apply', '--yes'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: { us: 9, jp: 2 } }
      archive: { count: { gb: 6 } }
      pricing: { count: 100 }
    spare: parked
`,
    plan: `
zoneIpAllocations.static
  note: checkout holds 3 unmanaged IPs: 203.0.113.10, 203.0.113.11, 203.0.113.12
  note: archive holds 4 unmanaged IPs
  2 problems, see below

webdata.yaml:4:32: checkout needs 4 more IPs in us; only 2 are available
  at: zoneIpAllocations.static.zones.checkout.count.us
  allowed: IPs that parked and exceeded counts can give, which are in de, jp, us
  fix: lower the count, or name a zone that has such IPs as \`spare\` or under \`sources\`
webdata.yaml:6:25: pricing needs 90 more IPs; only 4 are available
  at: zoneIpAllocations.static.zones.pricing.count
  allowed: IPs that parked and exceeded counts can give
  fix: lower the count, or name a zone that has such IPs as \`spare\` or under \`sources\`

Plan: 2 problems block this plan · otherwise 7 unmanaged IPs left.
`,
  },
  {
    name: 'too much, and no spare',
    args: ['apply', '--yes'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 3 }
      archive: { count: { gb: 1 } }
`,
    plan: `
zoneIpAllocations.static
  note: archive holds 4 unmanaged IPs
  2 problems, see below

webdata.yaml:4:17: checkout holds 5 IPs more than declared, and there is no spare to take them
  at: zoneIpAllocations.static.zones.checkout
  allowed: a \`spare\` zone for the IPs that exceed the declaration
  fix: add \`spare\`, or raise the count
webdata.yaml:5:16: archive holds 5 IPs more than declared, and there is no spare to take them
  at: zoneIpAllocations.static.zones.archive
  allowed: a \`spare\` zone for the IPs that exceed the declaration
  fix: add \`spare\`, or raise the count

Plan: 2 problems block this plan · otherwise 4 unmanaged IPs left.
`,
  },
  {
    name: 'a count below what is protected',
    args: ['apply', '--yes'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 0 }
    spare: parked
    protect: [192.0.2.40]
`,
    plan: `
zoneIpAllocations.static
  1 problem, see below

webdata.yaml:4:26: checkout must keep 1 IP (0 listed, 1 protected or uncertain)
  at: zoneIpAllocations.static.zones.checkout.count
  allowed: exactly 0
  fix: raise the count, or take IPs out of \`ips\` or \`protect\`

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'a wrong key',
    args: ['apply', '--yes'],
    env: { WEBDATA_API_KEY: 'hush-hush' },
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    plan: `
zoneIpAllocations.static
  1 problem, see below

GET {api}/zone/ips?zone=checkout was answered 401: Authentication failed: the API key is not valid
  fix: Use a valid API key (WEBDATA_API_KEY); moving IPs requires one of an Admin or Ops user. This one may have expired or been refreshed.
  affects: zoneIpAllocations.static

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'a key that may not read',
    args: ['apply', '--yes'],
    env: { WEBDATA_API_KEY: '@finance' },
    yaml: `
zoneIpAllocations:
  static:
    zones:
      checkout: { count: 8 }
`,
    plan: `
zoneIpAllocations.static
  1 problem, see below

GET {api}/zone/ips?zone=checkout was answered 403: Permission denied: GET /zone/ips needs the role Admin or Ops or Limit or User
  fix: Use the key of a user whose role may read zones; Admin and Ops may also change them.
  affects: zoneIpAllocations.static

Plan: 1 problem blocks this plan.
`,
  },
  {
    name: 'no terminal',
    args: ['apply'],
    yaml: `
zoneIpAllocations:
  static:
    zones:
      old-pricing: { ips: [192.0.2.10] }
    sources: [pricing]
`,
    plan: `
zoneIpAllocations.static
  old-pricing   5 → 6 IPs  us 3 → 4
  pricing      10 → 9 IPs  us 7 → 6
  1.  1 IP  from pricing  to old-pricing  192.0.2.10 us
  note: old-pricing holds 5 unmanaged IPs

Plan: 1 IP moves in 1 call (may incur charges) · 5 unmanaged IPs left.
`,
    says: `
not applied: no terminal to confirm on
  fix: review the plan, then pass --yes
`,
  },
];
