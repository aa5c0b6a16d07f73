// The step of submit and plan that replaces instrument choices by real names, so that requests, files and strategies may all
// use choices.
import { withNames } from '../../core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { choose, isChoice, type Market, parseChoice } from '../../core/terms/instrument-choice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Price } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Outcome } from '../interface/operations.ts';
import { waitFor } from './first-quotes.ts';

interface ChoosingOptions {
  readonly venues: VenueDirectory;
  readonly clock: Clock;
}

/** Puts names in place of the choices of a form. */
export type ChooseInstruments = (form: PortfolioForm) => Promise<Outcome<PortfolioForm>>;

/** Subscribes to one quote per index, from which the index price is read. */
export function instrumentChooser({ venues, clock }: ChoosingOptions): ChooseInstruments {
  const indexes = new Map(venues.all().map((venue) => [venue, new WatchedIndexes(venue)]));
  return async (form) => {
    const venue = venues.forAccount(form.accountId);
    const choices = form.legs.flatMap(({ instrument }) =>
      isChoice(instrument) ? (parseChoice(instrument) ?? []) : [],
    );
    if (venue === undefined) return { kind: 'done', value: form };
    // The index prices may not have arrived yet if the daemon has just started.
    const market = (): Market => marketOf(venue, indexes.get(venue), clock.now());
    await waitFor(clock, () =>
      choices.every((choice) => choose(choice, market()).kind !== 'undecided'),
    );
    return withNames(form, market());
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

/** Where nothing is chosen: a choice is refused as an unknown instrument. */
export const NO_CHOICES: ChooseInstruments = (form) =>
  Promise.resolve({ kind: 'done', value: form });
