// Asks the market that lists an instrument, for the order methods and for Deribit's. A market that does not answer is a
// temporary refusal: it has already reported why to the operator.

import type { MarketReads } from '../../../ports/market-reads.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Desks } from '../../desks/desks.ts';
import { findInstrument, instrumentNotFound } from '../find-instrument.ts';
import { type Refusal, tryAgain } from '../refusals.ts';

/** What of a call is needed to ask a market. */
export interface MarketCall {
  readonly orders: Desks;
  readonly now: () => Instant;
}

/** The accepted depths of a book: others are rounded up. */
export const DEPTHS = [1, 5, 10, 20, 50, 100, 1_000, 10_000] as const;

export const depthOf = (depth: number): number => DEPTHS.find((one) => one >= depth) ?? depth;

export const notFound = ({ orders, now }: MarketCall, name: InstrumentName): Refusal =>
  instrumentNotFound(name, { markets: orders.markets(), now });

/** Refuses if no market lists the instrument. */
export async function onMarket(
  call: MarketCall,
  name: InstrumentName,
  read: (market: MarketReads, instrument: Instrument) => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  const found = findInstrument(call.orders.markets(), name);
  if (found === undefined) return notFound(call, name);
  return await looked(() => read(found.market, found.instrument));
}

export async function looked(read: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  try {
    return await read();
  } catch (error) {
    throwProgrammingError(error);
    return tryAgain('the market does not answer; nothing was done, try again');
  }
}
