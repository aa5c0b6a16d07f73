// Asks a market for its past. Decision: a venue that keeps no such past answers 10033 not_implemented.
import { type Refused, refusal } from '../../../core/order/answer-class.ts';
import type { HistoryKinds } from '../../../ports/market-history.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type MarketCall, onMarket } from '../../order-api/market/ask-market.ts';
import { done } from '../../order-api/method.ts';

const NOT_IMPLEMENTED = 10_033;

export const notKept = (): Refused =>
  refusal(NOT_IMPLEMENTED, { param: '', reason: 'this venue keeps no such history' });

export interface HistoryAsked<K extends keyof HistoryKinds> {
  readonly kind: K;
  readonly query: HistoryKinds[K]['query'];
}

/** The history of an instrument that a market lists. */
export const askHistory = <K extends keyof HistoryKinds>(
  call: MarketCall,
  name: InstrumentName,
  {
    kind,
    query,
    write,
  }: HistoryAsked<K> & {
    readonly write: (answer: HistoryKinds[K]['answer'], instrument: Instrument) => unknown;
  },
): Promise<Reply<unknown>> =>
  onMarket(call, name, async (market, instrument) => {
    const answer = await market.history(kind, query);
    return answer === undefined ? notKept() : done(write(answer, instrument));
  });

/** The history of one market, whatever it is about. */
export async function historyAt<K extends keyof HistoryKinds>(
  market: MarketReads,
  { kind, query }: HistoryAsked<K>,
  write: (answer: HistoryKinds[K]['answer']) => unknown,
): Promise<Reply<unknown>> {
  const answer = await market.history(kind, query);
  return answer === undefined ? notKept() : done(write(answer));
}
