// A browser does not say why a request failed. Here is found out whether it let the request leave at all.
import { MaquininhaError } from './errors.js';

/** @param {string} message @param {unknown} cause */
const blocked = (message, cause) => new MaquininhaError('blocked', message, { cause });

/**
 * How public a host is, as far as its name tells: 0 this machine, 1 the local network, 2 anything.
 * @param {string} host
 */
function publicity(host) {
  if (/^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(host)) return 0;
  if (/^(10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[(f[cd]|fe80).*|.*\.local)$/.test(host)) return 1;
  return 2;
}

/**
 * Whether the browser lets the page into the local network; undefined where it does not ask people. The permission has had several names,
 * and a browser refuses to be asked about one that it does not know.
 * @param {number} target
 * @returns {Promise<string | undefined>}
 */
async function localNetwork(target) {
  for (const name of ['local-network-access', target === 0 ? 'loopback-network' : 'local-network', 'local-network']) {
    try {
      return (await globalThis.navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state;
    } catch {
      // the next
    }
  }
  return undefined;
}

/**
 * The error of a page that may not reach the terminal. Nothing was sent, then.
 * @param {string} base
 * @param {unknown} cause
 */
export async function withoutPermission(base, cause) {
  const page = globalThis.location?.hostname;
  if (!page) return undefined;
  const target = publicity(new URL(base).hostname);
  if (publicity(page) < 2 && publicity(page) <= target) return undefined; // it needs none
  const state = await localNetwork(target);
  if (state === undefined || state === 'granted') return undefined;
  if (!globalThis.isSecureContext) return blocked('o navegador só dá acesso à rede local a páginas HTTPS: publique esta página com HTTPS', cause);
  return blocked(`o navegador não deixa esta página acessar a rede local (permissão local-network-access: ${state}); permita-a e tente de novo`, cause);
}
