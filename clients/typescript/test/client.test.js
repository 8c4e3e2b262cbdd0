import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Client, MaquininhaError, fromCents, toCents } from '@maquininha/client';
import { Client as BrowserClient } from '../src/index.js';
import { Terminal, password, user } from './terminal.js';

// The smallest picture: one white dot.
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==', 'base64');
const xml = readFileSync(new URL('../../../internal/fiscal/testdata/nfce.xml', import.meta.url), 'utf8');

const kind = (k) => (error) => error instanceof MaquininhaError && error.kind === k;

for (const [name, make] of [
  ['node', (t) => t.client()],
  ['fetch', (t) => new BrowserClient(t.base, user, password)],
]) {
  test(`the whole interface over ${name}`, async (t) => {
    const terminal = await Terminal.start(t, '--platform', 'android');
    const c = make(terminal);
    await c.startSale({ customerName: 'Ana', sellerName: 'Bruno' });
    await c.updateSale({ sellerName: null, additionalInfo: 'Mesa 4' });
    const id = await c.addItem({ id: 'a/b ç?', code: '789', description: 'Café "10"', quantity: 2, unitPrice: '18.90', discount: '1.80', total: '36.00' });
    assert.equal(id, 'a/b ç?');
    await c.updateItem(id, { quantity: '3', discount: null, total: fromCents(5670) });
    const second = await c.addItem({ code: '2', description: 'Pão', quantity: 0.412, unitPrice: 39.9, total: 16.44 });
    await c.cancelItem(second);
    await c.removeItem(await c.addItem({ code: '3', description: 'Bala', quantity: '1', unitPrice: '0.10', total: '0.10' }));
    const cash = await c.addPayment({ tPag: 'money', value: '50' });
    await c.updatePayment(cash, { value: '60.00' });
    await c.removePayment(await c.addPayment({ value: 1 }));
    const coupon = await c.addDiscount({ id: 'cupom', description: 'Cupom', value: '-2.00' });
    await c.updateDiscount(coupon, { value: 1.5 });
    await c.removeDiscount(await c.addDiscount({ value: '1' }));
    const delivery = await c.addAddition({ value: '1.50' });
    await c.updateAddition(delivery, { description: 'Entrega' });
    await c.removeAddition(await c.addAddition({ value: '1' }));
    const { sale, items, payments, discounts, additions, summary } = await c.sale();
    assert.deepEqual([...discounts, ...additions].map((a) => [a.id, a.description, a.value]), [['cupom', 'Cupom', '1.5'], [delivery, 'Entrega', '1.50']]);
    assert.deepEqual([sale.customerName, sale.sellerName, sale.additionalInfo], ['Ana', null, 'Mesa 4']);
    assert.deepEqual(items.map((i) => [i.id, i.quantity, i.unitPrice, i.discount, i.total, i.canceled]), [
      [id, '3', '18.90', null, '56.70', false], [second, '0.412', '39.9', null, '16.44', true],
    ]);
    assert.deepEqual(payments.map((p) => [p.id, p.tPag, p.value]), [[cash, 'money', '60.00']]);
    assert.deepEqual([toCents(summary.change), summary.itemCount], [330, 1]);
    const sold = await c.finalizeSale({ message: 'Obrigado!', messageInterval: 0 });
    await c.startSale({ total: '7.10' });
    assert.equal((await c.sale()).sale.total, '7.10');
    for (const list of ['item', 'payment', 'discount', 'addition', undefined]) await c.clearSale(list);
    const cancelled = await c.cancelSale({ showResultScreen: false });
    const ended = await c.endedSale(sold);
    assert.deepEqual([ended.status, ended.items, ended.discounts, ended.summary, ended.transactions], ['finalized', items, discounts, summary, []]);
    assert.deepEqual((await c.endedSales({ since: new Date(0), limit: 5 })).map((s) => [s.saleId, s.status, s.sale.total]), [[cancelled, 'cancelled', null], [sold, 'finalized', null]]);

    assert.deepEqual(await c.ask({ id: 7, type: 'CPF', defaultValue: '529.982.247-25' }, { showCancelButton: true }), { id: 7, value: '52998224725' });
    const options = [{ id: 1, name: 'Sim', value: 's' }];
    assert.deepEqual(await c.askForm([{ defaultValue: 'Ana' }, { type: 'BUTTON', options }]), [{ id: 0, value: 'Ana' }, { id: 1, value: 's' }]);
    await c.cancelAsk();

    await c.printImage(picture);
    await c.printText([{ text: { value: 'Recibo', bold: true, align: 'center' } }, { line: { divider: true } }]);
    await c.printXML(xml);
    await c.printACBr('</ce><n>Pão</n>\n</linha_simples>\n</corte>');
    await c.printText([{ qrcode: { content: 'https://exemplo.com.br', size: 160 } }, { barcode: { content: '789100010010', type: 'ean13' } }]);
    await c.openDrawer();
    await c.notify({ title: 'Caixa 3', message: 'Chame o gerente' });
    const begins = (/** @type {Uint8Array} */ document) => Buffer.from(document).subarray(0, 4).toString('latin1');
    assert.equal(begins(await c.renderImage(picture)), '\x89PNG');
    assert.equal(begins(await c.renderText([{ text: { value: 'Recibo' } }], { format: 'pdf' })), '%PDF');
    assert.equal(begins(await c.renderXML(xml, { width: 384 })), '\x89PNG');
    assert.equal(begins(await c.renderACBr('Pão\n</corte>', { format: 'escpos' })).slice(0, 2), '\x1b@');
    await c.displayImage(picture, { showCloseButton: false });
    await c.displayText({ content: [{ text: { value: 'Caixa livre' } }], backgroundColor: '#fff' });
    await c.displayCarousel({ images: [new Uint8Array(picture), picture.toString('base64')], backgroundColor: '#000' });
    await c.popDisplay();
    await c.clearDisplay();

    const paid = await c.pay({ tPag: '03', amount: '56.70', referenceId: 'pedido/1', installments: 3, installmentType: 'seller', details: { amount: 1.5 } });
    assert.deepEqual([paid.message, paid.details.amount, paid.details.installments, paid.details.request], ['Transação aprovada', '56.70', 3, { amount: 1.5 }]);
    assert.deepEqual(await c.transaction('pedido/1'), paid);
    assert.deepEqual(await c.transactions({ status: 'approved', limit: 5, since: new Date(0) }), [paid]);
    for (const amount of [undefined, null]) await assert.rejects(c.reversePart('pedido/1', /** @type {any} */ ({ amount, reversalId: 'troca-1' })), TypeError);
    const { details } = await c.reversePart('pedido/1', { amount: '6.70', reversalId: 'troca-1' });
    assert.deepEqual([details.status, details.reversal, details.reversed, details.reversals[0].amount, details.reversals[0].reversalId], ['approved', null, '6.70', '6.70', 'troca-1']);
    assert.equal((await c.reverse('pedido/1')).details.status, 'reversed');

    assert.equal(await c.operation(), null);
    for await (const operation of await c.streamOperation()) {
      assert.equal(operation, null);
      break;
    }
    await assert.rejects(c.cancelOperation({ referenceId: 'pedido/1' }), { kind: 'notFound' });
    const stream = await c.streamLogs();
    await c.cancelAsk();
    for await (const entry of stream) {
      if (entry.message.includes('/ask/cancel')) break;
    }
    assert.equal((await c.logs({ source: 'http', search: '/sale/item', limit: 3 })).length, 3);
    assert.equal(Buffer.from(await c.downloadLogs({ limit: 5 })).subarray(0, 2).toString(), 'PK');
    const before = await c.status();
    const info = await c.info();
    assert.deepEqual([before.status, info.platform, info.isBusy], ['ok', 'android', false]);
    assert.ok((await c.restart()).startedAt > before.startedAt);
  });
}

