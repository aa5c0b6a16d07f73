// Operations that accept instrument choices: real names replace them before the engine sees the portfolio, so
// that requests, files and strategies may all use choices.

import { type Rejection, reject } from '../../core/rejection.ts';
import type { LegForm, PortfolioForm } from '../../core/terms/form.ts';
import { waitFor } from '../../engine/api/first-quotes.ts';
import type { Operations, Outcome } from '../../engine/interface/operations.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Price } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
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
  const indexes = new Map(venues.all().map((venue) => [venue, new WatchedIndexes(venue)]));
  const named = async (form: PortfolioForm): Promise<Outcome<PortfolioForm>> => {
    const venue = venues.forAccount(form.accountId);
    const choices = form.legs.flatMap(({ instrument }) =>
      isChoice(instrument) ? (parseChoice(instrument) ?? []) : [],
    );
    if (venue === undefined || !form.legs.some((leg) => isChoice(leg.instrument))) {
      return { kind: 'done', value: form };
    }
    // The index prices may not have arrived yet if the daemon has just started.
    const market = (): Market => marketOf(venue, indexes.get(venue), clock.now());
    await waitFor(clock, () =>
      choices.every((choice) => choose(choice, market()).kind !== 'undecided'),
    );
    return withNames(form, market());
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
    if (chosen?.kind === 'undecided') {
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

function marketOf(venue: Venue, indexes: WatchedIndexes | undefined, now: Instant): Market {
  return {
    instruments: venue.instruments(),
    now,
    index: (indexName): Price | undefined => {
      const witness = indexes?.current().get(indexName)?.name;
      return witness === undefined ? undefined : venue.quote(witness)?.index;
    },
  };
}

interface Watched {
  readonly name: InstrumentName;
  readonly release: () => void;
}

/**
 * For each index, a non-expiring instrument whose quotes carry it. A venue may list its instruments long after the start, and others
 * later, so the list is compared whenever an index is read.
 */
class WatchedIndexes {
  readonly #venue: Venue;
  readonly #watched = new Map<string, Watched>();
  #listed: readonly Instrument[] | undefined;

  constructor(venue: Venue) {
    this.#venue = venue;
    this.current();
  }

  current(): ReadonlyMap<string, Watched> {
    const listed = this.#venue.instruments();
    if (listed === undefined || listed === this.#listed) return this.#watched;
    this.#listed = listed;
    const lasting = listed.filter((instrument) => instrument.expiresAt === undefined);
    for (const { indexName, name } of lasting) {
      const watched = this.#watched.get(indexName);
      if (watched !== undefined && this.#venue.instrument(watched.name) !== undefined) continue;
      watched?.release();
      this.#watched.set(indexName, { name, release: this.#venue.watch(name) });
    }
    return this.#watched;
  }
}
