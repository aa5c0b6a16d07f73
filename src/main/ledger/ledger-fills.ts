// Reads the fills of an account from its portfolios' events, one portfolio after the other.
import { PostgresAuditRecords } from '../../adapters/postgres/records/postgres-audit-records.ts';
import type { BookedFill } from '../../core/books/compare-books.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { ArchivedReads } from '../../ports/archive/archived-reads.ts';
import { must } from '../../values/assert.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';

export interface FillsQuery {
  readonly account: AccountId;
  /** By the time of the trade; both ends are included. Unix milliseconds. */
  readonly from: number;
  readonly until: number;
}

const PORTFOLIOS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 1_000;

export async function* ledgerFills(
  connectionString: string,
  query: FillsQuery,
  archive?: ArchivedReads,
): AsyncGenerator<BookedFill> {
  const records = new PostgresAuditRecords({ connectionString, archive });
  try {
    for (let after: PortfolioId | undefined; ; ) {
      const some = await records.portfoliosOf(query, after, PORTFOLIOS_AT_ONCE);
      for (const portfolio of some) yield* fillsOfOne(records, portfolio, query);
      after = some.at(-1);
      if (some.length < PORTFOLIOS_AT_ONCE) return;
    }
  } finally {
    await records.close();
  }
}

type Side = Pick<BookedFill, 'instrument' | 'side'>;

async function* fillsOfOne(
  records: Pick<PostgresAuditRecords, 'eventsAfter'>,
  portfolio: PortfolioId,
  { from, until }: FillsQuery,
): AsyncGenerator<BookedFill> {
  let instruments: readonly string[] = [];
  const sides = new Map<string, Side>();
  for (let version = 0; ; ) {
    const events = await records.eventsAfter(portfolio, version, EVENTS_AT_ONCE);
    for (const event of events) {
      if (event.kind === 'submitted') instruments = event.spec.legs.map((leg) => leg.instrument);
      if (event.kind === 'child_intended') {
        const instrument = must(instruments[event.leg], 'a child belongs to a leg');
        sides.set(event.label, { instrument, side: event.side });
      }
      if (event.kind !== 'fill_booked' || event.tradedAt < from || event.tradedAt > until) continue;
      yield fillIn(event, must(sides.get(event.label), 'a fill is of a child'), portfolio);
    }
    version += events.length;
    if (events.length < EVENTS_AT_ONCE) return;
  }
}

const fillIn = (
  event: Extract<PortfolioEvent, { readonly kind: 'fill_booked' }>,
  of: Side,
  portfolio: PortfolioId,
): BookedFill => ({
  ...of,
  tradeId: event.tradeId,
  quantity: event.quantity,
  price: event.price,
  fee: event.fee,
  label: event.label,
  orderId: event.orderId,
  portfolio,
  at: event.tradedAt,
});
