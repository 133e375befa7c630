/** The packages that dist contains, and their license texts, which must be distributed with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dist } from './paths.ts';

/** Kept for the bill of materials and the audit; not published. */
export const bundledListFile = `${dist}.bundled.json`;

interface BundledPackage {
  name: string;
  version: string;
  license: string;
  texts: readonly string[];
}

export function bundledPackages(modules: readonly string[]): BundledPackage[] {
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id.replaceAll('\\', '/'))?.[0].replace(/^\0+/, '') ?? [],
  );
  const packages = [...new Set(folders)].sort().map(bundledPackage);
  return [...new Map(packages.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

function bundledPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  return { name, version, license, texts: licenseTexts(folder) };
}

function licenseTexts(folder: string): string[] {
  const files = readdirSync(folder);
  const texts = files
    .filter((file) => /^(licen[sc]e|copying|notice)\b/i.test(file))
    .map((file) => textOf(folder, file));
  if (texts.length > 0) return texts;
  // Some packages state their license only at the end of their README.
  const sections = files
    .filter((file) => /^readme\b/i.test(file))
    .flatMap((file) => textOf(folder, file).match(/^#+ *licen[sc]e\b[\s\S]*/im) ?? []);
  return sections.map((section) => section.trim());
}

function textOf(folder: string, file: string): string {
  return readFileSync(folder + file, 'utf8').trim();
}

/** @throws Error for a package without a license */
export function notices(packages: readonly BundledPackage[]): string {
  const sections = packages.map(({ name, version, license, texts }) => {
    if (!license || texts.length === 0) throw new Error(`${name} has no license`);
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  const head = 'This package contains code of the following packages, under their licenses.';
  return `${[head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
