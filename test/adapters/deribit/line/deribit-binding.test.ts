// A ledger is bound to one exchange: another exchange's answer about our orders proves nothing, least of all
// that there are none.
import { afterEach, describe, expect, test } from 'vitest';
import { remoteBinding, VenueMismatch } from '../../../../src/main/wiring/bind-venue.ts';
import { must } from '../../../../src/values/assert.ts';
import { MemoryLedger } from '../../../../src/virtual/memory/memory-ledger.ts';
import { ACCOUNT, anOrder, BTC, NOON } from '../../paper/paper-stage.ts';
import { until } from '../../until.ts';
import { connectTo } from '../connect-deribit.ts';
import { type ServeDeribitOptions, serveDeribit } from '../deribit-stage.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A closed exchange is noticed at once; an answer may take as long as a busy machine needs. */
const RULES = {
  timeoutMs: 30_000,
  probeMs: 30_000,
  backoff: { minMs: 20, maxMs: 50, heldMs: 1_000 },
};

async function served(options: ServeDeribitOptions) {
  const exchange = await serveDeribit(options);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await exchange.close();
    isOpen = false;
  };
  closers.push(close);
  return { ...exchange, close };
}

async function daemon(url: string, ledger: MemoryLedger) {
  const bind = remoteBinding(ledger, 'deribit');
  const connected = await connectTo(url, { rules: RULES, bind, firstWaitMs: 500 });
  closers.push(() => connected.venue.close());
  return connected;
}

const emptyLedger = () => new MemoryLedger({ now: () => NOON });

describe('a ledger bound to a remote exchange', () => {
  test('a ledger is bound to a remote exchange from the first connection on', async () => {
    const { url } = await served({ exchangeId: 'one' });
    const ledger = emptyLedger();
    const [one, two] = [await daemon(url, ledger), await daemon(url, ledger)];
    await until(() => one.venue.trouble() === undefined && two.venue.trouble() === undefined);
    await expect(remoteBinding(ledger, 'deribit')('two')).rejects.toBeInstanceOf(VenueMismatch);
  });

  test('a ledger bound to a remote exchange does not trade on another exchange, and does not use its answers', async () => {
    const ledger = emptyLedger();
    const one = await served({ exchangeId: 'one' });
    const { venue: known } = await daemon(one.url, ledger);
    await until(() => known.trouble() === undefined);
    const two = await served({ exchangeId: 'two' });
    const { venue, faults } = await daemon(two.url, ledger);
    await until(() => venue.trouble()?.includes('is two') === true);
    expect(venue.trouble()).toMatch(/is two and this ledger belongs to one; run the exchange/);
    expect(faults.map(String).join()).toContain('belongs to one');
    const order = anOrder(two.venue);
    expect((await venue.place(order)).kind).toBe('refused');
    const query = { account: ACCOUNT, instrument: BTC, label: order.label };
    expect((await venue.reconcile(query)).kind).toBe('unknown');
    expect(await two.venue.openOrders({ account: ACCOUNT })).toEqual({ kind: 'done', value: [] });
  });

  test('a ledger bound to a remote exchange waits for the known exchange if another one answers after a reconnect', async () => {
    const first = await served({ exchangeId: 'one' });
    const { port } = first;
    const { venue } = await daemon(first.url, emptyLedger());
    await until(() => venue.trouble() === undefined);
    await first.close();
    const swapped = await served({ exchangeId: 'two', port });
    await until(() => venue.trouble()?.includes('belongs to one') === true);
    await swapped.close();
    await served({ exchangeId: 'one', port });
    await until(() => venue.trouble() === undefined);
    expect(must(venue.instrument(BTC), 'instruments are listed').name).toBe(BTC);
  });

  test('a ledger bound to a remote exchange accepts an exchange that reports no identity', async () => {
    const { url } = await served({});
    const { venue } = await daemon(url, emptyLedger());
    await until(() => venue.trouble() === undefined);
  });
});
