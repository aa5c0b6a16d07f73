// Checks the controls that watch a sequence of events against their rules, recomputed from the whole history.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExecutionCost, slippageFault } from '../../../../src/core/risk/gate/execution-cost.ts';
import { NO_TRAIL, unrestAt, withSample } from '../../../../src/core/risk/gate/market-unrest.ts';
import {
  OVERRIDE_MS_MAX,
  Overrides,
  type OverrideWish,
} from '../../../../src/core/risk/gate/overrides.ts';
import { countedFrom, repeatFault } from '../../../../src/core/risk/gate/repeated-execution.ts';
import { strategyFault } from '../../../../src/core/risk/gate/strategy-limits.ts';
import type { SwitchSetting } from '../../../../src/core/risk/trading-switch.ts';
import { money, price, quantity, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { accountId, childLabel, deploymentId, portfolioId } from '../../../../src/values/ids.ts';
import { DAY_MS, instant, later } from '../../../../src/values/instant.ts';
import { CoreDesk } from '../../../support/engine/core-desk.ts';
import { form } from '../../../support/engine/engine-world.ts';
import { gateOrder } from '../../../support/engine/gate-orders.ts';
import { NOON, perpetual, quote, spot } from '../../../support/engine/markets.ts';

const side = fc.constantFrom('buy', 'sell');

const label = (leg: number): string =>
  childLabel({
    deployment: deploymentId('test'),
    portfolio: portfolioId('7000'),
    leg,
    slice: 1,
    attempt: 1,
  });

interface Traded {
  readonly at: number;
  readonly leg: number;
  readonly side: 'buy' | 'sell';
  readonly paid: number;
  readonly mark: number;
  readonly size: number;
}

const trade = (
  { at, leg, side: of, paid, mark, size }: Traded,
  index: number,
): Parameters<ExecutionCost['traded']>[0] => ({
  tradeId: `t${index}`,
  key: 'a',
  label: label(leg),
  instrument: spot(),
  side: of,
  price: price(String(paid)),
  quantity: quantity(String(size)),
  markPrice: price(String(mark)),
  at: instant(at),
});

/** Trades of two legs in the order they were made, over at most `spanMs`. */
const course = (spanMs: number): fc.Arbitrary<readonly Traded[]> =>
  fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: spanMs }).map((afterMs) => NOON + afterMs),
        leg: fc.integer({ min: 0, max: 1 }),
        side,
        paid: fc.integer({ min: 900, max: 1_100 }),
        mark: fc.integer({ min: 950, max: 1_050 }),
        size: fc.integer({ min: 1, max: 9 }),
      }),
      { maxLength: 40, size: 'max' },
    )
    .map((all) => all.toSorted((a, b) => a.at - b.at));

describe('PT-2', () => {
  it('a leg is blocked exactly if the average of its window drifts too far from its first mark', () => {
    const limits = fc.record({
      windowMs: fc.integer({ min: 1, max: 60_000 }),
      bps: fc.integer({ min: 1, max: 800 }),
    });
    fc.assert(
      fc.property(course(100_000), limits, (trades, { windowMs, bps }) => {
        const cost = new ExecutionCost();
        for (const [index, one] of trades.entries()) {
          const fault = cost.traded(trade(one, index), { windowMs, bps, optionBps: bps });
          const ofLeg = trades.slice(0, index + 1).filter(({ leg }) => leg === one.leg);
          const { mark } = must(ofLeg[0], 'the first trade of the leg');
          const recent = ofLeg.filter((of) => of === one || of.at > one.at - windowMs);
          const value = recent.reduce((sum, { paid, size }) => sum + paid * size, 0);
          const due = recent.reduce((sum, { size }) => sum + mark * size, 0);
          expect(fault !== undefined).toBe(Math.abs(value - due) * 10_000 > due * bps);
        }
      }),
    );
  });
});

describe('PT-20', () => {
  it("the cost of a day is the sum of each trade's cost against the first mark of its leg that day", () => {
    fc.assert(
      fc.property(course(2 * DAY_MS), fc.integer({ min: 0, max: 5_000 }), (trades, limit) => {
        const cost = new ExecutionCost();
        const dayOf = (at: number): number => Math.floor(at / DAY_MS);
        for (const [index, one] of trades.entries()) {
          cost.traded(trade(one, index), undefined);
          const today = trades.slice(0, index + 1).filter(({ at }) => dayOf(at) === dayOf(one.at));
          const loss = today.reduce((sum, { leg, side: of, paid, size }) => {
            const { mark } = must(
              today.find((first) => first.leg === leg),
              'the first of the leg',
            );
            return sum + (of === 'buy' ? paid - mark : mark - paid) * size;
          }, 0);
          const lossUsd = cost.lossUsd(instant(one.at));
          expect(Number(text(lossUsd))).toBe(loss);
          expect(slippageFault(lossUsd, money(String(limit))) !== undefined).toBe(loss > limit);
        }
      }),
    );
  });
});

