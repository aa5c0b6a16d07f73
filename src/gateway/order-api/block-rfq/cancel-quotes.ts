// Cancels own quotes without naming a single one: all of them, all on one RFQ, or all with a label. The answer
// lists every quote cancelled by the request.
import { refusal } from '../../../core/order/answer-class.ts';
import type { RfqDesk } from '../../../ports/block-rfq.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { RfqQuoteRecord } from '../../../values/block-rfq-record.ts';
import type { AccountId } from '../../../values/ids.ts';

/** Conditions on own open quotes; without any, all of them match. */
export interface QuoteFilter {
  readonly account: AccountId;
  readonly rfqId?: string | undefined;
  readonly label?: string | undefined;
}

type Desk = Pick<RfqDesk, 'quotes' | 'cancelQuote' | 'cancelQuotes'>;
type Quotes = Reply<readonly RfqQuoteRecord[]>;

/** Cancels the matching quotes. A quote that traded or ended meanwhile is left out of the answer. */
export async function cancelMatching(rfqs: Desk, filter: QuoteFilter): Promise<Quotes> {
  const { account, rfqId, label } = filter;
  const open = await rfqs.quotes(filter);
  if (open.kind !== 'done') return open;
  if (label === undefined) {
    const count = await rfqs.cancelQuotes({ account, rfqId });
    if (count.kind !== 'done') return count;
  }
  const cancelled: RfqQuoteRecord[] = [];
  for (const { id: quoteId } of open.value) {
    const now =
      label === undefined
        ? await asItIs(rfqs, account, quoteId)
        : await one(rfqs, account, quoteId);
    if (now.kind === 'refused' && IS_OVER.has(now.code)) continue;
    if (now.kind !== 'done') return now;
    if (now.value.status === 'cancelled') cancelled.push(now.value);
  }
  return { kind: 'done', value: cancelled };
}

/** Codes for "not found" and "already closed". */
const IS_OVER: ReadonlySet<number> = new Set([13020, 10010]);

const one = (rfqs: Desk, account: AccountId, quoteId: string): Promise<Reply<RfqQuoteRecord>> =>
  rfqs.cancelQuote({ account, of: { quoteId } });

async function asItIs(
  rfqs: Desk,
  account: AccountId,
  quoteId: string,
): Promise<Reply<RfqQuoteRecord>> {
  const found = await rfqs.quotes({ account, quoteId });
  if (found.kind !== 'done') return found;
  const [quote] = found.value;
  return quote === undefined ? refusal(13020) : { kind: 'done', value: quote };
}
