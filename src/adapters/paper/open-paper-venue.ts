// Opens a paper venue, restored from its journal or new, with its market source.

import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import { Exchange, type ExchangeOptions } from '../../exchange/exchange.ts';
import type { RfqMakersSettings } from '../../exchange/market/block-makers/rfq-makers.ts';
import type { MarketSource } from '../../exchange/market/market-source.ts';
import type { ExchangeRules } from '../../exchange/model/exchange-rules.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, SECOND_MS } from '../../values/instant.ts';
import type { JournalContent } from './journal/journal-text.ts';
import { PaperJournal, type PaperJournalOptions } from './journal/paper-journal.ts';
import { restoreTape } from './market/restored-tape.ts';
import { type PaperAccount, STARTING_BALANCES } from './paper-account.ts';
import { PaperExchange } from './paper-exchange.ts';
import { PaperVenue } from './paper-venue.ts';
import { type Latency, RequestLine } from './request-line.ts';

export interface PaperVenueOptions {
  readonly name: VenueName;
  readonly clock: Clock;
  readonly accounts: readonly PaperAccount[];
  /** Creates the market source; `bornAt` is the first start of this exchange, the same after every restart. */
  readonly market: (bornAt: Instant) => MarketSource;
  /** Default: nothing survives the process. */
  readonly journal?: PaperJournalOptions | undefined;
  /** From request to answer. Default 0: the answer arrives in the next turn of the event loop. */
  readonly latencyMs?: Latency | undefined;
  /** Until when nothing but the market happens, if somebody knows; for markets that may pass over their rows. */
  readonly quietUntil?: (() => Instant) | undefined;
  /** How long closed orders and trades can be queried. Default 30 days, the newest 30 000. */
  readonly retention?: ExchangeOptions['retention'];
  /** Default: the venue's. */
  readonly rules?: ExchangeRules | undefined;
  /** Bots that quote Block RFQs. Default none: only users quote. */
  readonly rfqMakers?: RfqMakersSettings | undefined;
  /** How long books pause at the daily settlement. Default 5 s. */
  readonly settlementPauseMs?: number | undefined;
  /** Blackout windows of each day that portfolios may observe. Default none. */
  readonly quietWindows?: VenueFeatures['quietWindows'];
  /** Why the market is without prices, if another venue makes them. Default: it makes its own. */
  readonly marketTrouble?: (() => string | undefined) | undefined;
  /**
   * Accounts whose own orders are excluded from quotes, so that a rule that follows the market does not
   * follow itself. Default none: quotes show the complete book.
   */
  readonly quotesWithout?: ReadonlySet<AccountId> | undefined;
  /**
   * Receives the error when a snapshot could not be written: the journal continues in the files that it has, and another
   * one is tried after as many bytes. Default: `onFault`.
   */
  readonly onSnapshotFault?: ((error: unknown) => void) | undefined;
  /**
   * Receives the error when the journal can no longer be written (every later answer is unknown) and when a listener
   * throws. Default: throws, which ends the process unless the exception is caught.
   */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

const RETENTION = {
  ordersMs: 30 * DAY_MS,
  tradesMs: 30 * DAY_MS,
  ordersMax: 30_000,
  tradesMax: 30_000,
};
const SETTLEMENT_PAUSE_MS = 5 * SECOND_MS;

/** Throws `JournalDamaged` if the journal of earlier processes cannot be trusted. */
export function openPaperVenue(options: PaperVenueOptions): PaperVenue {
  const { name, clock, latencyMs = 0 } = options;
  const now = clock.now();
  const onFault = options.onFault ?? rethrow;
  const onSnapshotFault = options.onSnapshotFault ?? onFault;
  const journal =
    options.journal && new PaperJournal({ ...options.journal, onFault: onSnapshotFault });
  const content = journal?.read();
  const market = options.market(content?.head.bornAt ?? now);
  const exchange = restored(content, options);
  const lastAt = content === undefined ? now : lastInstant(content);
  journal?.restart(lastAt, exchange.snapshotPieces());
  const openOrders = options.accounts.flatMap(({ account }) => exchange.openOrders({ account }));
  const positions = options.accounts.flatMap(({ account }) => exchange.positions(account));
  const quotesWithout = options.quotesWithout ?? new Set();
  const paper = new PaperExchange({
    exchange,
    market,
    journal,
    lastAt,
    openOrders,
    positions,
    settlementPauseMs: options.settlementPauseMs ?? SETTLEMENT_PAUSE_MS,
    quotesWithout,
    rfqMakers: options.rfqMakers,
  });
  restoreTape(
    paper.tape,
    exchange,
    options.accounts.map(({ account }) => account),
  );
  const { quietWindows, marketTrouble, quietUntil } = options;
  const line = new RequestLine({
    clock,
    paper,
    journal,
    latencyMs,
    lastAt,
    quietUntil,
    onFault,
  });
  const parts = { name, exchange, market, paper, line, onFault, quietWindows, marketTrouble };
  return new PaperVenue(parts);
}

function rethrow(error: unknown): never {
  throw error;
}

function restored(content: JournalContent | undefined, options: PaperVenueOptions): Exchange {
  const accounts = options.accounts.map(({ balances = STARTING_BALANCES, ...account }) => ({
    ...account,
    balances,
  }));
  const { rules, retention = RETENTION } = options;
  const settings = { ...rules, instruments: [], accounts, retention };
  if (content === undefined) return new Exchange(settings);
  const exchange = Exchange.restore(content.head.snapshot, settings);
  exchange.applyUnmarkedJournal(content.unmarked);
  for (const command of content.commands) exchange.applyJournal(command);
  return exchange;
}

/** Of anything that is in the journal. */
export function lastInstant({ head, unmarked, commands }: JournalContent): Instant {
  const last = commands.at(-1)?.at(-1) ?? unmarked.at(-1);
  return instant(Math.max(head.savedAt, head.snapshot.at, last?.at ?? 0));
}
