/**
 * Runs after tsc and bundles two things: `webdata`, because finding and loading hundreds of modules takes longer than most commands do, and
 * the packages that would make up most of an installation. Users install neither of them as dependencies.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { bundleCli } from './bundle/cli.ts';
import { bundledListFile, bundledPackages, notices } from './bundle/notices.ts';
import { dist } from './bundle/paths.ts';
import { bundleVendored, importVendored } from './bundle/vendored.ts';

rmSync(`${dist}vendor`, { recursive: true, force: true });
rmSync(`${dist}src/cli`, { recursive: true, force: true });
const modules = [...(await bundleVendored()), ...(await bundleCli())];
importVendored();
const packages = bundledPackages(modules);
writeFileSync(`${dist}THIRD_PARTY_NOTICES.txt`, notices(packages));
writeFileSync(
  bundledListFile,
  JSON.stringify(
    packages.map(({ name, version }) => ({ name, version })),
    null,
    2,
  ),
);
