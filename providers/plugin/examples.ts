/** Examples in the descriptions of resources, each in three languages. Tests run each of them. */
import { isMapValue } from '../../src/base/values/plain.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';

interface Example {
  name: string;
  properties: Properties;
}

const examples: Readonly<Record<string, Example>> = {
  ZoneIpAllocation: {
    name: 'static',
    properties: {
      zones: {
        checkout: { ips: ['192.0.2.12', '192.0.2.13'], keepAtLeast: 2 },
        pricing: { count: { us: 2 } },
      },
      spare: 'parked',
    },
  },
  ManagerSettings: {
    name: 'local',
    properties: { zone: 'checkout', whitelistIps: ['10.0.0.0/8'], absentPorts: [24_010] },
  },
  WebhookDelivery: {
    name: 'results',
    properties: { endpoint: 'https://hooks.example.com/webdata', authorization: { env: 'HOOK_AUTHORIZATION' } },
  },
  CollectorSchedule: {
    name: 'nightly',
    properties: {
      collector: 'c_prices',
      cron: '0 3 * * *',
      timeZone: 'Europe/Berlin',
      inputs: [{ url: 'https://shop.example.com/a' }],
    },
  },
};

/** Returns the examples of a kind as the shortcodes of package documentation; empty for a kind without any. */
export function examplesOf(kind: string): string {
  const example = examples[kind];
  if (example === undefined) return '';
  const codes = {
    typescript: typescriptOf(kind, example),
    python: pythonOf(kind, example),
    yaml: yamlOf(kind, example),
  };
  const blocks = Object.entries(codes).map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``);
  return [
    '{{% examples %}}',
    '## Example Usage',
    '{{% example %}}',
    ...blocks,
    '{{% /example %}}',
    '{{% /examples %}}',
  ].join('\n\n');
}

function typescriptOf(kind: string, { name, properties }: Example): string {
  const fields = Object.entries(properties).map(([field, value]) => `    ${field}: ${literal(value, (key) => key)},\n`);
  return `import * as webdata from "@pulumi-webdata/webdata";\n\nnew webdata.${kind}("${name}", {\n${fields.join('')}});`;
}

function pythonOf(kind: string, { name, properties }: Example): string {
  const keyOf = (key: string) => `"${snakeCase(key)}"`;
  const fields = Object.entries(properties).map(
    ([field, value]) => `,\n    ${snakeCase(field)}=${literal(value, keyOf)}`,
  );
  return `import pulumi_webdata as webdata\n\nwebdata.${kind}("${name}"${fields.join('')})`;
}

function yamlOf(kind: string, { name, properties }: Example): string {
  const fields = Object.entries(properties).map(
    ([field, value]) => `\n      ${field}: ${literal(value, (key) => key)}`,
  );
  return `resources:\n  ${name}:\n    type: webdata:${kind}\n    properties:${fields.join('')}`;
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A literal of JavaScript, Python or YAML, which write keys in different ways. */
function literal(value: unknown, keyOf: (key: string) => string): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, keyOf)).join(', ')}]`;
  if (!isMapValue(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, field]) => `${keyOf(key)}: ${literal(field, keyOf)}`)
    .join(', ')} }`;
}
