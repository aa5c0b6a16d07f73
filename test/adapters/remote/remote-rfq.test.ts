// Block RFQs on a connection that breaks: a request without an answer is unknown and never sent again; the
// venue's records show its outcome.
import { afterEach, describe, expect, test } from 'vitest';
import type { RfqDesk } from '../../../src/ports/block-rfq.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import { RfqAct } from '../../conformance/rfq-act.ts';
import { BTC } from '../paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../paper/rfq-accounts.ts';
import { CuttingProxy, type Mishap } from './cutting-proxy.ts';
import { ALL_CREDENTIALS, connectTo, serveExchange } from './remote-stage.ts';
import { TurningTime } from './turning-time.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const RULES = { timeoutMs: 400, probeMs: 200, backoff: { minMs: 10, maxMs: 100, heldMs: 1_000 } };

function turned(): TurningTime {
  const time = new TurningTime();
  closers.push(() => time.stop());
  return time;
}

async function staged() {
  const { clock, pass } = turned();
  const exchange = await serveExchange({ accounts: RFQ_ACCOUNTS, clock });
  closers.push(() => exchange.close());
  const proxy = await CuttingProxy.to(exchange.port);
  closers.push(() => proxy.close());
  const { venue } = await connectTo(proxy.url, {
    clock,
    rules: RULES,
    credentials: ALL_CREDENTIALS,
  });
  closers.push(() => venue.close());
  const { rfqs } = venue;
  const act = new RfqAct({
    ...{ rfqs, venue, taker: TAKER, makers: MAKERS, perpetual: BTC },
    pass,
    close: () => Promise.resolve(),
  });
  return { act, proxy, rfqs, pass };
}

/** Repeats a query until the connection is back. */
async function answered<T>(
  ask: () => Promise<Reply<T>>,
  pass: (forMs: number) => Promise<void>,
): Promise<T> {
  for (let round = 0; round < 200; round += 1) {
    const reply = await ask();
    if (reply.kind === 'done') return reply.value;
    await pass(25);
  }
  throw new Error('the connection did not come back');
}

const tradesOf = (rfqs: RfqDesk, rfqId: string) => () =>
  rfqs.blockTrades({ account: TAKER, rfqId, count: 10 });

describe('an accept whose connection breaks', () => {
  test.each<[Mishap, number]>([
    ['before_request', 0],
    ['silence_before_request', 0],
    ['before_answer', 1],
    ['silence_after_request', 1],
  ])(
    'is unknown after %s, has traded %i times by then, and trades once in all',
    async (mishap, before) => {
      const { act, proxy, rfqs, pass } = await staged();
      const rfq = await act.opened();
      const accept = act.acceptOf(rfq, await act.quoted('sell'));
      proxy.arm(mishap);
      expect(await rfqs.accept(accept)).toMatchObject({ kind: 'unknown' });
      const first = await answered(tradesOf(rfqs, rfq.id), pass);
      expect(first.trades).toHaveLength(before);
      const again = await rfqs.accept(accept);
      expect(again.kind).toBe(before === 0 ? 'done' : 'refused');
      const { trades } = await answered(tradesOf(rfqs, rfq.id), pass);
      expect(trades).toHaveLength(1);
    },
  );
});

describe('an RFQ whose answer is lost', () => {
  test('is found by its label', async () => {
    const { act, proxy, rfqs, pass } = await staged();
    proxy.arm('before_answer');
    expect(await rfqs.create(act.newRfq({ label: 'lost' }))).toMatchObject({ kind: 'unknown' });
    const query = { account: TAKER, label: 'lost', count: 5 };
    const found = await answered(() => rfqs.rfqs(query), pass);
    expect(found.rfqs).toMatchObject([{ role: 'taker', label: 'lost' }]);
  });
});

describe('Block RFQ news after an interruption', () => {
  test('resumes by publishing the open RFQs again, with the maker role known', async () => {
    const { act, proxy, rfqs, pass } = await staged();
    const before = await act.created();
    await act.heard((news) => news.kind === 'rfq' && news.rfq.id === before.id);
    act.news.length = 0;
    proxy.cut();
    await act.heard((news) => news.kind === 'reconnected');
    await act.heard((news) => news.kind === 'rfq' && news.rfq.id === before.id);
    const after = await answered(() => rfqs.create(act.newRfq()), pass);
    await act.heard((news) => news.kind === 'rfq' && news.rfq.id === after.id);
    const [first] = MAKERS;
    await act.heard((news) => news.kind === 'rfq' && news.account === first.account);
    expect(rfqs.aliasOf(first.account)).toBe(first.alias);
  });
});
