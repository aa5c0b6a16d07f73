// Opens the paper venue of a run so that a witness sees the exchange's events as they happen.
import { STARTING_BALANCES } from '../../../src/adapters/paper/paper-account.ts';
import { PaperExchange } from '../../../src/adapters/paper/paper-exchange.ts';
import { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { RequestLine } from '../../../src/adapters/paper/request-line.ts';
import type { DailyWindow } from '../../../src/core/terms/execution.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Quantity, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { type AccountId, type InstrumentName, venueName } from '../../../src/values/ids.ts';
import { DAY_MS } from '../../../src/values/instant.ts';
import { WitnessedExchange } from '../oracles/exchange.oracle.ts';
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
  readonly onFault: (error: unknown) => void;
}

const RETENTION = { ordersMs: DAY_MS, tradesMs: DAY_MS, ordersMax: 10_000, tradesMax: 10_000 };
const SETTLEMENT_PAUSE_MS = 5_000;

export interface SimulatedVenue {
  readonly venue: PaperVenue;
  /** What was ever traded in an instrument, by its own count. */
  readonly traded: (name: InstrumentName) => Quantity;
  /** Both sides of its book have orders beside those of the accounts. */
  readonly isWhole: (name: InstrumentName) => boolean;
}

export function openSimulatedVenue(parts: SimulatedVenueParts): SimulatedVenue {
  const { clock, market, latencyMs, onFault } = parts;
  // The last of them also quotes Block RFQs.
  const maker = parts.accounts.at(-1);
  const accounts = parts.accounts.map((account) => ({
    account,
    balances: STARTING_BALANCES,
    ...(account === maker && { makerAlias: 'MAKER' }),
  }));
  const exchange = new WitnessedExchange({ instruments: [], accounts, retention: RETENTION });
  exchange.witness = parts.witness;
  const lastAt = clock.now();
  const paper = new PaperExchange({
    exchange,
    market,
    journal: undefined,
    lastAt,
    openOrders: [],
    positions: [],
    settlementPauseMs: SETTLEMENT_PAUSE_MS,
    quotesWithout: new Set(parts.accounts),
  });
  const line = new RequestLine({ clock, paper, journal: undefined, latencyMs, lastAt, onFault });
  const name = venueName('simulated');
  const quietWindows = [parts.quietWindow];
  const venue = new PaperVenue({ name, exchange, market, paper, line, onFault, quietWindows });
  const others = new Set(parts.accounts);
  return {
    venue,
    traded: (instrument) => exchange.traded(instrument) ?? ZERO_QUANTITY,
    isWhole: (instrument) => {
      const { bid, ask } = exchange.bestWithout(instrument, others);
      return bid !== undefined && ask !== undefined;
    },
  };
}
