/**
 * The few functions of Node that planning and reports use, for browsers. The bundle takes every `node:` module from here, so that it cannot be
 * built if another function is needed.
 */
import { isIPv4 } from '../../../src/base/values/ipv4.ts';

export { isIPv4 } from '../../../src/base/values/ipv4.ts';

export function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4;
  return URL.canParse(`http://[${text}]`) ? 6 : 0;
}

export function stripVTControlCharacters(text: string): string {
  return text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g'), '');
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export async function setTimeout(ms: number): Promise<void> {
  await new Promise((done) => globalThis.setTimeout(done, ms));
}

/** The files of the playground have names without folders. */
export const posix = { isAbsolute: () => false, basename: (file: string) => file };
export const win32 = posix;
export const sep = '/';
export const resolve = (_folder: string, file: string) => file;

export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
