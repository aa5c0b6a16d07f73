// Trading switches on a running engine: a halted portfolio has no orders at the venue and sends none, a reducing
// one sends only reducing orders, and both last until they are changed, over any restart.
import { describe, expect, test } from 'vitest';
import type { SwitchSetting, TradingState } from '../../../src/core/risk/trading-switch.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import type { SwitchRecords } from '../../../src/ports/switch-records.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { type PortfolioId, parseChildLabel } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { halt, switchRecordsConformance } from '../../conformance/switch-records.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import {
  BY,
  form,
  legForm,
  settle,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const PERP = perpetual();
const RESTING = legForm({
  priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
});

interface Stage extends World {
  readonly switches: TradingSwitches;
}

async function started(
  records: SwitchRecords = new MemorySwitchRecords(),
  instruments = [PERP],
): Promise<Stage> {
  const clock = new VirtualClock(NOON);
  const switches = await TradingSwitches.open({ records, clock, observer: witness() });
  const w = world({ clock, switches, instruments });
  if (instruments.includes(PERP)) w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  return { ...w, switches };
}

const ownerOf = ({ order }: World['venue']['kept'][number]): string | undefined =>
  parseChildLabel(order.label)?.portfolio;
const open = (w: World) => w.venue.kept.filter(({ order }) => order.state === 'open');
const setting = (state: TradingState, at: Instant, change: Partial<SwitchSetting> = {}) =>
  halt({ scope: 'strategy', of: 'calm', state, at, ...change });
const CALM = { strategy: 'calm', execution: {} } as const;

describe('MemorySwitchRecords', () => {
  const records = new MemorySwitchRecords();
  switchRecordsConformance(() => Promise.resolve(records));
});

describe('trading state halted', () => {
  test('a halt cancels resting orders and sends nothing; the missed quantity is caught up afterwards', async () => {
    const w = await started();
    const id = await submitted(w, form({ ...CALM, legs: [RESTING] }));
    const other = await submitted(w, form({ legs: [RESTING] }));
    await w.run(1_000);
    expect(open(w)).toHaveLength(2);
    await w.switches.set(setting('halted', w.clock.now()));
    await w.run(200);
    expect(open(w).map(ownerOf)).toEqual([other]);
    const placed = w.venue.kept.length;
    await w.run(15_000);
    expect(w.venue.kept.slice(placed).map(ownerOf)).not.toContain(id);
    const waits = w.observer.events.filter((event) => event.kind === 'slice_waiting');
    expect(waits).toContainEqual(expect.objectContaining({ reason: 'halted' }));
    w.venue.show(quote(PERP, [98_999.5, 99_000]));
    await w.switches.set(setting('active', w.clock.now()));
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('a submit under a halt is refused with the author and the reason of the halt', async () => {
    const w = await started();
    await w.switches.set(setting('halted', w.clock.now()));
    const refused = await w.operations.submit(form(CALM), BY);
    expect(refused).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'trading_halted', message: expect.stringContaining("it's on fire") }],
    });
    expect((await w.operations.submit(form(), BY)).kind).toBe('done');
  });

  test('a halt blocks orders that were decided before it but not sent yet', async () => {
    const w = await started();
    await submitted(w, form({ ...CALM, legs: [RESTING] }));
    // Decided and durable at the same instant as the halt.
    await w.switches.set(setting('halted', w.clock.now()));
    await w.run(5_000);
    expect(w.venue.kept).toEqual([]);
  });

  test('a halted portfolio ends at its scheduled end without open orders and without market orders', async () => {
    const w = await started();
    const id = await submitted(
      w,
      form({ ...CALM, execution: { endAction: 'market' }, legs: [RESTING] }),
    );
    await w.run(1_000);
    await w.switches.set(setting('halted', w.clock.now()));
    await w.run(200_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled' });
    expect(open(w)).toEqual([]);
  });

  test('a halt lasts over a restart and is known to other processes', async () => {
    const records = new MemorySwitchRecords();
    const [one, other] = [await started(records), await started(records)];
    const id = await submitted(other, form({ ...CALM, legs: [RESTING] }));
    await other.run(1_000);
    expect(open(other)).toHaveLength(1);
    await one.switches.set(setting('halted', one.clock.now(), { scope: 'portfolio', of: id }));
    await other.run(1_000);
    expect(open(other)).toEqual([]);
    const again = await started(records);
    expect(again.switches.strictestFor({ account: '10001', portfolio: id })?.state).toBe('halted');
  });

  test('a halt is in force while it cannot be stored, and is stored as soon as possible', async () => {
    const records = new MemorySwitchRecords();
    let isAway = false;
    const away: SwitchRecords = {
      after: (number) => (isAway ? Promise.reject(new Error('away')) : records.after(number)),
      add: (one) => (isAway ? Promise.reject(new Error('away')) : records.add(one)),
    };
    const w = await started(away);
    await submitted(w, form({ ...CALM, legs: [RESTING] }));
    await w.run(1_000);
    isAway = true;
    await expect(w.switches.set(setting('halted', w.clock.now()))).rejects.toThrow('away');
    await w.run(2_000);
    expect(open(w)).toEqual([]);
    expect(await records.after(0)).toEqual([]);
    isAway = false;
    await w.clock.run(later(w.clock.now(), 2_000), settle);
    expect(await records.after(0)).toMatchObject([{ state: 'halted', of: 'calm' }]);
    expect(w.switches.strictestFor({ account: 'x', strategy: 'calm' })?.state).toBe('halted');
  });

  test('a halt is not lifted before the lifting is durable', async () => {
    const records = new MemorySwitchRecords();
    await records.add(setting('halted', NOON));
    const away: SwitchRecords = {
      after: (n) => records.after(n),
      add: () => Promise.reject(new Error('away')),
    };
    const w = await started(away);
    await expect(w.switches.set(setting('active', NOON))).rejects.toThrow('away');
    expect(w.switches.strictestFor({ account: 'x', strategy: 'calm' })?.state).toBe('halted');
  });
});

