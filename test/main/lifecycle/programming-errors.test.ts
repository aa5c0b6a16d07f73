// A mistake of the program in a store shows as one: in the log, in the metric and in /readyz. It is no answer of the store.

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { LogAndCount } from '../../../src/adapters/telemetry/observer/log-and-count.ts';
import { type Needed, readiness } from '../../../src/main/lifecycle/readiness.ts';
import type { JobQueue } from '../../../src/ports/job-queue.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { Reply, Worked } from '../../../src/ports/trading-desk.ts';
import { venueName } from '../../../src/values/ids.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { type LineLog, lineLog } from '../../adapters/telemetry/line-log.ts';
import { readScrape, sampleOf } from '../../adapters/telemetry/scrape.ts';
import { NO_DESKS } from '../../doubles/lone-api.ts';
import { GatewayUnderTest, perpetualBody, TAKER } from '../../gateway/gateway-under-test.ts';
import {
  form,
  submitted,
  type World,
  type WorldParts,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

const PERP = perpetual();

const planted = (): RangeError => new RangeError('planted, with a secret price of 61234.5');

let log: LineLog;
let observer: LogAndCount;
let gateway: GatewayUnderTest;
let claim: () => Promise<boolean>;
beforeEach(async () => {
  const metrics = createMetrics({ version: '0', deployment: 'test', venues: ['script'] });
  log = lineLog('info');
  observer = new LogAndCount(log.logger, metrics);
  claim = () => Promise.reject(planted());
  gateway = await GatewayUnderTest.start(
    {},
    {
      claimNonce: () => claim(),
      orders: {
        ...NO_DESKS,
        accounts: () => TAKER.accounts.map((account) => [account, venueName('script')]),
      },
      report: (error, where) =>
        observer.observe({ event: 'failed', where: `gateway.${where}`, error }),
      notReady: () => observer.programmingErrors(),
      metrics: () => metrics.registry.metrics(),
    },
  );
});
afterEach(() => gateway.close());

const read = (path: string): Promise<Response> => fetch(gateway.url + path);

/** The mistake as an operator sees it, in each place; `where` is the label of the metric. */
async function expectShown(where: string): Promise<void> {
  const lines = await log.lines();
  // A later line of the same mistake counts its repetitions, as a warning.
  const [line] = lines.filter(
    ({ event, level }) => event === 'programming_error' && level === 'error',
  );
  expect(line).toMatchObject({ msg: expect.stringMatching(/^programming error: /) });
  expect(JSON.stringify(line?.['err'])).toMatch(/RangeError.*programming-errors\.test\.ts/);
  const scrape = readScrape(await (await read('/metrics')).text());
  expect(sampleOf(scrape, 'twapd_programming_errors_total', { where })).toBeGreaterThan(0);
  const ready = await read('/readyz');
  expect(ready.status).toBe(503);
  const { reasons } = (await ready.json()) as { readonly reasons: readonly string[] };
  expect(reasons).toEqual([expect.stringMatching(`^programming error: RangeError in ${where}, `)]);
  expect(reasons[0]).not.toContain('61234.5');
}

/** An engine on these stores, whose slices are due. */
async function engineOn(parts: WorldParts, arm: () => void): Promise<World> {
  const seen = witness({ failed: (failure) => observer.observe(failure) });
  const w = world({ ...parts, observer: seen, onBroken: () => undefined });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  await submitted(w, form());
  arm();
  await w.run(12_000);
  return w;
}

class PlantedLedger extends MemoryLedger {
  fault: Error | undefined;

  override commit(...asked: Parameters<MemoryLedger['commit']>) {
    return this.fault === undefined ? super.commit(...asked) : Promise.reject(this.fault);
  }
}

class PlantedBus extends MemoryEventBus {
  isArmed = false;

  override publish(...news: Parameters<MemoryEventBus['publish']>): void {
    if (this.isArmed) throw planted();
    super.publish(...news);
  }
}

class PlantedVenue extends ScriptVenue {
  override place(): Promise<Reply<Worked>> {
    return Promise.reject(planted());
  }
}

const PLANTED_QUEUE: JobQueue = {
  schedule: () => Promise.reject(planted()),
  start: () => Promise.resolve(),
  hold: () => undefined,
  depth: () => Promise.resolve({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
  close: () => Promise.resolve(),
};

describe('a mistake of the program', () => {
  test('in the ledger shows', async () => {
    const clock = new VirtualClock(NOON);
    const ledger = new PlantedLedger({ now: () => clock.now() });
    await engineOn({ clock, ledger }, () => {
      ledger.fault = planted();
    });
    await expectShown('invariant');
  });

  test('wrapped by the ledger as its own failure shows, and the turn is retried', async () => {
    const clock = new VirtualClock(NOON);
    const ledger = new PlantedLedger({ now: () => clock.now() });
    const w = await engineOn({ clock, ledger }, () => {
      ledger.fault = new LedgerFailure('away', false, planted());
    });
    await expectShown('ledger');
    ledger.fault = undefined;
    await w.run(12_000);
    expect(w.venue.kept.length).toBeGreaterThan(0);
  });

  test('in the bus shows', async () => {
    const bus = new PlantedBus((error) =>
      observer.observe({ event: 'failed', where: 'bus', error }),
    );
    bus.subscribe(() => undefined);
    await engineOn({ bus }, () => {
      bus.isArmed = true;
    });
    await expectShown('invariant');
  });

  test('in the queue shows', async () => {
    await engineOn({ jobs: PLANTED_QUEUE }, () => undefined);
    await expectShown('queue.schedule');
  });

  test('in the venue shows, and the order that may have left stays of unknown outcome', async () => {
    const clock = new VirtualClock(NOON);
    const w = await engineOn({ clock, venue: new PlantedVenue(clock, [PERP]) }, () => undefined);
    await expectShown('venue_call.place');
    const kinds = w.observer.events.map(({ kind }) => kind);
    expect(kinds).toContain('child_unknown');
    expect(kinds).not.toContain('child_rejected');
  });

  test('in the claim of a nonce is an internal error, not a store that is away', async () => {
    const refused = await gateway.submit(perpetualBody());
    expect([refused.status, refused.json.code]).toEqual([500, expect.any(Number)]);
    expect(JSON.stringify(refused.json)).not.toMatch(/unavailable|planted/);
    expect(gateway.operations.forms).toEqual([]);
    await expectShown(`gateway.POST`);
  });

  test('in the claim of a signature of Deribit is an internal error, not a store that is away', async () => {
    const uri = '/api/v2/private/cancel?order_id=1';
    const [ts, nonce] = [String(gateway.nowMs), 'n1'];
    const sig = createHmac('sha256', TAKER.secret)
      .update(`${ts}\n${nonce}\nGET\n${uri}\n\n`)
      .digest('hex');
    const headers = {
      Authorization: `deri-hmac-sha256 id=${TAKER.id},ts=${ts},sig=${sig},nonce=${nonce}`,
    };
    const answer = await fetch(gateway.url + uri, { headers });
    const { error } = (await answer.json()) as { readonly error: { readonly code: number } };
    expect([answer.status, error.code]).toEqual([500, 11094]);
    await expectShown('gateway.GET');
  });

  test('differs from a store that is away', async () => {
    claim = () => Promise.reject(new Error('the store is down'));
    const refused = await gateway.submit(perpetualBody());
    expect(refused.status).toBe(503);
    expect((await read('/readyz')).status).toBe(200);
    expect(observer.programmingErrors()).toEqual([]);
  });

  test('in the probe of the ledger shows among the reasons not to be ready', async () => {
    const parts = {
      engine: { isReady: true },
      barrier: { accounts: () => [] },
      disk: { reasonsNotReady: () => [] },
      ledger: { setMetadata: () => Promise.reject(planted()) },
      queue: { pulse: () => ({ connected: true, canaryAgeMs: 0 }) },
      venues: { all: () => [], forAccount: () => undefined },
      observer,
    } as unknown as Needed;
    const reasons = await readiness(parts);
    expect(reasons).toContainEqual(
      expect.stringMatching(/^programming error: RangeError in readiness/),
    );
  });
});
