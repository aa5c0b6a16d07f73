// Operations that accept instrument choices: real names replace them before the engine sees the portfolio, so
// that requests, files and strategies may all use choices.

import { hasChoices, withNames } from '../../core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { choose, isChoice, type Market, parseChoice } from '../../core/terms/instrument-choice.ts';
import { waitFor } from '../../engine/api/first-quotes.ts';
import type { Operations, Outcome } from '../../engine/interface/operations.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Price } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';

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
    if (venue === undefined || !hasChoices(form)) {
      return { kind: 'done', value: form };
    }
    // The index prices may not have arrived yet if the daemon has just started.
    const market = (): Market => marketOf(venue, indexes.get(venue), clock.now());
    await waitFor(clock, () =>
      choices.every((choice) => choose(choice, market()).kind !== 'undecided'),
    );
    return withNames(form, market());
  };
  return {
    submit: async (form, by, key) => {
      const outcome = await named(form);
      return outcome.kind === 'refused' ? outcome : await operations.submit(outcome.value, by, key);
    },
    plan: (form, by) => {
      if (!hasChoices(form)) return operations.plan(form, by);
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
