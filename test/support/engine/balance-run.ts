// A BALANCE portfolio in the pure core on a reliable venue: requests wait until they are served, and after every
// command the legs are checked against the bound on their imbalance.
import { expect } from 'vitest';
import { imbalanceOf } from '../../../src/core/portfolio/aggregate/imbalance.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { OrderIntent } from '../../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { isTerminal } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { nextDueAt, nextWakeAt } from '../../../src/core/portfolio/next-wake.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { isMore, quantity, text } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { CoreDesk } from './core-desk.ts';
import { type Answer, CoreVenue } from './core-venue.ts';
import { form, legForm, SETTINGS } from './engine-world.ts';
import { NOON, option, perpetual, quote, spot } from './markets.ts';
import { expectSliceSums } from './slice-sums.ts';

export const PERP = perpetual();
export const COIN = spot();
export const CALL = option();
export const INSTRUMENTS: readonly Instrument[] = [PERP, COIN, CALL];

type Leg = PortfolioForm['legs'][number];
type Cut = NonNullable<PortfolioForm['balanceTrade']>;

export const perpLeg = (change: Partial<Leg> = {}): Leg =>
  legForm({ quantity: quantity('1000'), ...change });
export const coinLeg = (change: Partial<Leg> = {}): Leg =>
  legForm({
    instrument: COIN.name,
    instrumentType: 'spot',
    side: 'sell',
    quantity: quantity('0.01'),
    ...change,
  });
export const callLeg = (change: Partial<Leg> = {}): Leg =>
  legForm({
    instrument: CALL.name,
    instrumentType: 'option',
    quantity: quantity('1'),
    ...change,
  });

export function balanceForm(
  legs: readonly Leg[],
  change: Partial<Cut> = {},
  execution: PortfolioForm['execution'] = {},
): PortfolioForm {
  const cut: Cut = {
    parts: 3,
    eachLimitMs: 10_000,
    totalLimitMs: 0,
    totalEndAction: 'cancel_remaining',
    ...change,
  };
  return {
    ...form({ legs, execution, twapTrade: undefined }),
    portfolioType: 'BALANCE',
    balanceTrade: cut,
  };
}

const MIDS: Readonly<Record<string, number>> = {
  [PERP.name]: 100_000,
  [COIN.name]: 100_000,
  [CALL.name]: 0.05,
};

export class BalanceRun {
  readonly desk: CoreDesk;
  readonly venue = new CoreVenue(INSTRUMENTS);
  now: Instant = NOON;

  constructor(asked: PortfolioForm, settings: Settings = SETTINGS) {
    this.desk = new CoreDesk(asked, INSTRUMENTS, settings);
    for (const { name } of INSTRUMENTS) this.show(name);
  }

  /** Shows the market of an instrument, two-sided by default. */
  show(name: string, sides: 'both' | 'bid' | 'ask' | 'none' = 'both'): void {
    const instrument = INSTRUMENTS.find((one) => one.name === name) ?? PERP;
    const mid = MIDS[name] ?? 100_000;
    const spread = mid > 1 ? 10 : 0.0005;
    this.desk.quotes.set(
      name,
      quote(
        instrument,
        [
          sides === 'both' || sides === 'bid' ? mid - spread : undefined,
          sides === 'both' || sides === 'ask' ? mid + spread : undefined,
        ],
        instrument.kind === 'option'
          ? { markIv: 0.6, greeks: { delta: 0.5, gamma: 0, vega: 0, theta: 0, rho: 0 } }
          : {},
      ),
    );
  }

  apply(answer: Answer | { readonly kind: 'advance' } | undefined): void {
    if (answer === undefined) return;
    const command = { ...answer, now: this.now } as Parameters<CoreDesk['run']>[0];
    this.venue.take(this.desk.run(command).intents);
    this.#expectBalanced();
    expectSliceSums(this.desk.state, this.desk.events);
  }

  #expectBalanced(): void {
    const { state } = this.desk;
    expect(state.broken).toBe(false);
    for (const { leg, ahead, bound } of imbalanceOf(state)) {
      const told = `leg ${leg}: ${text(ahead)} ahead, bound ${text(bound)}`;
      expect(isMore(ahead, bound), told).toBe(false);
    }
  }

  pass(forMs = 0): void {
    this.now = later(this.now, forMs);
    this.apply({ kind: 'advance' });
  }

  /** Serves the waiting requests of one instrument or of all; `share` of a placed order trades at once. */
  serve(share: number, instrument?: string): OrderIntent[] {
    const served = this.venue.requests.filter(
      (request) => instrument === undefined || request.instrument === instrument,
    );
    for (const request of served) {
      this.venue.requests.splice(this.venue.requests.indexOf(request), 1);
      this.apply(this.venue.serve(request, this.now, share));
    }
    return served;
  }

  /** Trades a share of the resting order in the instrument, and reports it. */
  trade(instrument: string, share: number): void {
    for (const [label, { order }] of this.venue.books) {
      if (order.instrument !== instrument || order.state !== 'open') continue;
      const told = this.venue.told.length;
      this.venue.trade(label, this.now, share);
      for (const report of this.venue.told.slice(told)) this.apply(report);
    }
  }

  wakeAt(): Instant | undefined {
    const { state, settings } = this.desk;
    const due = nextDueAt(state, settings);
    return due && nextWakeAt(state, { now: this.now, due, settings });
  }

  get isOver(): boolean {
    return isTerminal(this.desk.state.status);
  }

  get filled(): readonly string[] {
    return this.desk.state.legs.map((leg) => text(leg.filled));
  }

  told(...kinds: PortfolioEvent['kind'][]): readonly PortfolioEvent[] {
    return this.desk.events.filter(({ kind }) => kinds.includes(kind));
  }

  /** The waiting requests as text. */
  get wanted(): readonly string[] {
    return this.venue.requests.map((request) =>
      request.kind === 'place'
        ? `place ${text(request.quantity)} ${request.instrument} ${request.timeInForce}`
        : `${request.kind} ${request.instrument}`,
    );
  }
}
