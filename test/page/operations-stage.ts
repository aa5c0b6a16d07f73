// A gateway with something to see on every screen of operations: two venues of which one is down, strategies with a faulty
// file, limits, and a paper exchange.
import { setTimeout as rest } from 'node:timers/promises';
import { createMetrics } from '../../src/adapters/telemetry/metrics/metrics.ts';
import { TradingSwitches } from '../../src/engine/kill-switch/trading-switches.ts';
import { type Unaccounted, unaccountedMark } from '../../src/engine/recovery/unaccounted.ts';
import { accountId, portfolioId } from '../../src/values/ids.ts';
import { HOUR_MS, later } from '../../src/values/instant.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { NOON } from '../adapters/paper/paper-stage.ts';
import { MemorySwitchRecords } from '../doubles/memory/memory-switch-records.ts';
import { RidStage } from '../gateway/order-api/rid-stage.ts';
import { ListedStrategies } from '../gateway/trading/listed-strategies.ts';
import { witness } from '../support/engine/quiet-observer.ts';

const LOOK_EVERY_MS = 50;

function measured() {
  const metrics = createMetrics({
    version: 'test',
    deployment: 'test',
    runbookUrl: 'https://runbook.test/ops',
    venues: ['paper', 'deribit'],
  });
  metrics.venueUp.set({ venue: 'paper' }, 1);
  metrics.venueUp.set({ venue: 'deribit' }, 0);
  metrics.venueClockOffset.set({ venue: 'deribit' }, -0.25);
  metrics.rateTokens.set({ venue: 'deribit', bucket: 'orders' }, 3);
  metrics.rateBurst.set({ venue: 'deribit', bucket: 'orders' }, 20);
  metrics.auditLast.set(NOON / 1_000);
  return metrics;
}

export interface OperationsStage {
  readonly stage: RidStage;
  readonly strategies: ListedStrategies;
  /** A code for the page. */
  codeOf(purpose: 'open' | 'confirm'): Promise<string>;
  /** Sets the limits of a group of protection that is frozen until it is reset, once it trips. */
  protect(): Promise<unknown>;
  /** From now on the ledger is one that was restored, behind its venue. */
  unaccounted(): void;
  buy(): Promise<unknown>;
  /** Buys contracts of so many dollars under protection, and waits until its trades are counted. */
  buyProtected(dollars: string): Promise<void>;
}

export async function operationsStage(): Promise<OperationsStage> {
  const strategies = new ListedStrategies(later(NOON, 4 * HOUR_MS));
  const metrics = measured();
  const switchRecords = new MemorySwitchRecords();
  const switches = await TradingSwitches.open({
    records: switchRecords,
    observer: witness(),
    clock: new VirtualClock(NOON),
  });
  const stage: RidStage = await RidStage.start({}, undefined, undefined, undefined, undefined, {
    strategies,
    switches,
    switchRecords,
    metrics: () => metrics.registry.metrics(),
    keys: {
      find: (id) => stage.gateway.keys.get(id),
      all: () => [...stage.gateway.keys.values()],
    },
    limitUseOf: (account) => [
      { account, control: 'gross', unit: 'USD', limit: '1000', used: '900' },
      { account, control: 'position', unit: 'BTC', instrument: 'BTC-PERPETUAL', used: '3' },
    ],
  });
  stage.gateway.nowMs = NOON;
  return {
    stage,
    strategies,
    codeOf: async (purpose) => {
      const target = '/tt/broker/openapi/trading/page-code';
      const { json } = await stage.gateway.request(target, { body: { purpose } });
      return json.value.code;
    },
    protect: () =>
      stage.post('block/rfqs/set_mmp_config', {
        indexName: 'btc_usd',
        interval: 3_600,
        frozenTime: 0,
        quantityLimit: '5',
      }),
    unaccounted: () => {
      const found: Unaccounted = {
        account: accountId('10001'),
        since: NOON - 900_000,
        checkedAt: NOON - 60_000,
        legs: [
          {
            portfolio: portfolioId('1795000000000001'),
            isInLedger: false,
            leg: 1,
            instrument: 'BTC-PERPETUAL',
            side: 'buy',
            open: '500',
            orders: 2,
            filled: '1250.5',
            trades: 3,
            firstAt: NOON - 800_000,
            lastAt: NOON - 700_000,
          },
        ],
        labels: [],
      };
      stage.gateway.metadata.set(unaccountedMark(found.account), JSON.stringify(found));
    },
    buy: () =>
      stage.post('private/buy', {
        instrumentName: 'BTC-PERPETUAL',
        quantity: '1000',
        type: 'market',
      }),
    buyProtected: async (dollars) => {
      await stage.post('private/buy', {
        instrumentName: 'BTC-PERPETUAL',
        quantity: dollars,
        mmp: true,
        price: await stage.restingPrice('sell'),
        timeInForce: 'immediate_or_cancel',
      });
      const used = async () =>
        (await stage.post('private/get_mmp_config', {})).result.results[0].used;
      while ((await used()) === null) await rest(LOOK_EVERY_MS);
    },
  };
}
