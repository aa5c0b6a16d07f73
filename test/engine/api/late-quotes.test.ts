// A venue in another process publishes the first quote of a market some moments after the subscription. Every check
// against a quote waits for it: an order with a value limit is neither refused for lack of a price nor let through.
import { afterEach, describe, expect, it, test } from 'vitest';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import { instrumentChooser } from '../../../src/engine/api/choose-instruments.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { FIRST_QUOTE_WAIT_MS, tellsValue } from '../../../src/engine/api/first-quotes.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import type { Strategy } from '../../../src/main/strategy/strategy.ts';
import { StrategyRunner } from '../../../src/main/strategy/strategy-runner.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { InstrumentName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { ACCOUNT, paperStage } from '../../adapters/paper/paper-stage.ts';
import { RFQ_ACCOUNTS } from '../../adapters/paper/rfq-accounts.ts';
import { BY, form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { option, perpetual, quote } from '../../support/engine/markets.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

/**
 * The venue as seen from another process: no quote of a market until `lateMs` after the first subscription, and no
 * instruments until `listed`.
 */
function late(venue: PaperVenue, clock: VirtualClock, lateMs: number, listed: Instant): Venue {
  const since = new Map<InstrumentName, { at: Instant; watchers: number }>();
  const watch = (name: InstrumentName): (() => void) => {
    const known = since.get(name) ?? { at: clock.now(), watchers: 0 };
    known.watchers += 1;
    since.set(name, known);
    const release = venue.watch(name);
    return () => {
      known.watchers -= 1;
      if (known.watchers === 0) since.delete(name);
      release();
    };
  };
  const quote = (name: InstrumentName) => {
    const known = since.get(name);
    return known && clock.now() >= later(known.at, lateMs) ? venue.quote(name) : undefined;
  };
  return new Proxy(venue as Venue, {
    get: (target, key) => {
      if (key === 'watch') return watch;
      if (key === 'quote') return quote;
      const isListed = clock.now() >= listed;
      if (key === 'instruments') return () => (isListed ? venue.instruments() : undefined);
      if (key === 'instrument')
        return (name: InstrumentName) => (isListed ? venue.instrument(name) : undefined);
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function stage(lateMs = 700, listedInMs = 0) {
  const { clock, venue: paper, pass } = paperStage({ accounts: RFQ_ACCOUNTS });
  closing.push(() => paper.close());
  const venue = late(paper, clock, lateMs, later(clock.now(), listedInMs));
  const observer = witness();
  const onFault = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const settings = { ...SETTINGS, orderUsdMax: money('10000000'), blockUsdMax: money('100000000') };
  const limits = () => ({
    ...DEFAULT_SUBMIT_LIMITS,
    durationSecMin: 1,
    frequencySecMin: 1,
    legUsdMax: money('50000000'),
    dummyAccounts: new Set<typeof ACCOUNT>(),
  });
  const venues = { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] };
  const shared = { clock, observer, settings, limits, venues };
  const { engine, submission } = assembleEngine({
    ...ALONE,
    gate: unlimitedGate(shared),
    ...shared,
    choose: instrumentChooser({ venues, clock }),
    ledger,
    bus: new MemoryEventBus(onFault),
    queue: new VirtualQueue(clock, { onFault }),
    sweepMs: 1_000,
    compareMs: 30_000,
    onBroken: onFault,
  });
  /** Lets time pass until the reply has arrived. */
  const answered = async <T>(asked: T | Promise<T>): Promise<T> => {
    const answer: { value?: T } = {};
    const done = Promise.resolve(asked).then((value) => {
      answer.value = value;
    });
    for (let n = 0; n < 200 && !('value' in answer); n += 1) await pass(50);
    await done;
    return answer.value as T;
  };
  await answered(engine.start());
  const operations = new EngineOperations({ engine, submission, ledger, clock });
  const desk = openOrderDesk(shared);
  const option = must(
    paper
      .instruments()
      .find(
        ({ kind, base, marginKind, expiresAt }) =>
          kind === 'option' &&
          base === 'BTC' &&
          marginKind === 'inverse' &&
          (expiresAt ?? 0) > later(clock.now(), 40 * 86_400_000),
      ),
    'an option is listed',
  );
  return { clock, paper, observer, ledger, operations, desk, option, pass, answered };
}

const optionLeg = ({ name }: Pick<Instrument, 'name'>) =>
  legForm({ instrument: name, instrumentType: 'option', quantity: quantity('1') });
const optionForm = (instrument: Pick<Instrument, 'name'>, change: object = {}) =>
  form({ legs: [optionLeg(instrument)], ...change });

describe('an exchange that lists its instruments only after the start', () => {
  const LISTED_MS = 20_000;
  const names = ['BTC-PERPETUAL', 'BTC-{>=30d}-{atm}-C'] as const;
  const formOf = (name: string, strategy?: string) =>
    name === 'BTC-PERPETUAL'
      ? form({ strategy })
      : optionForm({ name: name as InstrumentName }, { strategy });

  test.each(names)('%s is unavailable before, and accepted after', async (name) => {
    const { operations, answered, pass } = await stage(700, LISTED_MS);
    const refused = {
      kind: 'refused',
      rejections: [
        {
          kind: 'unavailable',
          field: 'legs[0].instrument',
          message: expect.stringMatching(
            /has not listed its instruments yet; accepted: the same request/,
          ),
        },
      ],
    };
    expect(await answered(operations.submit(formOf(name), BY))).toMatchObject(refused);
    expect(await answered(operations.plan(formOf(name), BY))).toMatchObject(refused);
    await pass(LISTED_MS);
    expect(await answered(operations.submit(formOf(name), BY))).toMatchObject({ kind: 'done' });
  });

  test.each(names)('a strategy with %s that was due before fires after', async (name) => {
    const on = await stage(700, LISTED_MS);
    const { operations, ledger, clock, observer } = on;
    const runner = new StrategyRunner({ operations, ledger, clock, observer, start: 1 });
    const strategy: Strategy = {
      name: 'early',
      enabled: true,
      schedule: { kind: 'start' },
      missedWithinMs: 60_000,
      form: formOf(name, 'early'),
      faultOf: (field: string, message: string) => ({ field, message }),
    } as unknown as Strategy;
    await on.answered(runner.follow({ inForce: new Map([['early', strategy]]) } as never));
    expect(await ledger.active()).toEqual([]);
    await on.pass(LISTED_MS + 10_000);
    expect(await ledger.active()).toHaveLength(1);
    await runner.drain();
  });
});

describe('a first quote that arrives late', () => {
  it('options are submitted if the first quote arrives late', async () => {
    const { operations, option, answered } = await stage();
    expect(await answered(operations.submit(optionForm(option), BY))).toMatchObject({
      kind: 'done',
    });
  });

  it('options are planned if the first quote arrives late', async () => {
    const { operations, option, answered } = await stage();
    expect(await answered(operations.plan(optionForm(option), BY))).toMatchObject({ kind: 'done' });
  });

  it('options that start later are amended if the first quote arrives late', async () => {
    const { operations, option, answered, clock } = await stage();
    const startAt = later(clock.now(), 3_600_000);
    const asked = optionForm(option, { twapTrade: { durationSec: 60, frequencySec: 10, startAt } });
    const submitted = await answered(operations.submit(asked, BY));
    const portfolio = must(submitted.kind === 'done' ? submitted.value.portfolio : undefined, 'it');
    for (const isPreview of [true, false]) {
      const request = {
        portfolio,
        by: BY,
        isPreview,
        form: {
          durationSec: 120,
          legs: [{ leg: 0, quantity: quantity('2'), filledSeen: quantity('0') }],
        },
      };
      const amended = await answered(operations.amend(request));
      expect(amended, JSON.stringify(amended)).toMatchObject({ kind: 'done' });
    }
  });

  it('strategies that select options at run time fire at start-up if the first quote arrives late', async () => {
    const on = await stage();
    const { operations, ledger, clock, observer } = on;
    const runner = new StrategyRunner({ operations, ledger, clock, observer, start: 1 });
    const strategy: Strategy = {
      name: 'calls',
      enabled: true,
      schedule: { kind: 'start' },
      missedWithinMs: 60_000,
      form: optionForm({ name: 'BTC-{>=30d}-{atm}-C' as InstrumentName }, { strategy: 'calls' }),
    } as unknown as Strategy;
    await on.answered(runner.follow({ inForce: new Map([['calls', strategy]]) } as never));
    expect((await ledger.active()).length).toBe(1);
    await runner.drain();
  });

  it('manual orders and Block RFQs are checked against the ticker that the venue returns', async () => {
    const { desk, option, answered, paper } = await stage();
    const { mark } = must(await paper.market.ticker(option.name), 'a ticker');
    const order: NewOrder = {
      account: ACCOUNT,
      instrument: option.name,
      side: 'buy',
      type: 'limit',
      mmp: false,
      quantity: quantity('1'),
      price: price('0.0001'),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: 'by-hand',
    };
    expect(mark).toBeDefined();
    const own = must(desk.forAccount(ACCOUNT), 'a desk');
    const entered = await answered(own.place(order));
    expect(entered).toMatchObject({ kind: 'done' });
    const of = { label: 'by-hand', instrument: option.name };
    const change = { account: ACCOUNT, of, quantity: quantity('2'), price: price('0.0002') };
    expect(await answered(own.edit(change))).toMatchObject({ kind: 'done' });
    const rfqs = must(desk.rfqsFor(ACCOUNT), 'an RFQ desk');
    const legs = [{ instrument: option.name, quantity: quantity('25'), side: 'buy' as const }];
    const asked = {
      account: ACCOUNT,
      legs,
      makers: [],
      disclosed: true,
      label: '',
      allocations: [],
    };
    expect(await answered(rfqs.create(asked as never))).toMatchObject({ kind: 'done' });
  });
});

describe('a first quote that does not arrive in time', () => {
  it('a submit that needs a missing quote is refused as unavailable after the stated wait', async () => {
    const { operations, option, answered, clock } = await stage(60_000);
    const before = clock.now();
    expect(await answered(operations.submit(optionForm(option), BY))).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'unavailable', field: 'legs[0].quantity' }],
    });
    expect(clock.now() - before).toBeGreaterThanOrEqual(FIRST_QUOTE_WAIT_MS);
    expect(clock.now() - before).toBeLessThan(2 * FIRST_QUOTE_WAIT_MS);
  });

  it('a spot leg at market without a quote is refused instead of being valued at zero', async () => {
    const { operations, answered } = await stage(60_000);
    const leg = legForm({
      instrument: 'BTC_USDC',
      instrumentType: 'spot',
      quantity: quantity('1'),
    });
    expect(await answered(operations.submit(form({ legs: [leg] }), BY))).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'unavailable' }],
    });
  });
});

describe('a quote', () => {
  const priceless = {
    ...quote(perpetual(), [99_990, 100_010]),
    mark: undefined,
    index: undefined,
    underlying: undefined,
  };
  const linear = perpetual({ marginKind: 'linear', amountUnit: 'base' });
  const combo = option({ kind: 'option_combo' });

  it.each([
    ['an option by the price of its underlying', option(), 'underlying', true],
    ['an option by the index', option(), 'index', true],
    ['no option by its own mark price', option(), 'mark', false],
    ['a combo of options by the index', combo, 'index', true],
    ['no combo of options by its own mark price', combo, 'mark', false],
    ['contracts in coin by their mark price', linear, 'mark', true],
    ['contracts in coin by the index', linear, 'index', true],
    ['no contracts in coin by the price of an underlying', linear, 'underlying', false],
  ] as const)('a quote is enough to value %s', (_, instrument, known, expected) => {
    expect(tellsValue(instrument, { ...priceless, [known]: price('100000') })).toBe(expected);
    expect(tellsValue(instrument, priceless)).toBe(false);
    expect(tellsValue(instrument, undefined)).toBe(false);
  });

  it('no quote is needed to value contracts in USD', () => {
    expect(tellsValue(perpetual(), undefined)).toBe(true);
  });
});
