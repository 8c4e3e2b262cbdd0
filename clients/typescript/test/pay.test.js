import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MaquininhaError } from '@maquininha/client';
import { Client as BrowserClient } from '../src/index.js';
import { Terminal, cutter } from './terminal.js';

const kind = (k) => (error) => error instanceof MaquininhaError && error.kind === k;
const credit = (referenceId) => ({ tPag: '03', amount: '10.00', referenceId });

test('outcomes', async (t) => {
  const c = (await Terminal.start(t)).client();
  await assert.rejects(c.pay({ tPag: '04', amount: '0.51', referenceId: 'a' }), (e) => kind('refused')(e) && e.message === 'Saldo insuficiente');
  await assert.rejects(c.pay({ tPag: '04', amount: '0.57', referenceId: 'b' }), kind('cancelled'));
  const first = await c.pay({ tPag: '17', amount: 7.49, referenceId: 'c' });
  assert.equal((await c.pay({ tPag: '17', amount: '7.490', referenceId: 'c' })).nsu, first.nsu);
  await assert.rejects(c.pay({ tPag: '17', amount: '8', referenceId: 'c' }), kind('conflict'));
});

// Wherever the connection breaks, the customer is charged once and the caller gets the answer.
for (const cuts of [['before', 'before'], ['midway'], ['answer'], ['gateway'], ['before', 'midway', 'answer']]) {
  test(`lost answers: ${cuts}`, async (t) => {
    const terminal = await Terminal.start(t);
    const proxy = await cutter(t, terminal, '/transaction');
    for (const c of [terminal.client({}, proxy.base), new BrowserClient(proxy.base, 'loja', 'segrêdo')]) {
      const before = await terminal.approved();
      const referenceId = `${before}`;
      await terminal.call('POST', '/emulator/acquirer', { next: 'approve', delayMs: 200 });
      proxy.cuts.push(...cuts);
      const paid = await c.pay(credit(referenceId));
      assert.deepEqual([paid.details.status, paid.details.referenceId], ['approved', referenceId]);
      assert.equal(await terminal.approved(), before + 1);
      proxy.cuts.length = 0;
      await terminal.call('POST', '/emulator/acquirer', { next: 'refuse', delayMs: 200 });
      proxy.cuts.push(...cuts);
      await assert.rejects(c.pay(credit(`${referenceId}r`)), kind('refused'));
      proxy.cuts.length = 0;
    }
  });
}

test('lost answers of reversals', async (t) => {
  const terminal = await Terminal.start(t);
  for (const cut of ['before', 'midway', 'answer']) {
    const proxy = await cutter(t, terminal, `/transaction/${cut}/reversal`);
    const c = terminal.client({}, proxy.base);
    await c.pay(credit(cut));
    await terminal.call('POST', '/emulator/acquirer', { next: 'approve', delayMs: 200 });
    proxy.cuts.push(cut);
    assert.equal((await c.reverse(cut)).details.status, 'reversed');
    await assert.rejects(c.reverse(cut), kind('conflict'));
  }
});

test('lost answers of parts', async (t) => {
  const terminal = await Terminal.start(t);
  const proxy = await cutter(t, terminal, '/transaction/r/reversal');
  const c = terminal.client({}, proxy.base);
  await c.pay({ ...credit('r'), amount: 10 });
  for (const cut of ['before', 'midway', 'answer']) {
    await terminal.call('POST', '/emulator/acquirer', { next: 'approve', delayMs: 200 });
    proxy.cuts.push(cut);
    for (const again of [false, true]) {
      const { details } = await c.reversePart('r', { amount: '2.00', reversalId: cut });
      assert.equal(details.status, 'approved', `${cut} ${again}`);
    }
  }
  proxy.cuts.push('answer');
  await assert.rejects(c.reversePart('r', { amount: 1 }), kind('unknownOutcome'));
  const { details } = await c.transaction('r');
  assert.deepEqual([details.reversed, details.reversals.length], ['7.00', 4]);
  await assert.rejects(c.reversePart('r', { amount: '3.01', reversalId: 'more' }), kind('conflict'));
});

test('without a reference nothing is sent twice', async (t) => {
  const terminal = await Terminal.start(t);
  const proxy = await cutter(t, terminal, '/transaction');
  const c = terminal.client({}, proxy.base);
  for (const cut of ['before', 'answer']) {
    proxy.cuts.push(cut);
    await assert.rejects(c.pay(credit()), kind('unknownOutcome'));
  }
  await terminal.call('POST', '/emulator/acquirer', { next: 'approve', delayMs: 60_000 });
  const end = new AbortController();
  const running = assert.rejects(c.pay(credit('first'), { signal: end.signal }), (e) => kind('unknownOutcome')(e) && e.referenceId === 'first');
  await terminal.until('/info', (info) => info.isBusy);
  await assert.rejects(c.pay(credit()), kind('busy'));
  assert.equal(proxy.sent, 4);
  end.abort();
  await running;
});

test('a busy terminal is waited for', async (t) => {
  const terminal = await Terminal.start(t);
  const c = terminal.client();
  await terminal.call('POST', '/emulator/acquirer', { next: 'approve', delayMs: 700 });
  const running = c.pay(credit('1'));
  await terminal.until('/info', (info) => info.isBusy);
  await assert.rejects(terminal.client({ busyPatience: 0 }).printText([{ line: { divider: true } }]), kind('busy'));
  assert.equal((await c.pay(credit('2'))).details.referenceId, '2');
  assert.equal((await running).details.referenceId, '1');

  let full = 1; // so is room for a large document
  const crowded = JSON.stringify({ code: 503, message: 'Muitos documentos grandes ao mesmo tempo, tente novamente em instantes' });
  const asked = (...call) => (full-- > 0 ? Promise.resolve(new Response(crowded, { status: 503 })) : fetch(...call));
  assert.ok((await terminal.client({ fetch: asked }).renderText([{ line: { divider: true } }])).length > 0);
  assert.equal(full, -1);
});

test('a terminal killed in the middle undoes the payment, and it can be made again', async (t) => {
  const terminal = await Terminal.start(t);
  const c = terminal.client();
  await terminal.call('POST', '/emulator/acquirer', { next: 'approve', delayMs: 60_000 });
  const running = assert.rejects(c.pay(credit('r')), kind('cancelled'));
  await terminal.until('/transaction/r', (found) => found.details?.status === 'pending');
  await terminal.kill();
  await terminal.again();
  await running;
  assert.equal((await c.pay(credit('r'))).details.status, 'approved');
  assert.equal(await terminal.approved(), 1);
});

test('a search ends with its patience', async (t) => {
  const terminal = await Terminal.start(t);
  const c = terminal.client({ recoveryPatience: 0 });
  const began = Date.now();
  await assert.rejects(c.pay({ tPag: '03', amount: '0.98', referenceId: 'r' }), (e) => kind('unknownOutcome')(e) && e.referenceId === 'r');
  const { status } = (await c.transaction('r')).details;
  const late = Date.now() - began > 10_000; // the emulator's bank is silent for ten seconds: a slower machine has missed them
  assert.ok(status === 'pending' || (late && status === 'cancelled'), status);
});
