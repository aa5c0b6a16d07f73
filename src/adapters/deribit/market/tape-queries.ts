// Pages of the public tape. One instrument, or a few, are requested by name; many, or ids, which count within a currency,
// by the currencies they settle in and their kinds, and filtered. The venue refuses the tape of a pair that it routes to
// another exchange, that of the kind spot, and that of all kinds: so spot is requested by name.
//
// To be measured (docs/deribit.md): `start_id` and `end_id` are both included, and so are `start_seq` and `end_seq`; the
// currency of a tape is the settlement currency, and the quote currency of spot.

import type { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import { publicTradeIn } from '../../../ports/deribit-wire/public-trade-rows.ts';
import type { PublicTrade, TapePage, TapeQuery } from '../../../ports/market-history.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { MarketQueries } from './market-queries.ts';

export interface TapeQueriesOptions {
  readonly queries: MarketQueries;
  readonly instrument: (name: InstrumentName) => Instrument | undefined;
}

const COUNT_MAX = 1_000;
/** Requested by name, one call each. */
const NAMED_MAX = 8;
/** Pages read of a currency to find the trades of some instruments. */
const PAGES_MAX = 5;

export class TapeQueries {
  readonly #parts: TapeQueriesOptions;

  constructor(parts: TapeQueriesOptions) {
    this.#parts = parts;
  }

  async page(query: TapeQuery): Promise<TapePage | undefined> {
    const known = query.instruments
      .flatMap((name) => this.#parts.instrument(name) ?? [])
      .filter(({ isRouted }) => isRouted !== true);
    if (known.length === 0) return undefined;
    const hasIds = query.fromId !== undefined || query.untilId !== undefined;
    const isFew = known.length <= NAMED_MAX;
    const isNamed = ({ kind }: Instrument): boolean => !hasIds && (isFew || kind === 'spot');
    const listed = known.filter((one) => !isNamed(one));
    const pages = [
      ...(await this.#named(known.filter(isNamed), query)),
      ...(await this.#listed(listed, query)),
    ];
    const trades = pages.flatMap((page) => page.trades).sort(inOrder(query.order));
    const hasMore = trades.length > query.count || pages.some((page) => page.hasMore);
    return { trades: trades.slice(0, query.count), hasMore };
  }

  async #named(instruments: readonly Instrument[], query: TapeQuery): Promise<readonly TapePage[]> {
    const pages: TapePage[] = [];
    for (const { name } of instruments) {
      const { fromSeq, untilSeq } = query;
      const params = {
        instrument_name: name,
        start_seq: fromSeq,
        end_seq: untilSeq,
        ...pageParams(query),
      };
      pages.push(await this.#read('public/get_last_trades_by_instrument', params));
    }
    return pages;
  }

  async #listed(
    instruments: readonly Instrument[],
    query: TapeQuery,
  ): Promise<readonly TapePage[]> {
    const wanted = new Set(instruments.map(({ name }) => name));
    const pages: TapePage[] = [];
    for (const [currency, kinds] of kindsByCurrency(instruments)) {
      for (const kind of kinds)
        pages.push(await this.#ofCurrency({ currency, kind }, wanted, query));
    }
    return pages;
  }

  async #ofCurrency(
    of: { readonly currency: string; readonly kind: string },
    wanted: ReadonlySet<InstrumentName>,
    query: TapeQuery,
  ): Promise<TapePage> {
    const { count, order, fromId, untilId } = query;
    const found = new Map<string, PublicTrade>();
    let hasMore = true;
    let params: object = { start_id: fromId, end_id: untilId, ...pageParams(query) };
    for (let page = 0; page < PAGES_MAX && hasMore && found.size < count; page += 1) {
      const asked = { ...of, ...params, count: COUNT_MAX };
      const { trades, ...rest } = await this.#read('public/get_last_trades_by_currency', asked);
      for (const trade of trades) if (wanted.has(trade.instrument)) found.set(trade.tradeId, trade);
      const last = trades.at(-1);
      hasMore = rest.hasMore && last !== undefined;
      if (last === undefined) break;
      params =
        order === 'asc'
          ? { start_id: last.tradeId, end_id: untilId, sorting: order }
          : { start_id: fromId, end_id: last.tradeId, sorting: order };
    }
    return { trades: [...found.values()].filter((trade) => isWithin(trade, query)), hasMore };
  }

  async #read(method: string, params: object): Promise<TapePage> {
    const read = (of: Fields): TapePage => ({
      trades: of.each('trades').map(publicTradeIn),
      hasMore: of.flag('has_more'),
    });
    const page = await this.#parts.queries.object(method, { ...params }, read);
    return page ?? { trades: [], hasMore: false };
  }
}

/** A perpetual is a future on this wire. */
function kindsByCurrency(
  instruments: readonly Instrument[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const { settlement, kind } of instruments) {
    const known = kinds.get(settlement) ?? new Set();
    kinds.set(settlement, known.add(kind === 'perpetual' ? 'future' : kind));
  }
  return kinds;
}

const pageParams = ({ from, until, count, order }: TapeQuery) => ({
  start_timestamp: from,
  end_timestamp: until === undefined ? undefined : until - 1,
  count: Math.min(count, COUNT_MAX),
  sorting: order,
});

const isWithin = ({ at }: PublicTrade, { from, until }: TapeQuery): boolean =>
  (from === undefined || at >= from) && (until === undefined || at < until);

const inOrder = (order: TapeQuery['order']) => (one: PublicTrade, other: PublicTrade) => {
  const difference = one.at - other.at || one.tradeSeq - other.tradeSeq;
  return order === 'asc' ? difference : -difference;
};
