import { MaquininhaError } from './errors.js';

const silence = 45_000; // the terminal gives a sign of life every 15 s

/**
 * Opens a stream of events; they come from then on. `of` says whose, in its errors.
 * @param {import('./request.js').Sender} sender
 * @param {string} path
 * @param {string} of
 * @param {(text: string) => any} parse
 * @param {AbortSignal} [signal]
 * @returns {Promise<AsyncIterableIterator<any>>}
 */
export async function events(sender, path, of, parse, signal) {
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const answer = await sender.open({ method: 'GET', path }, end.signal);
  return read(/** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader(), of, parse, end, signal, stop);
}

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {string} of
 * @param {(text: string) => any} parse
 * @param {AbortController} end
 * @param {AbortSignal | undefined} signal
 * @param {() => void} stop
 * @returns {AsyncIterableIterator<any>}
 */
async function* read(reader, of, parse, end, signal, stop) {
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
        if (line.startsWith('data:')) yield parse(line.slice('data:'.length));
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new MaquininhaError('noAnswer', `o acompanhamento ${of} caiu`, { cause });
  } finally {
    signal?.removeEventListener('abort', stop);
    end.abort();
  }
}
