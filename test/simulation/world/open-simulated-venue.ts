// Opens the paper venue of a run so that a witness sees the exchange's events as they happen.
import type { JournalStore } from '../../../src/adapters/paper/journal/journal-store.ts';
import { PaperJournal } from '../../../src/adapters/paper/journal/paper-journal.ts';
import { lastInstant } from '../../../src/adapters/paper/open-paper-venue.ts';
import { STARTING_BALANCES } from '../../../src/adapters/paper/paper-account.ts';
import { PaperExchange } from '../../../src/adapters/paper/paper-exchange.ts';
import { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { RequestLine } from '../../../src/adapters/paper/request-line.ts';
import type { DailyWindow } from '../../../src/core/terms/execution.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { SPEED_BUMPS } from '../../../src/exchange/model/instruments/contract-rules.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Quantity, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { type AccountId, type InstrumentName, venueName } from '../../../src/values/ids.ts';
import { DAY_MS, later } from '../../../src/values/instant.ts';
import { WitnessedExchange } from '../oracles/exchange.oracle.ts';
import type { ExchangeDeath } from '../plan/plan.ts';
import { LastingVenue } from './exchange/lasting-venue.ts';
import { TornJournal, TornWrite } from './exchange/torn-journal.ts';
import type { SimulatedMarket } from './simulated-market.ts';

export interface SimulatedVenueParts {
  /** The venue's own. */
  readonly clock: Clock;
  readonly accounts: readonly AccountId[];
  readonly market: SimulatedMarket;
  readonly latencyMs: number;
  /** The blackout window that portfolios may use. */
  readonly quietWindow: DailyWindow;
  readonly witness: (event: ExchangeEvent) => void;
  /** The exchange keeps a journal, and may die; absent: neither. */
  readonly deaths?: { readonly onDeath: (restMs: number) => void } | undefined;
  readonly onFault: (error: unknown) => void;
}

const RETENTION = { ordersMs: DAY_MS, tradesMs: DAY_MS, ordersMax: 10_000, tradesMax: 10_000 };
export const SETTLEMENT_PAUSE_MS = 5_000;

export interface SimulatedVenue {
  readonly venue: PaperVenue;
  /** What was ever traded in an instrument, by its own count. */
  readonly traded: (name: InstrumentName) => Quantity;
  /** Both sides of its book have orders alongside those of the accounts. */
  readonly isWhole: (name: InstrumentName) => boolean;
  /** The exchange dies in its next write; absent: none is planned. */
  readonly doom?: ((death: ExchangeDeath | undefined) => void) | undefined;
}

/** One life of the exchange's process. */
interface ExchangeLife {
  readonly exchange: WitnessedExchange;
  readonly venue: PaperVenue;
}

export function openSimulatedVenue(parts: SimulatedVenueParts): SimulatedVenue {
  const { accounts, clock, market, deaths } = parts;
  if (deaths === undefined) {
    const life = openLife(parts, openExchange(parts), undefined);
    return simulatedVenue(parts, () => life);
  }
  let exchange = openExchange(parts);
  let restMs = 0;
  const store = new TornJournal({
    onWritten: (isWhole) => exchange.written(isWhole),
    onDeath: () => {
      deaths.onDeath(restMs);
      clock.at(later(clock.now(), restMs), start);
    },
  });
  const start = (): void => {
    for (const { name } of market.instruments(clock.now())) market.stop(name, clock.now());
    exchange = openExchange(parts);
    try {
      now = openLife(parts, exchange, store);
      lasting.become(now.venue, accounts);
    } catch (error) {
      parts.onFault(error);
    }
  };
  let now = openLife(parts, exchange, store);
  const lasting = new LastingVenue(now.venue);
  return {
    ...simulatedVenue(parts, () => now),
    venue: lasting.venue,
    doom: (death) => {
      restMs = death?.restMs ?? 0;
      store.doom(death?.keeps);
    },
  };
}

function simulatedVenue(parts: SimulatedVenueParts, now: () => ExchangeLife): SimulatedVenue {
  const others = new Set(parts.accounts);
  return {
    venue: now().venue,
    traded: (instrument) => now().exchange.traded(instrument) ?? ZERO_QUANTITY,
    isWhole: (instrument) => {
      const { bid, ask } = now().exchange.bestWithout(instrument, others);
      return bid !== undefined && ask !== undefined;
    },
  };
}

/** As the adapter opens a venue: from the journal of the lives before, which is then replaced by a snapshot. */
function openLife(
  parts: SimulatedVenueParts,
  exchange: WitnessedExchange,
  store: JournalStore | undefined,
): ExchangeLife {
  const { clock, market, latencyMs } = parts;
  const onFault = (error: unknown): void => {
    if (!(error instanceof TornWrite)) parts.onFault(error);
  };
  const journal = store && new PaperJournal({ store, onFault });
  const content = journal?.read();
  if (content !== undefined) exchange.load(content.head.snapshot);
  for (const command of content?.commands ?? []) exchange.applyJournal(command);
  const lastAt = content === undefined ? clock.now() : lastInstant(content);
  journal?.restart(lastAt, exchange.snapshotPieces());
  exchange.isJournaled = journal !== undefined;
  const paper = new PaperExchange({
    exchange,
    market,
    journal,
    lastAt,
    openOrders: parts.accounts.flatMap((account) => exchange.openOrders({ account })),
    positions: parts.accounts.flatMap((account) => exchange.positions(account)),
    settlementPauseMs: SETTLEMENT_PAUSE_MS,
    quotesWithout: new Set(parts.accounts),
  });
  const line = new RequestLine({ clock, paper, journal, latencyMs, lastAt, onFault });
  const name = venueName('simulated');
  const quietWindows = [parts.quietWindow];
  const venue = new PaperVenue({ name, exchange, market, paper, line, onFault, quietWindows });
  return { exchange, venue };
}

function openExchange(parts: SimulatedVenueParts): WitnessedExchange {
  // The last of them also quotes Block RFQs.
  const maker = parts.accounts.at(-1);
  const accounts = parts.accounts.map((account) => ({
    account,
    balances: STARTING_BALANCES,
    ...(account === maker && { makerAlias: 'MAKER' }),
  }));
  const exchange = new WitnessedExchange({
    instruments: [],
    accounts,
    retention: RETENTION,
    speedBumpMs: SPEED_BUMPS.ms,
  });
  exchange.witness = parts.witness;
  return exchange;
}
