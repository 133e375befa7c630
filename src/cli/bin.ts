#!/usr/bin/env node
/** The entry of the `webdata` command. Reports a Node that is too old before it loads anything that needs a newer one. */
import { useCompileCache } from './execution/compileCache.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `webdata needs Node 22.19 or newer; this is ${process.versions.node}. Get it from https://nodejs.org, or run \`nvm install --lts\`.\n`,
  );
  process.exitCode = 1;
} else {
  useCompileCache(process.env);
  void import('./execution/process.ts').then(({ runProcess }) => runProcess());
}
