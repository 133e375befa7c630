/** Examples in the descriptions of resources, in three languages. Tests run each of them. */

interface Example {
  typescript: string;
  python: string;
  yaml: string;
}

const examples: Readonly<Record<string, Example>> = {
  ZoneIpAllocation: {
    typescript: `import * as webdata from "@pulumi-webdata/webdata";

new webdata.ZoneIpAllocation("static", {
    zones: {
        checkout: { ips: ["192.0.2.12", "192.0.2.13"], keepAtLeast: 2 },
        pricing: { count: { us: 2 } },
    },
    spare: "parked",
});`,
    python: `import pulumi_webdata as webdata

webdata.ZoneIpAllocation("static",
    zones={
        "checkout": {"ips": ["192.0.2.12", "192.0.2.13"], "keep_at_least": 2},
        "pricing": {"count": {"us": 2}},
    },
    spare="parked")`,
    yaml: `resources:
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones:
        checkout: { ips: [192.0.2.12, 192.0.2.13], keepAtLeast: 2 }
        pricing: { count: { us: 2 } }
      spare: parked`,
  },
  ManagerSettings: {
    typescript: `import * as webdata from "@pulumi-webdata/webdata";

new webdata.ManagerSettings("local", {
    zone: "checkout",
    whitelistIps: ["10.0.0.0/8"],
    absentPorts: [24010],
});`,
    python: `import pulumi_webdata as webdata

webdata.ManagerSettings("local",
    zone="checkout",
    whitelist_ips=["10.0.0.0/8"],
    absent_ports=[24010])`,
    yaml: `resources:
  local:
    type: webdata:ManagerSettings
    properties:
      zone: checkout
      whitelistIps: [10.0.0.0/8]
      absentPorts: [24010]`,
  },
  WebhookDelivery: {
    typescript: `import * as webdata from "@pulumi-webdata/webdata";

new webdata.WebhookDelivery("results", {
    endpoint: "https://hooks.example.com/webdata",
    authorization: { env: "HOOK_AUTHORIZATION" },
});`,
    python: `import pulumi_webdata as webdata

webdata.WebhookDelivery("results",
    endpoint="https://hooks.example.com/webdata",
    authorization={"env": "HOOK_AUTHORIZATION"})`,
    yaml: `resources:
  results:
    type: webdata:WebhookDelivery
    properties:
      endpoint: https://hooks.example.com/webdata
      authorization: { env: HOOK_AUTHORIZATION }`,
  },
  CollectorSchedule: {
    typescript: `import * as webdata from "@pulumi-webdata/webdata";

new webdata.CollectorSchedule("nightly", {
    collector: "c_prices",
    cron: "0 3 * * *",
    timeZone: "Europe/Berlin",
    inputs: [{ url: "https://shop.example.com/a" }],
});`,
    python: `import pulumi_webdata as webdata

webdata.CollectorSchedule("nightly",
    collector="c_prices",
    cron="0 3 * * *",
    time_zone="Europe/Berlin",
    inputs=[{"url": "https://shop.example.com/a"}])`,
    yaml: `resources:
  nightly:
    type: webdata:CollectorSchedule
    properties:
      collector: c_prices
      cron: 0 3 * * *
      timeZone: Europe/Berlin
      inputs: [{ url: https://shop.example.com/a }]`,
  },
};

/** Returns the examples of a kind as the shortcodes of package documentation; empty for a kind without any. */
export function examplesOf(kind: string): string {
  const example = examples[kind];
  if (example === undefined) return '';
  const blocks = Object.entries(example).map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``);
  return [
    '{{% examples %}}',
    '## Example Usage',
    '{{% example %}}',
    ...blocks,
    '{{% /example %}}',
    '{{% /examples %}}',
  ].join('\n\n');
}
