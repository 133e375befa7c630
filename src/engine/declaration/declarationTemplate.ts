/** The template of a declaration: all fields with their descriptions, commented out. */
import { Document, Scalar } from 'yaml';
import type { JsonSchema } from './declarationSchema.ts';

const columns = 100;

/** Writes the template. Fields are commented out with `#`, remarks with `# `, so that they can be distinguished. */
export function declarationTemplate(schema: JsonSchema): string {
  const sections = Object.entries(schema.properties ?? {}).map(([name, section]) =>
    isCollection(section) ? [...remark(section, ''), `${name}:`, ...inside(section, '  ')] : field([name, section], ''),
  );
  return sections.map((lines) => `\n${lines.join('\n')}\n`).join('');
}

/** Reports whether the section is a collection: a map at the top of the file that may be empty and is not commented out. */
function isCollection({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

/** Fields that few accounts need, with a hint and an empty value instead of their own fields. */
const shortFields: Readonly<Record<string, { hint: string; empty: string }>> = {
  profile: {
    hint: 'How this account differs from the specification: `webdata doctor` detects it and prints it to paste.',
    empty: '{}',
  },
  include: { hint: 'Files that this one extends, such as [common.yaml, zones/*.yaml].', empty: '[]' },
};

function field([name, schema]: [string, JsonSchema], indent: string): string[] {
  const own = remark(schema, indent);
  if (schema.alternativeTo !== undefined) return [...own, alternative(name, schema, indent)];
  const short = shortFields[name];
  if (short) return [`${indent}# ${short.hint}`, `${indent}#${name}: ${short.empty}`];
  const deeper = inside(schema, `${indent}  `);
  if (deeper.length > 0) return [...own, `${indent}#${name}:`, ...deeper];
  const [value = schema.default, ...others] = schema.examples ?? [];
  const alternatives = others.map((other) => `${indent}# Or: ${inFlow(other)}`);
  return [...own, ...alternatives, `${indent}#${name}: ${inFlow(value)}`];
}

/** Writes a field that excludes another one as a remark, so that removing every `#` does not activate both. */
function alternative(name: string, { examples = [], alternativeTo }: JsonSchema, indent: string): string {
  return `${indent}# In place of ${alternativeTo}: ${name}: ${inFlow(examples[0])}`;
}

/** Returns the fields of a map, or one example entry of a map with free names. Returns nothing for other values. */
function inside(schema: JsonSchema, indent: string): string[] {
  if (isCollection(schema)) return (schema.anyOf ?? []).flatMap((branch) => inside(branch, indent));
  const { properties, propertyNames, additionalProperties } = schema;
  if (properties) return Object.entries(properties).flatMap((each) => field(each, indent));
  if (typeof additionalProperties !== 'object') return [];
  return field([String(propertyNames?.examples?.[0] ?? 'name'), additionalProperties], indent);
}

function remark({ description = '' }: JsonSchema, indent: string): string[] {
  const width = columns - indent.length - '# '.length;
  return wrapped(description, width).map((line) => `${indent}# ${line}`);
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Writes a value on one line. Variables are quoted, so that a value that looks like a number stays text. */
function inFlow(value: unknown): string {
  const document = new Document();
  document.contents = document.createNode(value, { flow: true });
  const hasVariable = typeof value === 'string' && value.includes('$');
  const defaultStringType = hasVariable ? Scalar.QUOTE_DOUBLE : Scalar.PLAIN;
  return document.toString({ lineWidth: 0, defaultStringType }).trimEnd();
}

/** The template of a declaration with the most common fields. Fields are commented out with `#`, remarks with `# `. */
export const commonTemplate = `# The IPs, settings and schedules that the account should have. Uncomment the fields that you need, with their
# parent keys. Editors show all other fields; \`webdata init --full\` writes them.

zoneIpAllocations:
  #main:
    #zones:
      # These IPs are in the zone: addresses, ranges, networks, or { file: NAME } with one per line.
      #checkout: { ips: [192.0.2.10, 192.0.2.20-192.0.2.29] }
      # Exactly so many IPs of each country. No call leaves the zone with fewer IPs than keepAtLeast.
      #pricing: { count: { us: 10, de: 5 }, keepAtLeast: 5 }
    # The zone that gives IPs, and takes those that are left over.
    #spare: parked
    # Zones that may give IPs and are never filled.
    #sources: [old-pricing]
    # These IPs move only into the zone that declares them.
    #protect: [192.0.2.10]
    # The most IPs that one run moves: a number, or a share of the live ones.
    #maxMoves: 20%

managerSettings:
  # Settings of the proxy manager. Those that are not named here stay as they are.
  #main:
    #logs: 1000
    #whitelistIps: [10.0.0.0/8]

# Deliveries and schedules are registered at the trigger service under an owner.
#name: acme

webhookDeliveries:
  #main:
    #endpoint: https://hooks.example.com/webdata

collectorSchedules:
  #main:
    #collector: c_prices
    # Every night at three o'clock.
    #cron: 0 3 * * *
    #inputs: [{ url: https://shop.example.com/a }]
    #delivery: main

#service:
  # By default WEBDATA_API_URL. The key is in WEBDATA_API_KEY.
  #url: https://api.example.com
`;
