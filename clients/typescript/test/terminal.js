// The real program as a process, and a proxy that breaks connections to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from '@maquininha/client';

export const user = process.env.MAQUININHA_USER ?? 'loja';
export const password = process.env.MAQUININHA_PASSWORD ?? 'segrêdo';

// An address that the terminal can have again after a kill: the system gives such a port to nobody, and on Linux the host is this process's alone.
const ownHost = process.platform === 'linux' ? `127.${1 + ((process.pid >> 16) & 127)}.${(process.pid >> 8) & 255}.${process.pid & 255}` : '127.0.0.1';
let given = process.pid * 97;
const freeAddress = () => `${ownHost}:${10_000 + (given++ % 20_000)}`;

export class Terminal {
  /** Starts one that ends with the test, or is the one that MAQUININHA_BASE names, behind a hub. */
  static async start(t, ...args) {
    const terminal = new Terminal();
    terminal.base = process.env.MAQUININHA_BASE;
    if (terminal.base) return terminal;
    terminal.data = mkdtempSync(join(tmpdir(), 'maquininha-'));
    terminal.args = args;
    t.after(async () => {
      await terminal.kill();
      rmSync(terminal.data, { recursive: true });
    });
    await terminal.run(freeAddress());
    return terminal;
  }

  async run(listen) {
    const args = ['serve', '--data', this.data, '--listen', listen, '--screen', '127.0.0.1:0', '--autopilot-delay', '0s', '--no-setup'];
    this.process = spawn(process.env.MAQUININHA_BIN, [...args, '--no-desktop-notifications', ...this.args], {
      env: { ...process.env, MAQUININHA_USERNAME: user, MAQUININHA_PASSWORD: password }, stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface(this.process.stdout)) {
      this.secure ??= /API \(HTTPS\)\s+(\S+)/.exec(line)?.[1];
      this.pin ??= /sha256\/\/\S+/.exec(line)?.[0];
      this.base ??= /^\s*API\s+(http:\S+)/.exec(line)?.[1];
      if (line.includes('Experimente')) break;
    }
  }

  async kill() {
    if (this.process.exitCode !== null || this.process.signalCode) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }

  again() {
    return this.run(this.base.replace('http://', ''));
  }

  client(options, base = this.base) {
    return new Client(base, user, password, options);
  }

  async call(method, path, body) {
    const headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
    const answer = await fetch(this.base + path, { method, headers, body: body && JSON.stringify(body) });
    return answer.json();
  }

  /** Resolves when ready(await look()) is true; there is no event for a caller to wait for. */
  async until(path, ready) {
    while (!ready(await this.call('GET', path))) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  approved() {
    return this.call('GET', '/transaction?status=approved').then((all) => all.length);
  }
}

/** Breaks the next `cuts.length` requests to path: "before" they are sent on, "midway", or before the "answer"; or has a "gateway" answer instead. */
export async function cutter(t, terminal, path) {
  const c = { cuts: [], sent: 0 };
  const server = createServer(async (incoming, answer) => {
    const cut = incoming.method === 'POST' && incoming.url === path ? (c.sent++, c.cuts.shift()) : undefined;
    if (cut === 'before') return incoming.socket.destroy();
    const { hostname, port } = new URL(terminal.base);
    const onward = request({ hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers });
    onward.on('error', () => incoming.socket.destroy());
    let over = false; // the terminal may be done before anybody has looked: then its answer is lost
    onward.on('response', (back) => {
      over = true;
      if (cut === 'answer' || cut === 'midway') return back.resume().on('end', () => incoming.socket.destroy());
      if (cut === 'gateway') return back.resume().on('end', () => answer.writeHead(504).end('<h1>504</h1>'));
      answer.writeHead(back.statusCode, back.headers);
      back.pipe(answer);
    });
    incoming.pipe(onward);
    if (cut === 'midway') {
      await terminal.until('/info', (info) => info.isBusy || over);
      incoming.socket.destroy();
      onward.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  c.base = `http://127.0.0.1:${server.address().port}`;
  return c;
}
