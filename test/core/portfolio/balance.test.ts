// Smart Balance by the case: parts back to back, a leg that leads, a hedge, a part that outlasts its
// time, and both ends.
import { describe, expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/event.ts';
import type { PortfolioForm } from '../../../src/core/portfolio/form.ts';
import type { Intent } from '../../../src/core/portfolio/intent.ts';
import { nextDueAt } from '../../../src/core/portfolio/next-wake.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/core-desk.ts';
import { type Answer, CoreVenue } from '../../support/core-venue.ts';
import { form, legForm } from '../../support/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../../support/markets.ts';

const PERP = perpetual();
const COIN = spot();

const BALANCE = {
  parts: 3,
  eachLimitMs: 10_000,
  totalLimitMs: 0,
  totalEndAction: 'cancel_remaining',
} as const;

const perp = (change: Partial<ReturnType<typeof legForm>> = {}) =>
  legForm({ quantity: quantity('1000'), ...change });
const coin = (change: Partial<ReturnType<typeof legForm>> = {}) =>
  legForm({
    instrument: COIN.name,
    instrumentType: 'spot',
    side: 'sell',
    quantity: quantity('0.01'),
    ...change,
  });
const resting = (at: string, currency: string) =>
  ({
    priceOptions: {
      priceType: 'dynamic',
      price: price(at),
      priceIn: currency,
      dynamicPriceStrategy: 'mid',
      dynamicMs: 1_000,
    },
  }) as const;

function balance(
  legs: PortfolioForm['legs'],
  change: Partial<NonNullable<PortfolioForm['balanceTrade']>> = {},
): PortfolioForm {
  const { twapTrade: _, ...asked } = form({ legs, execution: {} });
  return { ...asked, portfolioType: 'BALANCE', balanceTrade: { ...BALANCE, ...change } };
}

/** The core and a truthful venue; what is wanted waits until it is served. */
class Run {
  readonly desk: CoreDesk;
  readonly venue = new CoreVenue([PERP, COIN]);
  now: Instant = NOON;

  constructor(asked: PortfolioForm) {
    this.desk = new CoreDesk(asked, [PERP, COIN]);
    this.desk.quotes.set(PERP.name, quote(PERP, [99_990, 100_010]));
    this.desk.quotes.set(COIN.name, quote(COIN, [99_990, 100_010]));
    this.tell({ kind: 'advance' });
  }

  tell(answer: Answer | { readonly kind: 'advance' }): void {
    const command = { ...answer, now: this.now } as Parameters<CoreDesk['run']>[0];
    this.venue.take(this.desk.run(command).intents);
  }

  pass(forMs: number): void {
    this.now = later(this.now, forMs);
    this.tell({ kind: 'advance' });
  }

  /** Serves what waits for the instrument; `share` of a placed order trades at once. */
  serve(instrument: string, share: number): Intent[] {
    const served = this.venue.requests.filter(
      (request) => request.kind === 'settle' || request.instrument === instrument,
    );
    for (const request of served) {
      this.venue.requests.splice(this.venue.requests.indexOf(request), 1);
      this.tell(this.venue.serve(request, this.now, share));
    }
    return served;
  }

  /** A share of what rests in the instrument trades. */
  trade(instrument: string, share: number): void {
    for (const [label, { order }] of this.venue.books) {
      if (order.instrument !== instrument || order.state !== 'open') continue;
      this.venue.trade(label, this.now, share);
      const [trade, after] = this.venue.told.slice(-2);
      if (trade !== undefined) this.tell(trade);
      if (after !== undefined) this.tell(after);
    }
  }

  get filled(): readonly string[] {
    return this.desk.state.legs.map((leg) => text(leg.filled));
  }

  kinds(...kinds: PortfolioEvent['kind'][]): readonly PortfolioEvent[] {
    return this.desk.events.filter(({ kind }) => kinds.includes(kind));
  }

  get waitingFor(): readonly string[] {
    return this.venue.requests.map((request) =>
      request.kind === 'place'
        ? `place ${text(request.quantity)} ${request.instrument} ${request.timeInForce}`
        : `${request.kind} ${request.instrument}`,
    );
  }
}

describe('parts', () => {
  test('follow each other as soon as every leg is done, sizes rounded down to the lot and the rest last', () => {
    const run = new Run(balance([perp(), coin()]));
    expect(run.waitingFor).toEqual([
      'place 330 BTC-PERPETUAL immediate_or_cancel',
      'place 0.0033 BTC_USDC immediate_or_cancel',
    ]);
    run.serve(PERP.name, 1);
    expect(run.waitingFor).toEqual(['place 0.0033 BTC_USDC immediate_or_cancel']);
    run.serve(COIN.name, 1);
    expect(run.waitingFor).toEqual([
      'place 330 BTC-PERPETUAL immediate_or_cancel',
      'place 0.0033 BTC_USDC immediate_or_cancel',
    ]);
    run.serve(COIN.name, 1);
    run.serve(PERP.name, 1);
    expect(run.filled).toEqual(['660', '0.0066']);
    run.serve(COIN.name, 1);
    run.serve(PERP.name, 1);
    expect(run.filled).toEqual(['1000', '0.01']);
    expect(run.desk.state.status).toBe('filled');
    expect(run.now).toBe(NOON);
    expect(run.kinds('part_ended')).toMatchObject([
      { part: 0, filled: ['330', '0.0033'] },
      { part: 1, filled: ['660', '0.0066'] },
      { part: 2, filled: ['1000', '0.01'] },
    ]);
  });
});
