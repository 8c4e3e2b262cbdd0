// On Node, requests go through its own HTTP modules: its fetch gives up after 5 minutes without an answer, which a person may
// well take, can't pin a key, and does not tell whether a request was sent.
import { createHash } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect as plainConnect } from 'node:net';
import { Readable } from 'node:stream';
import { connect as secureConnect } from 'node:tls';

import { Client as Base } from './client.js';
import { MaquininhaError } from './errors.js';

export { fromCents, toCents } from './decimal.js';
export { MaquininhaError };

const connectLimit = 10_000;

/** The key's SHA-256, as curl's --pinnedpubkey takes it. */
const keyOf = (socket) =>
  `sha256//${createHash('sha256').update(socket.getPeerX509Certificate().publicKey.export({ type: 'spki', format: 'der' })).digest('base64')}`;

/** Connects, and hands the socket over only when it leads to the right terminal: nothing is sent to another. */
function connection(options, secure, pin, done) {
  const socket = secure
    ? secureConnect({ host: options.host, port: options.port, servername: options.servername, ALPNProtocols: ['http/1.1'], rejectUnauthorized: !pin })
    : plainConnect({ host: options.host, port: options.port });
  const limit = setTimeout(() => socket.destroy(new Error('tempo de conexão esgotado')), connectLimit);
  const fail = (cause) => {
    clearTimeout(limit);
    done(cause instanceof MaquininhaError ? cause : new MaquininhaError('unreachable', `terminal fora de alcance: ${cause.message}`, { cause }));
  };
  socket.once('error', fail);
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    if (pin && keyOf(socket) !== pin) {
      socket.destroy(new MaquininhaError('wrongKey', 'a chave do terminal não é a fixada'));
      return;
    }
    clearTimeout(limit);
    socket.off('error', fail);
    socket.setKeepAlive(true, 15_000); // a terminal whose power was cut says nothing
    done(null, socket);
  });
  return socket;
}

/** A fetch for one terminal. Each request has its own connection: one that was kept may be dead, and a payment sent into it is lost. */
function fetchOver(pin) {
  const send = async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    const secure = url.protocol === 'https:';
    const content = body === undefined ? undefined : Buffer.from(body instanceof Blob ? await body.arrayBuffer() : body);
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      let socket;
      const abort = () => {
        socket?.destroy();
        request.destroy(signal.reason);
        reject(signal.reason);
      };
      const request = (secure ? secureRequest : plainRequest)(url, {
        method, headers: { ...headers, Connection: 'close', ...(content ? { 'Content-Length': content.length } : {}) },
        createConnection: (options, done) => {
          const host = url.hostname.replace(/^\[|\]$/g, '');
          socket = connection({ host, port: url.port || (secure ? 443 : 80), servername: /^[\d.]+$|:/.test(host) ? '' : host }, secure, pin, done);
        },
      });
      request.on('error', (error) => {
        signal.removeEventListener('abort', abort);
        reject(error);
      });
      request.on('response', (answer) => {
        answer.on('close', () => signal.removeEventListener('abort', abort));
        const plain = Object.entries(answer.headers).map(([k, v]) => [k, String(v)]);
        resolve(new Response(Readable.toWeb(answer), { status: answer.statusCode, statusText: answer.statusMessage, headers: plain }));
      });
      signal.addEventListener('abort', abort);
      request.end(content);
    });
  };
  return Object.assign(send, { tellsUnreachable: true, pins: true });
}

export class Client extends Base {
  constructor(address, user, password, options = {}) {
    const { pin } = options;
    if (pin !== undefined && !/^sha256\/\/[A-Za-z0-9+/]{43}=$/.test(pin)) {
      throw new TypeError('chave fixada inválida: deve ser sha256// seguido de 44 caracteres em Base64');
    }
    if (pin !== undefined && !/^https:/i.test(address)) throw new TypeError('a chave fixada exige um endereço https://');
    super(address, user, password, { fetch: fetchOver(pin), ...options });
  }
}
