import { MaquininhaError } from './errors.js';

/** @typedef {import('./index.d.ts').LogEntry} LogEntry */

const silence = 45_000; // the terminal gives a sign of life every 15 s

/**
 * Opens the stream; its entries come from then on.
 * @param {import('./request.js').Sender} sender
 * @param {AbortSignal} [signal]
 * @returns {Promise<AsyncIterableIterator<LogEntry>>}
 */
export async function entries(sender, signal) {
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const answer = await sender.open({ method: 'GET', path: '/logs/stream' }, end.signal);
  return read(/** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader(), end, signal, stop);
}

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {AbortController} end
 * @param {AbortSignal | undefined} signal
 * @param {() => void} stop
 * @returns {AsyncIterableIterator<LogEntry>}
 */
async function* read(reader, end, signal, stop) {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const quiet = setTimeout(() => end.abort(new Error('silêncio')), silence);
      const { value, done } = await reader.read().finally(() => clearTimeout(quiet));
      if (done) throw new Error('fim inesperado');
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length));
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new MaquininhaError('noAnswer', 'o acompanhamento dos logs caiu', { cause });
  } finally {
    signal?.removeEventListener('abort', stop);
    end.abort();
  }
}