test('a terminal that also serves others', async (t) => {
  const c = (await Terminal.start(t, '--compat', 'tefip')).client();
  assert.equal((await c.info()).compat, 'tefip');
  const stream = await c.streamLogs();
  const paid = await c.pay({ tPag: '17', amount: '10.00', referenceId: 'outro' });
  assert.deepEqual([paid.details.amount, (await c.transaction('outro')).nsu], ['10.00', paid.nsu]);
  for await (const entry of stream) {
    if (!entry.message.startsWith('POST /transaction ')) continue;
    assert.deepEqual(await c.logs({ search: 'POST /transaction ', limit: 1 }), [entry]);
    assert.deepEqual([typeof entry.id, new Date(entry.createdAt).getUTCFullYear() > 2000], ['string', true]);
    break;
  }
});

test('errors say what they are', async (t) => {
  const terminal = await Terminal.start(t);
  const c = terminal.client();
  await assert.rejects(new Client(terminal.base, 'loja', 'errada').status(), kind('unauthorized'));
  await assert.rejects(c.finalizeSale(), kind('conflict'));
  await assert.rejects(c.transaction('nunca'), kind('notFound'));
  await assert.rejects(c.askForm([]), kind('invalid'));
  await assert.rejects(c.printText([]), (e) => kind('invalid')(e) && e.status === 400 && e.code === 500);
  await assert.rejects(c.printImage(Buffer.from('nada')), (e) => kind('notPrinted')(e) && e.reason !== '' && e.message.includes(e.reason));
  await assert.rejects(c.restart(), (e) => kind('other')(e) && e.status === 403);
  await assert.rejects(c.removeItem('..'), TypeError);
  await assert.rejects(c.pay({ tPag: '03', amount: 0.1 + 0.2 }), TypeError);
  await assert.rejects(c.pay({ tPag: '03', amount: '7,49' }), TypeError);
  assert.throws(() => new Client('192.168.0.10:9050', '', ''), TypeError);
  await terminal.kill();
  await assert.rejects(c.status(), kind('unreachable'));
  await assert.rejects(new BrowserClient(terminal.base, 'a', 'b').pay({ tPag: '03', amount: 1, referenceId: 'r' }), kind('unreachable'));
});