describe('trading state reducing', () => {
  const reduceOnly = (w: World, id: PortfolioId): readonly boolean[] =>
    [...(w.engine.turns.peek(id)?.children.values() ?? [])].map((child) => child.reduceOnly);

  test('while reducing, a portfolio replaces its resting orders with reduce-only ones', async () => {
    const w = await started();
    const id = await submitted(w, form({ ...CALM, legs: [RESTING] }));
    await w.run(1_000);
    expect(reduceOnly(w, id)).toEqual([false]);
    await w.switches.set(setting('reducing', w.clock.now()));
    await w.run(5_000);
    expect(reduceOnly(w, id)).toEqual([true]);
    expect(open(w)).toHaveLength(1);
    await w.switches.set(setting('active', w.clock.now()));
    await w.run(10_000);
    expect(reduceOnly(w, id)).toEqual([false]);
  });

  test('while reducing, spot orders are blocked because they cannot be reduce-only', async () => {
    const coin = spot();
    const w = await started(undefined, [coin]);
    w.venue.show(quote(coin, [99_999, 100_000]));
    await w.switches.set(setting('reducing', w.clock.now()));
    const leg = { instrument: coin.name, instrumentType: 'spot', quantity: quantity('6') } as const;
    const id = await submitted(w, form({ ...CALM, legs: [legForm(leg)] }));
    await w.run(5_000);
    expect(w.venue.kept).toEqual([]);
    await w.switches.set(setting('active', w.clock.now()));
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });
});

describe('the lifetime of the switches', () => {
  test('a drain waits for a setting that is being stored, and nothing is read afterwards', async () => {
    const clock = new VirtualClock(NOON);
    const stored = new MemorySwitchRecords();
    const { promise: slowly, resolve: store } = Promise.withResolvers<void>();
    let reads = 0;
    const records: SwitchRecords = {
      after: (number) => {
        reads += 1;
        return stored.after(number);
      },
      add: async (one) => {
        await slowly;
        return stored.add(one);
      },
    };
    const switches = await TradingSwitches.open({ records, clock, observer: witness() });
    const setting = switches.set(halt({ at: NOON }));
    let isDrained = false;
    const drained = switches.drain().then(() => {
      isDrained = true;
    });
    await settle();
    expect(isDrained).toBe(false);
    store();
    await Promise.all([setting, drained]);
    expect(await stored.after(0)).toHaveLength(1);
    const before = reads;
    await clock.run(later(NOON, 10_000), settle);
    expect(reads).toBe(before);
  });
});
