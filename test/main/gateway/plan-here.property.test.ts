// A gateway that plans by itself says what its engine would say: the same forms, at the same instant of the same market,
// are planned by both, over the line that is between their processes.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import type { EngineApi } from '../../../src/engine/interface/engine-api.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import { remoteEngine } from '../../../src/engine/link/remote-engine.ts';
import { serveLine } from '../../../src/engine/link/serve-line.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { DirectoryCopy } from '../../../src/gateway/desks/directory-copy.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { gatewayReads } from '../../../src/main/gateway/gateway-reads.ts';
import { planHere } from '../../../src/main/gateway/plan-here.ts';
import { LimitsInForce } from '../../../src/main/wiring/limits-in-force.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { BELIEVING, NO_DESKS, UNPACED } from '../../doubles/lone-api.ts';
import { MemoryEngineLine } from '../../doubles/memory/memory-engine-line.ts';
import { BY, form, legForm } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ungated } from '../../support/engine/venue-records.ts';

const ACCOUNT = accountId('10001');
const PAPER = venueName('paper');
const ROOT = new URL('../../../', import.meta.url).pathname;

interface Both {
  readonly engine: Operations;
  readonly gateway: Pick<Operations, 'plan'>;
  readonly pass: (forMs: number) => Promise<void>;
  readonly venue: PaperVenue;
  readonly close: () => Promise<void>;
}

async function openBoth(): Promise<Both> {
  const reading = loadConfig(`${ROOT}config/paper.yaml`, { environment: () => undefined });
  if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
  const config = {
    ...reading.value,
    accounts: [{ id: ACCOUNT, name: 'desk', venue: PAPER, dummy: false }],
  };
  const limits = new LimitsInForce(config);
  Object.defineProperty(limits.settings, 'orderUsdMax', { value: money('2000000') });
  const clock = new VirtualClock(NOON);
  const observer = witness();
  const onFault = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const venue = openPaperVenue({
    name: PAPER,
    clock,
    accounts: [{ account: ACCOUNT }],
    onFault,
    market: (bornAt) => seededMarket({ seed: 'plans', startAt: bornAt }),
    quietWindows: [{ fromMs: 12 * 3_600_000 + 60_000, toMs: 12 * 3_600_000 + 3_540_000 }],
  });
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const assembled = assembleEngine({
    ...ALONE,
    gate: unlimitedGate({ clock, observer }),
    clock,
    observer,
    ledger,
    settings: limits.settings,
    limits: () => limits.submit,
    venues: { forAccount: (one) => (one === ACCOUNT ? venue : undefined), all: () => [venue] },
    bus: new MemoryEventBus(onFault),
    queue: new VirtualQueue(clock, { onFault }),
    sweepMs: 1_000,
    compareMs: 5_000,
    onBroken: onFault,
  });
  await assembled.engine.start();
  const operations = new EngineOperations({ ...assembled, ledger, clock });
  const desk = ungated(venue);
  const orders: OrderOperations = {
    ...NO_DESKS,
    forAccount: () => desk,
    accounts: () => [[ACCOUNT, PAPER]],
    marginsFor: () => venue.margins,
    venues: () => [venue],
  };
  const line = new MemoryEngineLine({ carry: (act) => void setImmediate(act) });
  const served = {
    ...methodApi({ orders, clock, notReady: () => [] }),
    portfolios: operations,
    trading: { limitUse: () => Promise.resolve([]) },
  } as unknown as EngineApi;
  line.connect(serveLine({ ...BELIEVING, engine: served, onFault }));
  const remote = remoteEngine({ line, asker: () => undefined, openReads: UNPACED, onFault });
  const directory = new DirectoryCopy(remote);
  await directory.ready;
  const plan = planHere({ engine: remote, directory, config, limits, clock });
  const gateway = gatewayReads({ engine: remote.portfolios, ledger, plan });
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), crossed);
  for (const name of INSTRUMENTS) venue.watch(instrumentName(name));
  await pass(3_000);
  const close = async (): Promise<void> => {
    directory.close();
    assembled.engine.stop();
    await venue.close();
  };
  return { engine: operations, gateway, pass, venue, close };
}

/** Each way over the line takes a turn of the event loop: a request, its answer, and what that starts. */
const crossed = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
};

const INSTRUMENTS = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC'];

const rarely = fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true));

const leg: fc.Arbitrary<PortfolioForm['legs'][number]> = fc
  .record({
    instrument: fc.oneof(
      { weight: 16, arbitrary: fc.constantFrom('BTC-PERPETUAL', 'BTC_USDC') },
      fc.constantFrom('ETH-PERPETUAL', 'BTC-PERPETUALS', 'DOGE_USDC'),
    ),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    lots: fc.integer({ min: 20, max: 40_000 }),
    kind: fc.constantFrom('market', 'limit', 'dynamic'),
    reduceOnly: rarely,
    hedge: rarely,
  })
  .map(({ instrument, side, lots, kind, ...flags }) => {
    const isSpot = instrument.includes('_');
    const limit = { price: price('90000'), priceIn: 'USD' } as const;
    const dynamic = { dynamicPriceStrategy: 'mid', dynamicMs: 500 } as const;
    const byKind = {
      market: { priceType: 'market' },
      limit: { priceType: 'limit', ...limit },
      dynamic: { priceType: 'dynamic', ...limit, ...dynamic },
    } as const;
    return legForm({
      instrument,
      side,
      ...flags,
      priceOptions: byKind[kind as keyof typeof byKind],
      instrumentType: isSpot ? 'spot' : 'perpetual',
      quantity: quantity(isSpot ? (lots / 1_000).toFixed(3) : String(lots * 10)),
    });
  });

const asked: fc.Arbitrary<PortfolioForm> = fc
  .record({
    legs: fc.array(leg, { minLength: 1, maxLength: 3, size: 'max' }),
    frequencySec: fc.integer({ min: 2, max: 120 }),
    slices: fc.integer({ min: 4, max: 20 }),
    endAction: fc.constantFrom('market' as const, 'cancel' as const),
    isStranger: rarely,
    avoidWindows: rarely,
    participationMax: fc.option(fc.double({ min: 0.000_001, max: 1, noNaN: true }), {
      nil: undefined,
    }),
  })
  .map(({ legs, frequencySec, slices, endAction, isStranger, avoidWindows, participationMax }) =>
    form({
      legs,
      accountId: isStranger ? accountId('99') : ACCOUNT,
      twapTrade: { durationSec: frequencySec * slices, frequencySec },
      execution: {
        endAction,
        avoidWindows,
        ...(participationMax === undefined ? {} : { participationMax }),
      },
    }),
  );

let both: Both;
beforeAll(async () => {
  both = await openBoth();
});
afterAll(() => both.close());

test('a plan made in the gateway is the plan that the engine makes at that instant, or the same refusal', async () => {
  const kinds = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(asked, async (wanted) => {
      const { engine, gateway, pass } = both;
      const answers = Promise.all([engine.plan(wanted, BY), gateway.plan(wanted, BY)]);
      await pass(50);
      const [there, here] = await answers;
      kinds.set(here.kind, (kinds.get(here.kind) ?? 0) + 1);
      expect(here).toEqual(there);
      // Quotes are old by the next one.
      await pass(500);
    }),
    { numRuns: 300 },
  );
  expect(kinds.get('done')).toBeGreaterThan(20);
  expect(kinds.get('refused')).toBeGreaterThan(20);
});
