// The paper venue of a run, put together so that a witness sees the exchange's events as they happen.
import { STARTING_BALANCES } from '../../adapters/paper/paper-account.ts';
import { PaperExchange } from '../../adapters/paper/paper-exchange.ts';
import { PaperVenue } from '../../adapters/paper/paper-venue.ts';
import { RequestLine } from '../../adapters/paper/request-line.ts';
import type { ExchangeEvent } from '../../exchange/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import { type AccountId, venueName } from '../../values/ids.ts';
import { DAY_MS } from '../../values/instant.ts';
import { WitnessedExchange } from './exchange-truth.ts';
import type { SimulatedMarket } from './simulated-market.ts';

export interface SimulatedVenueParts {
  /** The venue's own. */
  readonly clock: Clock;
  readonly accounts: readonly AccountId[];
  readonly market: SimulatedMarket;
  readonly latencyMs: number;
  readonly witness: (event: ExchangeEvent) => void;
  readonly onFault: (error: unknown) => void;
}

const RETENTION = { ordersMs: DAY_MS, tradesMs: DAY_MS, ordersMax: 10_000, tradesMax: 10_000 };
const SETTLEMENT_PAUSE_MS = 5_000;

export function openSimulatedVenue(parts: SimulatedVenueParts): Venue {
  const { clock, market, latencyMs, onFault } = parts;
  const accounts = parts.accounts.map((account) => ({ account, balances: STARTING_BALANCES }));
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
  return new PaperVenue({ name, exchange, market, paper, line, onFault });
}
