/**
 * Data that the processes of one program share about an account while they run: an engine starts a process for each provider of a program. Each
 * process keeps a file beside the locks of this machine, which counts as long as the process runs.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../base/files/ownFiles.ts';
import { parsedJson } from '../../base/values/plain.ts';
import { hasMachineFolder, machineFolder } from '../backend/folder/machineFolder.ts';

export interface Siblings {
  /** Replaces what this process publishes. It must hold no secret. */
  publish(value: unknown): void;
  /** Returns what the others publish. */
  others(): unknown[];
}

/** `program` names the program: the process that has started this one. */
export function siblingsOf(program: number, server: string): Siblings {
  if (!hasMachineFolder(process.env)) return { publish: () => undefined, others: () => [] };
  const folder = machineFolder(process.env);
  const group = `declared-${program}-${createHash('sha256').update(server).digest('hex').slice(0, 16)}-`;
  const own = `${group}${process.pid}-${randomUUID().slice(0, 8)}.json`;
  process.once('exit', () => rmSync(join(folder, own), { force: true }));
  return {
    publish(value) {
      const draft = join(folder, `${own}.draft`);
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, join(folder, own));
    },
    others() {
      const names = readdirSync(folder).filter((name) => name.startsWith('declared-') && name.endsWith('.json'));
      const ended = names.filter((name) => !isRunning(Number(name.split('-')[3])));
      for (const name of ended) rmSync(join(folder, name), { force: true });
      const running = names.filter((name) => name.startsWith(group) && name !== own && !ended.includes(name));
      return running.map((name) => parsedJson(textOf(join(folder, name))));
    },
  };
}

/** The other process may have ended since the folder was read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
