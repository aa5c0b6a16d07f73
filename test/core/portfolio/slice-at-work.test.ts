// When a slice tries, waits and gives up: what counts as late, how many attempts it makes, and what a resting child
// follows.
import { describe, expect, test } from 'vitest';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { money, price, text } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const MARKET = quote(PERP, [99_990, 100_010], { mark: price('100000') });

function desk(change: Partial<PortfolioForm>, settings: Partial<Settings> = {}): CoreDesk {
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  const made = new CoreDesk(form({ twapTrade, execution: {}, ...change }), [PERP], {
    ...SETTINGS,
    ...settings,
  });
  made.quotes.set(PERP.name, MARKET);
  return made;
}

const placedAt = (made: CoreDesk, afterMs: number) =>
  made
    .run({ kind: 'advance', now: later(NOON, afterMs) })
    .intents.flatMap((intent) => (intent.kind === 'place' ? [intent] : []));

const refuse = (made: CoreDesk, label: string, afterMs: number) =>
  made.run({
    ...{ kind: 'record_refusal', label, code: 10_041, message: 'settlement', retry: true },
    now: later(NOON, afterMs),
  } as PortfolioCommand);

const waits = ({ events }: CoreDesk): string[] =>
  events.flatMap((event) => (event.kind === 'slice_waiting' ? [event.reason] : []));

describe('a slice', () => {
  test('a slice makes as many attempts as allowed and not one more', () => {
    const made = desk({}, { attemptsMax: 3, retryMs: 1_000 });
    let placed = 0;
    for (let ms = 0; ms < 40_000; ms += 1_000) {
      for (const { label } of placedAt(made, ms)) {
        placed += 1;
        refuse(made, label, ms);
      }
    }
    expect(placed).toBe(3);
    expect(waits(made)).toEqual(['rejected']);
  });

  test('only the first attempt of a slice is measured for lateness', () => {
    const made = desk({});
    const [first] = placedAt(made, 0);
    expect(first?.dueAt).toBe(NOON);
    refuse(made, first?.label ?? '', 0);
    const [second] = placedAt(made, 10_000);
    expect(second).toMatchObject({ kind: 'place', dueAt: undefined });
  });

  test('a slice delayed by a rule is not measured for lateness', () => {
    const made = desk({ execution: { spreadMaxBps: 1 } });
    expect(placedAt(made, 0)).toEqual([]);
    expect(waits(made)).toEqual(['wide_spread']);
    made.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
    expect(placedAt(made, 1_000)).toMatchObject([{ dueAt: undefined }]);
  });

  test('a control that blocks a slice is recorded once', () => {
    const made = desk({}, { orderUsdMax: money('100') });
    for (const ms of [0, 1_000, 2_000]) expect(placedAt(made, ms)).toEqual([]);
    expect(waits(made)).toEqual(['risk_limit']);
  });
});

describe('an escalation of a leg with a limit', () => {
  test('an escalation waits while its own side of the book is empty, although the limit has a price', () => {
    const limit = { priceType: 'limit', price: price('99992'), priceIn: 'USD' } as const;
    const escalation = [{ from: 0, manner: 'post' }] as const;
    const made = desk({ legs: [legForm({ priceOptions: limit })], execution: { escalation } });
    made.quotes.set(PERP.name, quote(PERP, [undefined, 100_010], { mark: price('100000') }));
    expect(placedAt(made, 0)).toEqual([]);
    expect(waits(made)).toEqual(['no_reference']);
    made.quotes.set(PERP.name, MARKET);
    expect(placedAt(made, 1_000).map((intent) => text(intent.price))).toEqual(['99990']);
  });
});

describe('a resting child', () => {
  const resting = (priceOptions: Parameters<typeof legForm>[0]): CoreWork => {
    const twapTrade = { durationSec: 60, frequencySec: 60 };
    const asked = form({ twapTrade, legs: [legForm(priceOptions)], execution: {} });
    const made = new CoreWork(asked, [PERP]);
    made.fills = () => 0;
    made.show(MARKET);
    made.at(0);
    return made;
  };

  test('a child that follows a reference is repriced at its interval and not before', () => {
    const made = resting({
      priceOptions: {
        ...{ priceType: 'dynamic', price: price('1'), priceIn: 'USD' },
        ...{ dynamicPriceStrategy: 'bid', dynamicMs: 5_000 },
      },
    });
    made.show(quote(PERP, [99_980, 100_010], { mark: price('100000') }));
    made.at(4_999);
    expect(made.edited).toEqual([]);
    made.at(5_000);
    expect(made.edited).toMatchObject([{ atMs: 5_000, price: '99980' }]);
  });

  test("a child at a fixed price stays even if the venue's band moves away from it", () => {
    const made = resting({
      priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
    });
    made.show(quote(PERP, [98_000, 98_500], { maxPrice: price('98900') }));
    for (const ms of [1_000, 10_000, 30_000]) made.at(ms);
    expect([made.edited, made.events('cancel_intended')]).toEqual([[], []]);
  });
});
