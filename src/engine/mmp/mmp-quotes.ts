// Block RFQ quotes under market maker protection: the groups each counts for, and cancelling the frozen ones.

import type { MmpPlace } from '../../core/mmp/mmp-state.ts';
import type { RfqReads } from '../../ports/block-rfq.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { RfqQuoteRecord } from '../../values/block-rfq-record.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';

/** The indexes of a structure, each in the quote's group. Unlisted instruments have none. */
export function placesOf(
  { market }: Pick<Venue, 'market'>,
  instruments: readonly InstrumentName[],
  group: string,
): readonly MmpPlace[] {
  const indexes = instruments.flatMap((name) => market.instrument(name)?.indexName ?? []);
  return [...new Set(indexes)].map((index) => ({ index, group }));
}

export interface QuoteSweep {
  readonly venue: Venue;
  readonly rfqs: RfqReads;
  readonly account: AccountId;
  readonly isFrozen: (place: MmpPlace) => boolean;
}

/** Cancels the frozen quotes and returns their number. Rejects if the open quotes cannot be read. */
export async function cancelFrozenQuotes(sweep: QuoteSweep): Promise<number> {
  const { rfqs, account } = sweep;
  const found = await rfqs.quotes({ account });
  if (found.kind !== 'done') throw new Error(`quotes of ${account}: ${reasonOf(found)}`);
  const open = found.value.filter(({ status }) => status === 'open');
  const frozen = open.filter((quote) => isQuoteFrozen(quote, sweep));
  const left = new Set(open.filter((quote) => !frozen.includes(quote)).map(({ rfqId }) => rfqId));
  const whole = new Set(frozen.map(({ rfqId }) => rfqId).filter((rfqId) => !left.has(rfqId)));
  const single = frozen.filter(({ rfqId }) => left.has(rfqId));
  await Promise.all([
    ...Array.from(whole, (rfqId) => rfqs.cancelQuotes({ account, rfqId, reason: 'mmp_trigger' })),
    ...single.map(({ id }) => rfqs.cancelQuote({ account, of: { quoteId: id } })),
  ]);
  return frozen.length;
}

function isQuoteFrozen(quote: RfqQuoteRecord, { venue, isFrozen }: QuoteSweep): boolean {
  const instruments = quote.legs.map(({ instrument }) => instrument);
  return placesOf(venue, instruments, quote.mmpGroup ?? '').some(isFrozen);
}

const reasonOf = (reply: Exclude<Reply<never>, { kind: 'done' }>): string =>
  reply.kind === 'refused' ? `${reply.code} ${reply.message}` : reply.reason;
