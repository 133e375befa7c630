/** The HTTP client in bundles. */
import type { Plugin } from 'rolldown';
import { root } from './paths.ts';

/**
 * The parts of undici that calls need. HTTP/2 is left out: calls are sent with `allowH2: false`, and node:http2 loads node:tls also for
 * plain HTTP. The version is pinned.
 */
export const leanUndici: Plugin = {
  name: 'lean-undici',
  resolveId(id, importer = '') {
    if (isLean(id, importer)) return 'lean:undici';
    return id === './client-h2.js' && isInUndici(importer) ? 'lean:http2' : null;
  },
  load(id) {
    if (id === 'lean:http2') return "module.exports = () => { throw new Error('HTTP/2 is not bundled'); };";
    if (id !== 'lean:undici') return null;
    return `
      import api from '${undici}api/index.js';
      import Dispatcher from '${undici}dispatcher/dispatcher.js';
      import errors from '${undici}core/errors.js';
      import Pool from '${undici}dispatcher/pool.js';
      Object.assign(Dispatcher.prototype, api);
      export { errors, Pool };`;
  },
};

const undici = `${root}node_modules/undici/lib/`;

export function isLean(id: string, importer: string | undefined): boolean {
  return id === 'undici' && (importer?.endsWith('exchange.ts') ?? false);
}

export function isInUndici(importer: string): boolean {
  return /[\\/]node_modules[\\/]undici[\\/]lib[\\/]/.test(importer);
}
