// The venues of the configuration, and which account trades where.
import { join } from 'node:path';
import { JournalFile } from '../adapters/paper/journal-file.ts';
import { openPaperVenue } from '../adapters/paper/open-paper-venue.ts';
import { seededMarket } from '../exchange/market/market.ts';
import type { Clock } from '../ports/clock.ts';
import type { Venue, VenueDirectory } from '../ports/venue.ts';
import { money } from '../values/amounts.ts';
import { accountId, currency, venueName } from '../values/ids.ts';
import type { Config } from './config/config.ts';
import type { PaperVenueSection } from './config/venues-section.ts';
import type { DataDir } from './data-dir.ts';

export class VenueUnavailable extends Error {
  override readonly name = 'VenueUnavailable';
}

export interface VenueParts {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

export function openVenues(parts: VenueParts): VenueDirectory {
  const { config } = parts;
  const venues = new Map<string, Venue>();
  for (const [name, section] of Object.entries(config.venues)) {
    if (section.kind !== 'paper') {
      throw new VenueUnavailable(
        `venue "${name}": kind ${section.kind} is not available in this version; available: paper`,
      );
    }
    venues.set(name, openPaper(name, section, parts));
  }
  const byAccount = new Map(config.accounts.map(({ id, venue }) => [id, venues.get(venue)]));
  return {
    forAccount: (account) => byAccount.get(account),
    all: () => [...venues.values()],
  };
}

function openPaper(name: string, section: PaperVenueSection, parts: VenueParts): Venue {
  const { config, dataDir, clock, onFault } = parts;
  const balances = new Map(
    Object.entries(section.startingBalances).map(([code, amount]) => [
      currency(code),
      money(amount),
    ]),
  );
  const own = config.accounts.filter((account) => account.venue === name && !account.dummy);
  return openPaperVenue({
    name: venueName(name),
    clock,
    accounts: own.map(({ id }) => ({ account: accountId(id), balances })),
    market: (bornAt) => seededMarket({ seed: String(section.seed), startAt: bornAt }),
    journal: {
      store: new JournalFile(join(dataDir.venue(name), 'journal.jsonl')),
      sync: section.journalSync ? 'fsync' : 'write',
    },
    latencyMs: section.latencyMs,
    // A leg that follows the book must not follow its own orders in it.
    quotesWithout: new Set(own.map(({ id }) => accountId(id))),
    onFault,
  });
}
