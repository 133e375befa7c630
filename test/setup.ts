/** Runs before each test file. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { stateFolderOf } from './stateFolder.ts';

// On a busy machine, a property ends with fewer runs: a failure would say nothing about the code.
fc.configureGlobal({ interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false });

// Each test file is a machine of its own: the ports of its accounts were those of others before.
const machine = stateFolderOf(crypto.randomUUID());
Object.assign(process.env, machine);
afterAll(() => rmSync(machine.WEBDATA_STATE_FOLDER, { recursive: true, force: true }));