test('questions are held, cancelled and aborted', async (t) => {
  const terminal = await Terminal.start(t, '--operator', 'human');
  const c = terminal.client({ timeout: 50 }); // which is not for them
  const shown = () => terminal.until('/emulator/screen', (s) => s.question);
  let asking = assert.rejects(c.ask({ question: 'Nome?' }), kind('questionCancelled'));
  await shown();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await terminal.call('POST', '/ask/cancel');
  await asking;
  const end = new AbortController();
  asking = assert.rejects(c.ask({ question: 'Nome?' }, {}, { signal: end.signal }), { name: 'AbortError' });
  await shown();
  end.abort();
  await asking;
  await terminal.until('/emulator/screen', (s) => !s.question);
  await assert.rejects(c.status({ signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('the running operation is seen and cancelled', async (t) => {
  const terminal = await Terminal.start(t, '--operator', 'human');
  const c = terminal.client();
  await terminal.call('POST', '/emulator/foreground', { active: true });
  const stream = await c.streamOperation();
  const paying = assert.rejects(c.pay({ tPag: '17', amount: '18.90', referenceId: 'r1', timeout: 3600 }), kind('cancelled'));
  for await (const o of stream) {
    if (o?.step !== 'pix') continue;
    assert.deepEqual([o.kind, o.referenceId, o.amount, o.cancellable], ['payment', 'r1', '18.90', true]);
    assert.match(o.pix.code, /^000201/);
    break;
  }
  await assert.rejects(c.cancelOperation({ referenceId: 'of the last customer' }), kind('conflict'));
  await c.cancelOperation({ referenceId: 'r1' });
  await paying;
  const asking = assert.rejects(c.ask({ question: 'Nome?' }, { timeout: 60 }), kind('questionCancelled'));
  await terminal.until('/emulator/screen', (s) => s.question);
  assert.equal((await c.operation()).message, 'Nome?');
  await c.cancelOperation();
  await asking;
  await assert.rejects(c.ask({ question: 'Nome?' }, { timeout: 9 }), kind('invalid'));
});

test('the log stream ends with an error or with its signal', async (t) => {
  const terminal = await Terminal.start(t);
  const c = terminal.client();
  const end = new AbortController();
  const stream = await c.streamLogs({ signal: end.signal });
  await c.cancelAsk();
  assert.ok((await stream.next()).value.message);
  end.abort();
  await assert.rejects(async () => { for await (const _ of stream); }, { name: 'AbortError' });
  const other = await c.streamLogs();
  await terminal.kill();
  await assert.rejects(async () => { for await (const _ of other); }, kind('noAnswer'));
});

test('a pinned key is the only one trusted', async (t) => {
  const terminal = await Terminal.start(t, '--tls-listen', '127.0.0.1:0');
  const { secure, pin } = terminal;
  assert.equal((await terminal.client({ pin }, secure).status()).status, 'ok');
  await assert.rejects(terminal.client({ pin: `sha256//${'A'.repeat(43)}=` }, secure).status(), kind('wrongKey'));
  await assert.rejects(terminal.client({}, secure).status(), kind('unreachable'));
  assert.throws(() => terminal.client({ pin: 'x' }, secure), TypeError);
  assert.throws(() => terminal.client({ pin }), TypeError);
  assert.throws(() => new BrowserClient(secure, 'a', 'b', { pin }), TypeError);
});

test('cents', () => {
  for (const [cents, text] of [[0, '0.00'], [5, '0.05'], [5424, '54.24'], [-7, '-0.07']]) {
    assert.equal(fromCents(cents), text);
    assert.equal(toCents(text), cents);
  }
  assert.equal(toCents('7.1'), 710);
  assert.equal(toCents('7.100'), 710);
  for (const bad of ['', '1,5', '0.001', 'NaN', '99999999999999999']) assert.throws(() => toCents(bad), RangeError);
  assert.throws(() => fromCents(0.5), RangeError);
});

test('nothing that a page sends is what a form could send', async () => {
  const types = [];
  const answer = async (_, init) => {
    types.push(new Headers(init.headers).get('Content-Type'));
    return new Response('{"message":"ok"}', { headers: { 'Content-Type': 'application/json' } });
  };
  const c = new BrowserClient('http://terminal.example', 'loja', 'segrêdo', { fetch: answer });
  await c.printACBr('Pão');
  await c.printImage(picture);
  await c.printXML(xml);
  await c.finalizeSale();
  assert.equal(types.length, 4);
  for (const type of types) assert.doesNotMatch(type ?? '', /^$|^text\/plain|^application\/x-www-form|^multipart/);
});
