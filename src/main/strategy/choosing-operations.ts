// Operations that accept instrument choices: real names replace them before the engine sees the portfolio, so
// that requests, files and strategies may all use choices.

import { type Rejection, reject } from '../../core/rejection.ts';
import type { LegForm, PortfolioForm } from '../../core/terms/form.ts';
import { waitFor } from '../../engine/api/first-quotes.ts';
import type { Operations, Outcome } from '../../engine/interface/operations.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Price } from '../../values/amounts.ts';
import {
  CHOICE_ACCEPTED,
  choose,
  isChoice,
  type Market,
  parseChoice,
} from './instrument-choice.ts';

interface ChoosingOptions {
  readonly operations: Operations;
  readonly venues: VenueDirectory;
  readonly clock: Clock;
}

/** Subscribes to one quote per index, from which the index price is read. */
export function choosingOperations({ operations, venues, clock }: ChoosingOptions): Operations {
  for (const venue of venues.all()) {
    for (const name of indexWitnesses(venue).values()) venue.watch(name);
  }
  const named = async (form: PortfolioForm): Promise<Outcome<PortfolioForm>> => {
    const venue = venues.forAccount(form.accountId);
    const choices = form.legs.flatMap(({ instrument }) =>
      isChoice(instrument) ? (parseChoice(instrument) ?? []) : [],
    );
    if (venue === undefined || !form.legs.some((leg) => isChoice(leg.instrument))) {
      return { kind: 'done', value: form };
    }
    // The index prices may not have arrived yet if the daemon has just started.
    const hasIndexes = () => {
      const market = marketOf(venue, clock);
      return choices.every((choice) => choose(choice, market).kind !== 'unpriced');
    };
    await waitFor(clock, hasIndexes);
    return withNames(form, marketOf(venue, clock));
  };
  const isPlain = (form: PortfolioForm) => !form.legs.some((leg) => isChoice(leg.instrument));
  return {
    submit: async (form, by, key) => {
      const outcome = await named(form);
      return outcome.kind === 'refused' ? outcome : await operations.submit(outcome.value, by, key);
    },
    plan: (form, by) => {
      if (isPlain(form)) return operations.plan(form, by);
      return named(form).then((outcome) =>
        outcome.kind === 'refused' ? outcome : operations.plan(outcome.value, by),
      );
    },
    info: (portfolio) => operations.info(portfolio),
    page: (query) => operations.page(query),
    cancel: (portfolio, by, account) => operations.cancel(portfolio, by, account),
    amend: (request) => operations.amend(request),
    pause: (portfolio, by, account) => operations.pause(portfolio, by, account),
    resume: (portfolio, by, account) => operations.resume(portfolio, by, account),
    cancelAll: (filter, by) => operations.cancelAll(filter, by),
  };
}

/** Returns the form with real instrument names, or a refusal for each leg without one. */
export function withNames(form: PortfolioForm, market: Market): Outcome<PortfolioForm> {
  const rejections: Rejection[] = [];
  const legs = form.legs.map((leg, index): LegForm => {
    if (!isChoice(leg.instrument)) return leg;
    const choice = parseChoice(leg.instrument);
    const chosen = choice === undefined ? undefined : choose(choice, market);
    if (chosen?.kind === 'chosen') return { ...leg, instrument: chosen.name };
    if (chosen?.kind === 'unpriced') {
      const message = `is ${JSON.stringify(leg.instrument)}, and ${chosen.why}; accepted: the same request in a moment`;
      rejections.push(reject('unavailable', `legs[${index}].instrument`, message));
      return leg;
    }
    const message =
      chosen === undefined
        ? `is ${JSON.stringify(leg.instrument)}; ${CHOICE_ACCEPTED}`
        : `is ${JSON.stringify(leg.instrument)}, and ${chosen.why}; accepted: a choice that an instrument meets`;
    rejections.push(reject('invalid_parameter', `legs[${index}].instrument`, message));
    return leg;
  });
  return rejections.length > 0
    ? { kind: 'refused', rejections }
    : { kind: 'done', value: { ...form, legs } };
}

function marketOf(venue: Venue, clock: Clock): Market {
  const witnesses = indexWitnesses(venue);
  return {
    instruments: venue.instruments(),
    now: clock.now(),
    index: (indexName): Price | undefined => {
      const witness = witnesses.get(indexName);
      return witness === undefined ? undefined : venue.quote(witness)?.index;
    },
  };
}

/** For each index, a non-expiring instrument whose quotes carry it. */
function indexWitnesses(venue: Venue): ReadonlyMap<string, Parameters<Venue['quote']>[0]> {
  const lasting = venue.instruments().filter((instrument) => instrument.expiresAt === undefined);
  return new Map(lasting.map((instrument) => [instrument.indexName, instrument.name]));
}
