/** The account of the soak, and its declarations, which change at random. */

const size = 60;

export const soakZones = ['checkout', 'pricing', 'archive'] as const;

export const soakAccount = `id: hl_soak
zones:
  checkout: { type: isp, password: soak-password, ips: { us: [198.18.0.1-198.18.0.${size}] } }
  pricing: { type: datacenter, ips: { us: [198.18.1.1-198.18.1.${size}] } }
  archive: { ips: { us: [198.18.2.1-198.18.2.${size}] } }
  parked: { ips: { us: [198.18.3.1-198.18.3.${size}] } }
pages: { "http://example.com/*": { body: "${'A page. '.repeat(200)}" } }
collectors: { c_prices: { row: { title: "Price of {url}", price: 12.5, run: "{run}" } } }
datasets: { gd_companies: { rows: 2000, row: { name: "Company {n}", about: "${'It makes things. '.repeat(10)}" } } }
manager: { settings: { logs: 1000 }, ports: [24000] }
# A receiver that is too busy now is asked again for longer than usual.
dialect: { delivery: { attempts: 12 } }
`;

/** Returns a declaration that never needs more IPs than the account has. */
export function soakDeclaration(random: () => number): string {
  const count = () => Math.floor(random() * size) + 5;
  return `service: { profile: { settleSeconds: 1 } }
zoneIpAllocations:
  static:
    zones: { ${soakZones.map((zone) => `${zone}: { count: ${count()} }`).join(', ')} }
    spare: parked
managerSettings:
  local: { logs: ${Math.floor(random() * 5000)}, whitelistIps: [10.0.0.${Math.floor(random() * 255)}] }
`;
}

export const schedules = 50;

/** Schedules that tick about every ten seconds, not all at the same time. */
export const schedule = (index: number) => ({
  collector: 'c_prices',
  every: `${8 + (index % 5)}s`,
  inputs: [{ url: 'https://shop.example.com/a' }],
  delivery: 'results',
  overlap: 'allow',
});

export const delivery = (endpoint: string) => ({ endpoint, authorization: { env: 'HOOK_AUTHORIZATION' } });