describe('PT-13', () => {
  it('a market is blocked for exactly the configured time after a jump within the window', () => {
    const limits = { jumpBps: 100, windowMs: 10_000, spreadBps: 100, restMs: 5_000 };
    const observation = fc.record({
      passMs: fc.integer({ min: 1, max: 4_000 }),
      middle: fc.integer({ min: 9_850, max: 10_150 }),
    });
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 40, size: 'max' }), (looks) => {
        const seen: { at: number; middle: number }[] = [];
        let [trail, at, restless] = [NO_TRAIL, NOON, 0];
        for (const { passMs, middle } of looks) {
          at = later(at, passMs);
          trail = withSample(trail, { at, middle: price(String(middle)) }, limits);
          const isJump = seen.some(
            (one) =>
              one.at >= at - limits.windowMs &&
              Math.abs(middle - one.middle) * 10_000 > one.middle * limits.jumpBps,
          );
          if (isJump) restless = at + limits.restMs;
          seen.push({ at, middle });
          for (const now of [at, later(at, limits.restMs - 1), later(at, limits.restMs)]) {
            expect(unrestAt(trail, now) !== undefined).toBe(now < restless);
          }
        }
      }),
    );
  });
});

describe('PT-6', () => {
  it('executions count from the latest time a person switched the strategy on, whatever else was set', () => {
    const drawn = fc.record({
      of: fc.constantFrom('nightly', 'weekly'),
      state: fc.constantFrom('active', 'reducing', 'halted'),
      uid: fc.constantFrom('control', '1001'),
      afterMs: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(drawn, fc.nat(20), fc.integer({ min: 1, max: 10 }), (one, count, max) => {
        const { of, state, uid, afterMs } = one;
        const by = { uid, nickname: uid };
        const at = later(NOON, afterMs);
        const setting: SwitchSetting = { scope: 'strategy', of, state, reason: 'r', by, at };
        const isOn = of === 'nightly' && state === 'active' && uid !== 'control';
        expect(countedFrom([setting], 'nightly')).toBe(isOn ? at : 0);
        expect(repeatFault(count, max) !== undefined).toBe(count >= max);
      }),
    );
  });
});

describe('PT-12', () => {
  it('a portfolio is refused exactly if its instruments, slices, value or account violate the limits', () => {
    const drawn = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
      slices: fc.integer({ min: 1, max: 12 }),
      instrumentsMax: fc.integer({ min: 1, max: 2 }),
      slicesMax: fc.integer({ min: 1, max: 30 }),
      usdMax: fc.integer({ min: 10, max: 1_500 }),
      account: fc.constantFrom('*', '10001', '10002'),
    });
    const base = new CoreDesk(form(), [perpetual()]).state.spec;
    const instruments = [perpetual(), perpetual({ name: spot().name })];
    fc.assert(
      fc.property(drawn, ({ sizes, slices, account, instrumentsMax, slicesMax, usdMax }) => {
        const first = must(base.legs[0], 'a leg');
        const legs = sizes.map((size, index) => ({
          ...first,
          instrument: must(instruments[index % 2], 'an instrument').name,
          quantity: quantity(String(size * 10)),
        }));
        const spec = {
          ...base,
          accountId: accountId('10001'),
          legs,
          durationMs: slices * 1_000,
          frequencyMs: 1_000,
        };
        const limits = {
          instrumentsMax,
          slicesMax,
          usdMax: money(String(usdMax)),
          accounts: new Set([account]),
        };
        const asked = { spec, instruments, quote: () => quote(perpetual(), [99_990, 100_010]) };
        const worth = sizes.reduce((sum, size) => sum + size * 10, 0);
        expect(strategyFault(asked, limits) !== undefined).toBe(
          account === '10002' ||
            Math.min(2, sizes.length) > instrumentsMax ||
            slices * sizes.length > slicesMax ||
            worth > usdMax,
        );
      }),
    );
  });
});

describe('PT-17', () => {
  it('an override lets one order past between its grant by a second key and its end, and never another', () => {
    const drawn = fc.record({
      lifeMs: fc.integer({ min: 0, max: 2 * OVERRIDE_MS_MAX }),
      grantMs: fc.integer({ min: 0, max: 2 * OVERRIDE_MS_MAX }),
      by: fc.constantFrom('key-1', 'key-2'),
      asked: fc.integer({ min: 1, max: 20 }),
      orders: fc.array(
        fc.record({
          passMs: fc.integer({ min: 0, max: OVERRIDE_MS_MAX }),
          size: fc.integer({ min: 1, max: 20 }),
        }),
        { maxLength: 6 },
      ),
    });
    fc.assert(
      fc.property(drawn, ({ lifeMs, grantMs, by, asked, orders }) => {
        const overrides = new Overrides();
        const wish: OverrideWish = {
          control: 'gross',
          account: '10001',
          instrument: 'BTC-PERPETUAL',
          side: 'buy',
          quantity: quantity(String(asked)),
          reason: 'asked',
        };
        overrides.request(wish, { id: 'a', by: 'key-1', at: NOON, lifeMs });
        const endMs = Math.min(lifeMs, OVERRIDE_MS_MAX);
        let mayPass = by === 'key-2' && grantMs < endMs;
        expect(overrides.grant('a', by, later(NOON, grantMs)).kind).toBe(
          mayPass ? 'granted' : 'refused',
        );
        let nowMs = grantMs;
        for (const { passMs, size } of orders) {
          nowMs += passMs;
          const now = later(NOON, nowMs);
          const found = overrides.find(
            gateOrder({ quantity: quantity(String(size)) }),
            'gross',
            now,
          );
          expect(found !== undefined).toBe(mayPass && nowMs < endMs && size <= asked);
          if (found === undefined) continue;
          overrides.use(found, now);
          mayPass = false;
        }
      }),
    );
  });
});
