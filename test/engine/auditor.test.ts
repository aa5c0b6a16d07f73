// The auditor beside a running engine: quiet while everything is right, and soon there when a ledger or a
// venue is not what the work goes by.
import { describe, expect, test } from 'vitest';
import { chainHash } from '../../src/adapters/system/chain-hash.ts';
import type { SwitchSetting } from '../../src/core/risk/trading-switch.ts';
import { Auditor } from '../../src/engine/auditor.ts';
import type { Ledger, StoredPortfolio } from '../../src/ports/ledger.ts';
import { price, quantity } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, childLabel, tradeId } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { MemoryAuditSeals } from '../../src/virtual/memory-audit-seals.ts';
import { auditSealsConformance } from '../conformance/audit-seals.ts';
import { form, legForm, SETTINGS, submitted, type World, world } from '../support/engine-world.ts';
import { perpetual, quote } from '../support/markets.ts';
import { type Witness, witness } from '../support/quiet-observer.ts';

const PERP = perpetual();
const EVERY_MS = 1_000;
const SOON_MS = 5_000;

type Breach = Parameters<Witness['auditBreached']>[0];

interface Stage extends World {
  readonly breaches: Breach[];
  readonly halts: SwitchSetting[];
  readonly rounds: string[];
  /** What the auditor reads instead of what is stored. */
  forge: (stored: StoredPortfolio) => StoredPortfolio;
}

async function started(): Promise<Stage> {
  const w = world();
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  const [breaches, halts, rounds]: [Breach[], SwitchSetting[], string[]] = [[], [], []];
  const stage: Stage = { ...w, breaches, halts, rounds, forge: (stored) => stored };
  const load: Ledger['load'] = async (id) => {
    const stored = await w.ledger.load(id);
    return stored && stage.forge(stored);
  };
  const auditor = new Auditor({
    ...{ clock: w.clock, ledger: { load }, settings: SETTINGS, everyMs: EVERY_MS },
    venues: { forAccount: () => w.venue, all: () => [w.venue] },
    observer: {
      ...witness(),
      auditBreached: (breach) => breaches.push(breach),
      auditRan: ({ check }) => rounds.push(check),
      failed: (told) => w.observer.failed(told),
    },
    switches: { set: (setting) => Promise.resolve(void halts.push(setting)) },
    seals: new MemoryAuditSeals(),
    hash: chainHash,
    states: () => w.engine.states(),
    peek: (id) => w.engine.peek(id),
    stored: (id) => w.engine.stored(id),
  });
  auditor.start();
  return stage;
}

const RESTING = legForm({
  priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
});

describe('MemoryAuditSeals', () => {
  const seals = new MemoryAuditSeals();
  auditSealsConformance(() => Promise.resolve(seals));
});

describe('the auditor', () => {
  test('finds nothing in a run from its start to its end, looking all the time', async () => {
    const w = await started();
    for (const legs of [[legForm()], [RESTING], [legForm({ quantity: quantity('1200') })]]) {
      await submitted(w, form({ legs }));
    }
    await w.run(90_000);
    expect(w.breaches).toEqual([]);
    expect(w.halts).toEqual([]);
    for (const check of ['state', 'ledger', 'venue']) {
      expect(w.rounds.filter((one) => one === check).length).toBeGreaterThan(60);
    }
    expect(w.observer.failures).toEqual([]);
  });

  test.each([
    [
      'changed after it was sealed',
      ({ events, ...rest }: StoredPortfolio): StoredPortfolio => ({
        ...rest,
        events: events.map((event) =>
          event.kind === 'child_intended' ? { ...event, price: '1' } : event,
        ),
      }),
    ],
    [
      'left out',
      ({ events, version, ...rest }: StoredPortfolio): StoredPortfolio => ({
        ...rest,
        ...{ version: version - 2, events: events.slice(0, -2) },
      }),
    ],
    [
      'out of their order',
      ({ events, ...rest }: StoredPortfolio): StoredPortfolio => ({
        ...rest,
        events: [...events.slice(0, 1), ...events.slice(1).reverse()],
      }),
    ],
  ])('tells of events that were %s, and halts the portfolio', async (_what, forge) => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(5_000);
    expect(w.breaches).toEqual([]);
    w.forge = forge;
    await w.run(SOON_MS);
    expect(w.breaches).toContainEqual(expect.objectContaining({ invariant: 'I15', portfolio: id }));
    expect(w.halts[0]).toMatchObject({ scope: 'portfolio', of: id, state: 'halted' });
    const told = w.breaches.length;
    await w.run(SOON_MS);
    expect(w.breaches.length).toBeLessThanOrEqual(told + 1);
  });

  test('tells of a trade of ours that was never booked', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    const kept = must(w.venue.kept[0], 'an order rests');
    const trade = {
      ...{ tradeId: tradeId('forgotten'), orderId: kept.order.orderId, label: kept.order.label },
      ...{ instrument: kept.order.instrument, side: 'buy', price: price('99000') },
      ...{ quantity: quantity('10'), fee: quantity('0'), feeCurrency: 'BTC', liquidity: 'maker' },
      at: w.clock.now(),
    };
    kept.trades.push(trade as unknown as (typeof kept.trades)[number]);
    await w.run(1_000);
    expect(w.breaches).toEqual([]);
    await w.run(SOON_MS);
    expect(w.breaches).toMatchObject([{ invariant: 'I5', portfolio: id }]);
    expect(w.halts).toMatchObject([{ scope: 'portfolio', of: id }]);
  });

  test('tells of an order with our label that no portfolio has open', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    const label = childLabel({
      ...{ deployment: SETTINGS.deployment, portfolio: id, leg: 0, slice: 900, attempt: 1 },
    });
    await w.venue.place({
      ...{ account: accountId('10001'), instrument: PERP.name, side: 'buy', label },
      ...{ quantity: quantity('10'), price: price('90000'), timeInForce: 'good_til_cancelled' },
      ...{ postOnly: false, reduceOnly: false, validUntil: later(w.clock.now(), 60_000) },
    });
    await w.run(SOON_MS);
    expect(w.breaches).toMatchObject([{ invariant: 'I4', portfolio: id }]);
  });
});
