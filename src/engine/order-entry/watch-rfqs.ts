// Reports how the Block RFQs of our takers ended, once each, based on the venue's notices.

import type { RfqReads } from '../../ports/block-rfq.ts';
import type { Observer } from '../../ports/observer.ts';
import type { RfqEnd } from '../../ports/risk-observer.ts';
import type { RfqRecord, RfqStatus } from '../../values/block-rfq-record.ts';
import type { VenueName } from '../../values/ids.ts';

const ENDS: Partial<Record<RfqStatus, RfqEnd>> = {
  filled: 'traded',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: 'cancelled',
  failed: 'failed',
};

/** The number of ended RFQs remembered, to ignore duplicate notices. */
const REMEMBERED_MAX = 1_000;

export interface RfqEndsOptions {
  readonly venue: VenueName;
  readonly rfqs: Pick<RfqReads, 'listen'>;
  readonly observer: Observer;
}

/** Reports until the returned function is called. */
export function watchRfqEnds({ venue, rfqs, observer }: RfqEndsOptions): () => void {
  /** The number of quotes that the taker last saw. */
  const quotes = new Map<string, number>();
  const ended = new Set<string>();
  return rfqs.listen((news) => {
    if (news.kind !== 'rfq' || news.rfq.role !== 'taker') return;
    const { account, rfq } = news;
    const end = ENDS[rfq.status];
    if (end === undefined) quotes.set(rfq.id, quotesIn(rfq));
    else if (!ended.has(rfq.id)) {
      observer.observe({
        event: 'rfq_ended',
        venue,
        account,
        rfq: rfq.id,
        end,
        quotes: quotes.get(rfq.id) ?? 0,
      });
      quotes.delete(rfq.id);
      ended.add(rfq.id);
      for (const oldest of ended) if (ended.size > REMEMBERED_MAX) ended.delete(oldest);
    }
  });
}

const quotesIn = ({ bids, asks }: RfqRecord): number =>
  [...bids, ...asks].reduce((count, { makers }) => count + makers.length, 0);
