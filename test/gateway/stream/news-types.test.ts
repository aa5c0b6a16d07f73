// Leads portfolios through everything that can happen to one, over the real gateway: every message type is
// published with the documented payload, and no other type is.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { NewsFeed } from '../../../src/engine/news/news-feed.ts';
import { newsFrameSchema } from '../../../src/gateway/docs/asyncapi-frames.ts';
import { DETAILS, NEWS_DETAILS, NEWS_TYPES } from '../../../src/gateway/stream/news-details.ts';
import { price } from '../../../src/values/amounts.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { until } from '../../adapters/until.ts';
import { type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../../support/engine/markets.ts';
import { expectNewsOrder } from '../../support/engine/news-order.ts';
import { ScriptRfqs } from '../../support/engine/script-rfqs.ts';
import { GatewayUnderTest, PATH, perpetualBody } from '../gateway-under-test.ts';
import { StreamListener } from '../stream-listener.ts';

const PERP = perpetual();
const COIN = spot();
const FAR = { priceType: 'LIMIT', price: '90000', priceIn: 'USD' };

let w: World;
let rfqs: ScriptRfqs;
let gateway: GatewayUnderTest;

beforeEach(async () => {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  rfqs = new ScriptRfqs(clock);
  w = world({ clock, ledger, rfqs, instruments: [PERP, COIN], dummies: ['20001'] });
  await w.engine.start();
  const { bus, operations, observer } = w;
  const news = new NewsFeed({
    bus,
    ledger,
    observer,
    log: ledger.turnLog,
    clock: new SystemClock({ unref: true }),
  });
  gateway = await GatewayUnderTest.start({}, { news, operations });
});
afterEach(async () => {
  await gateway.close();
  w.engine.stop();
});

/** Advances time with a visible market. */
async function pass(forMs: number, at = 100_000): Promise<void> {
  for (let past = 0; past < forMs; past += 1_000) {
    w.venue.show(quote(PERP, [at - 0.5, at]));
    w.venue.show(quote(COIN, [at - 10, at + 10]));
    await w.run(1_000);
  }
}

async function request(name: string, body: unknown): Promise<string> {
  const { json } = await gateway.request(`${PATH}/${name}`, { body });
  if (json.succ !== true) throw new Error(`${name}: ${JSON.stringify(json)}`);
  return String(json.value?.portfolioId);
}

type Change = Readonly<Record<string, unknown>>;
const LEG = perpetualBody().legs[0];
const bodyOf = (leg: Change, change: Change = {}): Change =>
  perpetualBody({
    twapTrade: { durationSec: 10, frequencySec: 5 },
    legs: [{ ...LEG, quantity: '600', ...leg }],
    ...change,
  });

/** The market is empty at first, then everything fills; a dummy account mirrors it. */
async function waitsAndFills(): Promise<void> {
  await request('submit', bodyOf({}, { sendToDummyAccountIds: [20001] }));
  await w.run(2_000);
  w.venue.mishaps.push({ code: 10009, later: true });
  await pass(30_000);
}

async function heldAmendedCancelled(): Promise<void> {
  const twapTrade = { durationSec: 60, frequencySec: 5 };
  const portfolioId = await request('submit', bodyOf({ priceOptions: FAR }, { twapTrade }));
  await pass(3_000);
  await request('pause', { portfolioId });
  await pass(15_000);
  await request('resume', { portfolioId });
  await request('amend', { portfolioId, durationSec: 120 });
  await pass(3_000);
  await request('cancel', { portfolioId });
  await pass(5_000);
}

/** The spot leg rests away from the market: the part exceeds its time and is completed with market orders. */
async function byParts(): Promise<void> {
  const resting = {
    instrument: COIN.name,
    instrumentType: 'SPOT',
    side: 2,
    quantity: '0.03',
    priceOptions: {
      priceType: 'DYNAMIC',
      price: '100000',
      priceIn: 'USDC',
      dynamicPriceStrategy: 'ASK',
      dynamicMs: 500,
    },
  };
  const balanceTrade = { parts: 2, eachLimitMs: 2_000, totalLimitMs: 0, totalEndAction: 1 };
  const legs = [{ ...LEG, quantity: '300' }, resting];
  await request('submit', {
    accountId: 10001,
    portfolioType: 'BALANCE',
    balanceTrade,
    legs,
  });
  await pass(20_000);
}

const asRfq = (rfq: Change = {}): Change =>
  bodyOf({ priceOptions: FAR }, { execution: { endAction: 'rfq', rfq: { limitBps: 10, ...rfq } } });

async function residualTaken(): Promise<void> {
  await request('submit', asRfq());
  await pass(12_000);
  rfqs.offer = { price: price('100050'), makers: 3 };
  await pass(15_000);
  rfqs.offer = undefined;
}

async function residualUnheard(): Promise<void> {
  rfqs.mishaps.push('lose_request');
  await request('submit', asRfq());
  await pass(60_000);
}

/** The first accept is refused and later ones are lost; then the RFQ is cancelled. */
async function residualInTrouble(): Promise<void> {
  let accepts = 0;
  rfqs.mishap = (method) => {
    if (method !== 'accept') return undefined;
    accepts += 1;
    return accepts === 1 ? { code: 10009 } : 'lose_request';
  };
  await request('submit', asRfq({ waitSec: 60 }));
  await pass(15_000);
  rfqs.offer = { price: price('100040'), makers: 1 };
  await pass(100_000);
  rfqs.offer = undefined;
  rfqs.mishap = () => undefined;
}

async function residualWithoutQuotes(): Promise<void> {
  await request('submit', asRfq());
  await pass(60_000);
}

async function residualRefusedOrSkipped(): Promise<void> {
  rfqs.mishaps.push({ code: 13021 });
  await request('submit', asRfq());
  await pass(60_000);
  const portfolioId = await request('submit', asRfq());
  await pass(3_000);
  await request('pause', { portfolioId });
  await pass(20_000);
}

/** The order is not found for long, counts as never sent, and trades after all. */
async function contradicted(): Promise<void> {
  w.venue.mishaps.push('lose_reply');
  w.venue.readLagMs = () => 3_600_000;
  const priceOptions = { ...FAR, price: '99000' };
  const twapTrade = { durationSec: 300, frequencySec: 150 };
  await request('submit', bodyOf({ priceOptions }, { twapTrade }));
  await pass(30_000);
  w.venue.readLagMs = () => 0;
  await pass(5_000, 98_000);
}

/** The spot hedge loses its market, and its portfolio is cancelled. */
async function endsUnhedged(): Promise<void> {
  const hedge = {
    instrument: COIN.name,
    instrumentType: 'SPOT',
    side: 2,
    quantity: '0.006',
    hedge: true,
    priceOptions: { priceType: 'MARKET' },
  };
  const legs = [{ ...LEG, quantity: '600' }, hedge];
  const portfolioId = await request('submit', bodyOf({}, { legs }));
  w.venue.hide(COIN.name);
  await w.run(3_000);
  await request('cancel', { portfolioId });
  await w.run(15_000);
}

test('every message type is published with the documented payload, and no other type is', async () => {
  const listener = await StreamListener.open(gateway.url);
  let published = 0;
  w.bus.subscribe(() => {
    published += 1;
  });
  await listener.say({ op: 'subscribe', data: [{ channel: 'trade-news' }] });
  for (const life of [
    waitsAndFills,
    heldAmendedCancelled,
    byParts,
    residualTaken,
    residualInTrouble,
    residualUnheard,
    residualWithoutQuotes,
    residualRefusedOrSkipped,
    contradicted,
    endsUnhedged,
  ]) {
    await life();
  }
  const frames = () => listener.frames.filter(({ op }) => op === 'push');
  await until(() => frames().length === published);
  const types = new Set(frames().map(({ data }) => data.messageType));
  expect([...types].sort()).toEqual([...NEWS_TYPES].sort());
  const byPortfolio = Map.groupBy(frames(), ({ data }) => data.portfolioId);
  expect(byPortfolio.size).toBeGreaterThan(8);
  for (const messages of byPortfolio.values()) expectNewsOrder(messages.map(({ data }) => data));
  const kinds = new Set<string>();
  for (const frame of frames()) {
    // Undocumented fields would be missing from the parsed frame.
    expect(newsFrameSchema.strict().parse(frame)).toEqual(frame);
    const { messageType, detail, reason } = frame.data;
    const allowed: readonly string[] = NEWS_DETAILS[messageType as keyof typeof NEWS_DETAILS];
    if (allowed.length === 0) expect(detail).toBeUndefined();
    else expect(allowed).toContain(detail.kind);
    if (
      ['PORTFOLIO_CANCELLING', 'PORTFOLIO_CANCELLED', 'PORTFOLIO_WAITING'].includes(messageType)
    ) {
      expect(reason).toBe(detail.reason);
    } else expect(reason).toBeUndefined();
    if (detail !== undefined) kinds.add(detail.kind);
  }
  expect([...kinds].sort()).toEqual(Object.keys(DETAILS).sort());
});

test('docs/interface.md has a row for every type, and for no other', () => {
  const rows = readFileSync('docs/interface.md', 'utf8').matchAll(/^\| (`PORTFOLIO_.*?) \|/gm);
  const named = [...rows].flatMap(([, row = '']) => row.match(/PORTFOLIO_\w+/g) ?? []);
  expect(named.sort()).toEqual([...NEWS_TYPES].sort());
});
