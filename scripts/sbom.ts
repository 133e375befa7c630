/**
 * `npm run sbom [-- FILE]`: writes what the published package brings with it, as CycloneDX, by default into dist, which is published: its
 * dependencies and the packages that dist contains. Two runs for one lock file and one build write the same text.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { bundledInDist, npm, withPublishedTree } from './publishedTree.ts';

interface Component {
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
}

interface Bill {
  metadata: { timestamp?: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  serialNumber?: string;
}

const [file = join(import.meta.dirname, '../dist/sbom.cdx.json')] = process.argv.slice(2);
const target = resolve(file);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(sbom(), null, 2)}\n`);

/** Without the time and the serial number, which the format does not require. */
function sbom(): Bill {
  const { serialNumber: _, ...bill } = withPublishedTree<Bill>((folder) =>
    JSON.parse(npm(folder, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application')),
  );
  const { timestamp: __, component, ...metadata } = bill.metadata;
  const isPublished = publishedRefs(bill);
  return {
    ...bill,
    // npm names it after the folder.
    metadata: { ...metadata, component: { ...component, name: manifest.name } },
    components: bill.components.filter((each) => isPublished.has(each['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => isPublished.has(ref) || ref === component['bom-ref'])
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => isPublished.has(each)) })),
  };
}

/** A bundled package brings only those of its dependencies that the bundler kept; an installed one brings all. */
function publishedRefs({ components, dependencies }: Bill): Set<string> {
  const bundled = new Set(bundledInDist().map(({ name, version }) => `${name}@${version}`));
  const refs = new Set(
    components.filter((each) => bundled.has(`${nameOf(each)}@${each.version}`)).map((each) => each['bom-ref']),
  );
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn]));
  const reached = new Set<string>();
  const reach = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of dependsOn.get(ref) ?? []) reach(next);
  };
  for (const each of components) if (nameOf(each) in manifest.dependencies) reach(each['bom-ref']);
  return new Set([...refs, ...reached]);
}

function nameOf({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}
