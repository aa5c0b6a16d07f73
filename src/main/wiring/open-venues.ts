// Opens the venues of the configuration and assigns accounts to them.
import { join } from 'node:path';
import { JournalFile } from '../../adapters/paper/journal/journal-file.ts';
import { openPaperVenue } from '../../adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../adapters/paper/paper-venue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { money } from '../../values/amounts.ts';
import { type AccountId, accountId, currency, venueName } from '../../values/ids.ts';
import type { Config, VenueConfig } from '../config/config.ts';
import { windowsOf } from '../config/sections/blackout-window-section.ts';
import type { PaperVenueSection } from '../config/sections/venues-section.ts';
import type { DataDir } from '../data-dir.ts';
import type { VenueBinding } from './bind-venue.ts';
import { followMakers, type MakerKeys } from './follow-makers.ts';
import { openMarket } from './open-market.ts';

export interface VenueOptions {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly clock: Clock;
  /** Called for a failure that only a restart can repair. */
  readonly onFault: (error: unknown) => void;
  /** Called for a failure that is handled. */
  readonly report: (where: string) => (error: unknown) => void;
  /** The keys that decide which accounts are makers of Block RFQs. */
  readonly keys: MakerKeys;
  /** Whether `--live` was typed. */
  readonly allowsLive: boolean;
  /** Whether accounts of venues across a network are attached when they open; default yes. */
  readonly attaches?: boolean | undefined;
  /** By venue across a network; absent: any exchange and any account of it is accepted. */
  readonly binding?: ((name: string) => VenueBinding) | undefined;
  /** By venue, before the login of each connection at which real money is traded; rejects to refuse it. */
  readonly onLive?: ((name: string) => Promise<void>) | undefined;
  /** Collects what must be closed after the venues. */
  readonly closers: { push(closer: () => Promise<unknown> | unknown): unknown };
}

export type PaperOptions = Omit<VenueOptions, 'allowsLive' | 'attaches' | 'binding' | 'onLive'>;

export async function openVenues(parts: VenueOptions): Promise<VenueDirectory> {
  const { config } = parts;
  const venues = new Map<string, Venue>();
  for (const [name, section] of Object.entries(config.venues)) {
    venues.set(name, await openVenue(name, section, parts));
  }
  const byAccount = new Map(config.accounts.map(({ id, venue }) => [id, venues.get(venue)]));
  const trading = config.accounts.filter(({ dummy }) => !dummy).map(({ id }) => accountId(id));
  return {
    forAccount: (account) => byAccount.get(account),
    all: () => [...venues.values()],
    accounts: () => trading,
  };
}

export async function openVenue(
  name: string,
  section: VenueConfig,
  parts: VenueOptions,
): Promise<Venue> {
  switch (section.kind) {
    case 'paper':
      return await openPaper(name, section, parts);
    case 'deribit': {
      // Loaded for those alone who trade there.
      const { openDeribit } = await import('./open-deribit.ts');
      return await openDeribit(name, section, parts);
    }
  }
}

export async function openPaper(
  name: string,
  section: PaperVenueSection,
  parts: PaperOptions,
): Promise<PaperVenue> {
  const { config, dataDir, clock, onFault } = parts;
  const { market, trouble, close } = await openMarket(section, {
    clock,
    folder: dataDir.venue(name),
    onFault,
    report: parts.report(`market.${name}`),
  });
  parts.closers.push(close);
  const balances = new Map(
    Object.entries(section.startingBalances).map(([code, amount]) => [
      currency(code),
      money(amount),
    ]),
  );
  const own = config.accounts.filter((account) => account.venue === name && !account.dummy);
  const accounts = own.map(({ id }) => accountId(id));
  const mainOf = mainAccounts(config.keys);
  const venue = openPaperVenue({
    name: venueName(name),
    clock,
    accounts: own.map(({ id, selfTrade }) => {
      return { account: accountId(id), balances, selfTrade, main: mainOf(id) };
    }),
    market,
    marketTrouble: trouble,
    rfqMakers: { seed: String(section.seed), desks: section.rfqMakers },
    journal: {
      store: new JournalFile(join(dataDir.venue(name), 'journal.jsonl')),
      sync: section.journalSync ? 'fsync' : 'write',
    },
    latencyMs: section.latencyMs,
    quietWindows: windowsOf(section.quietWindows),
    rules: section.rules,
    // A leg that follows the book must not follow its own orders in it.
    quotesWithout: new Set(accounts),
    onSnapshotFault: parts.report('journal'),
    onFault,
  });
  const { keys, report } = parts;
  parts.closers.push(followMakers({ venue, accounts, keys, report: report('keys') }));
  return venue;
}

/**
 * The main account of each account: the first of the first configured key that names it. Keys that share an account belong to
 * one main account.
 */
export function mainAccounts(
  keys: readonly { readonly accounts: readonly string[] }[],
): (account: string) => AccountId | undefined {
  const mains = new Map<string, string>();
  for (const { accounts } of keys) {
    const known = accounts.flatMap((account) => mains.get(account) ?? []);
    const [main = accounts[0]] = known;
    if (main === undefined) continue;
    for (const [account, before] of mains) if (known.includes(before)) mains.set(account, main);
    for (const account of accounts) mains.set(account, main);
  }
  return (account) => {
    const main = mains.get(account);
    return main === undefined ? undefined : accountId(main);
  };
}
