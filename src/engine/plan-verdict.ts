// The verdict on a plan: asks the venue for books, volumes and what is free on the account, and has the
// core judge. What the venue does not answer is not known and judges nothing.

import { type Verdict, verdictOf } from '../core/plan/verdict.ts';
import { endAt } from '../core/portfolio/positions.ts';
import type { Settings } from '../core/portfolio/settings.ts';
import type { PortfolioSpec } from '../core/portfolio/spec.ts';
import type { Venue } from '../ports/venue.ts';
import { type Money, type Quantity, quantity } from '../values/amounts.ts';
import { must } from '../values/assert.ts';
import type { Currency } from '../values/ids.ts';
import { type Instant, later } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import { quoteOf } from './look-up-quote.ts';
import type { PlanView } from './operations.ts';

export interface VerdictParts {
  readonly spec: PortfolioSpec;
  /** The legs' own, in order. */
  readonly instruments: readonly Instrument[];
  readonly plan: PlanView;
  readonly venue: Venue;
  readonly settings: Settings;
  readonly now: Instant;
}

const DEPTH = 100;

export async function planVerdict(parts: VerdictParts): Promise<Verdict> {
  const { spec, instruments, plan, venue } = parts;
  const [legs, available] = await Promise.all([
    Promise.all(spec.legs.map((_leg, index) => legLook(parts, index))),
    freeMoney(venue, spec, instruments),
  ]);
  const { endAction, extendMs = 0 } = spec.execution;
  const end = later(endAt(spec), endAction === 'extend' ? extendMs : 0);
  return verdictOf({
    spec,
    startAt: spec.startAt,
    endAt: end,
    legs,
    dueAts: spec.balance === undefined ? plan.slices.map(({ dueAt }) => dueAt) : [],
    available,
    orderRate: venue.features.orderRate,
  });
}

async function legLook(
  { spec, instruments, plan, venue, settings, now }: VerdictParts,
  index: number,
) {
  const leg = must(spec.legs[index], `leg ${index} exists`);
  const instrument = must(instruments[index], `leg ${index} has an instrument`);
  const [book, ticker] = await Promise.all([
    venue.desk.book(instrument.name, DEPTH),
    venue.desk.ticker(instrument.name),
  ]);
  const quote = venue.quote(instrument.name) ?? (ticker && quoteOf(ticker));
  const side = leg.side === 'buy' ? 'ask' : 'bid';
  const best = quote?.[side];
  return {
    spec: leg,
    instrument,
    sizes: leg.hedge ? [leg.quantity] : sizesOf(plan, index),
    quote,
    levels: book?.[`${side}s`] ?? (best === undefined ? [] : [best]),
    dayVolume: ticker?.stats.volume,
    now,
    quoteAgeMaxMs: settings.quoteAgeMaxMs,
  };
}

const sizesOf = (plan: PlanView, leg: number): readonly Quantity[] =>
  plan.slices.filter((slice) => slice.leg === leg).map((slice) => quantity(slice.quantity));

async function freeMoney(
  venue: Venue,
  { accountId }: PortfolioSpec,
  instruments: readonly Instrument[],
): Promise<ReadonlyMap<Currency, Money>> {
  const currencies = new Set(
    instruments.flatMap((one) => (one.kind === 'spot' ? [one.quote, one.base] : [one.settlement])),
  );
  const free = new Map<Currency, Money>();
  for (const currency of currencies) {
    const reply = await venue.desk.summaryOf(accountId, currency);
    if (reply.kind === 'done') free.set(currency, reply.value.availableFunds);
  }
  return free;
}
