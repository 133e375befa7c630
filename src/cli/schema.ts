import type { Command } from 'commander';
import type { Shell } from './io.ts';

export function addSchema(_command: Command, _shell: Shell): void {}
