/** Keeps compiled code between commands, which saves a sixth of the time of a short one. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import module from 'node:module';

/** Does nothing where this user has no cache folder: other users must not be able to write code that this process runs. */
export function keepCompiledCode(env: NodeJS.ProcessEnv): void {
  const caches = cacheFolder(env);
  if (caches === undefined) return;
  const folder = `${caches}/webdata`;
  try {
    // One level at a time: a missing home is not created, and Node would never return from a missing folder in /proc.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) return;
    module.enableCompileCache(folder);
  } catch {
    // Without the cache, the command only takes longer.
  }
}

function cacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (XDG_CACHE_HOME?.startsWith('/')) return XDG_CACHE_HOME;
  if (!HOME?.startsWith('/')) return undefined;
  return process.platform === 'darwin' ? `${HOME}/Library/Caches` : `${HOME}/.cache`;
}
