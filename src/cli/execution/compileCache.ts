/** The code that Node compiles, kept in the cache folder of the user: a short command would spend a third of its time on compiling. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import module from 'node:module';

/**
 * Keeps compiled code for the next command, except in CI, and where this user has no cache folder: other users must not be able to write
 * code that this process runs. NODE_COMPILE_CACHE names another folder.
 */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  const caches = cacheFolder(env);
  if (caches === undefined || module.getCompileCacheDir() !== undefined) return;
  const folder = `${caches}/webdata`;
  try {
    // One level at a time: a missing home is not created, and Node would never return from a missing folder in /proc.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    if (process.getuid === undefined || statSync(folder).uid === process.getuid()) module.enableCompileCache(folder);
  } catch {
    // Without the cache, the command only takes longer.
  }
}

function cacheFolder({ CI, XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv): string | undefined {
  // A job in CI mostly starts with an empty folder, and runs a command once: keeping its code takes longer than it saves.
  if (CI) return undefined;
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (XDG_CACHE_HOME?.startsWith('/')) return XDG_CACHE_HOME;
  if (!HOME?.startsWith('/')) return undefined;
  return process.platform === 'darwin' ? `${HOME}/Library/Caches` : `${HOME}/.cache`;
}
