// Reads the block trades of an account. The wire has no list of them: they are the account's trades in the minutes of each
// filled RFQ, which do not change afterwards and are remembered.
import type { CurrencyOf } from '../../../ports/deribit-wire/block-rfq-rows.ts';
import { tradesSince } from '../../../ports/trades-since.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { BlockTrade, RfqRecord } from '../../../values/block-rfq-record.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import { later, MINUTE_MS } from '../../../values/instant.ts';
import { LatestMap } from '../../../values/latest-map.ts';
import { areAllTrades, type BlockContext, ownBlockTrades } from './own-block-trades.ts';

export interface BlockTradeReadsOptions {
  readonly trades: TradingDesk['trades'];
  readonly currencyOf: CurrencyOf;
  readonly contextOf: (account: AccountId) => BlockContext;
}

/** What an RFQ traded for the account. */
export interface RfqBlocks {
  readonly trades: readonly BlockTrade[];
  /** False if the venue's list of trades lags behind the RFQ. */
  readonly areAll: boolean;
}

const KEPT_MAX = 1_000;
/** An accept of the last moment trades after the end of the RFQ. */
const MARGIN_MS = MINUTE_MS;

export class BlockTradeReads {
  readonly #parts: BlockTradeReadsOptions;
  readonly #known = new LatestMap<string, RfqBlocks>(KEPT_MAX);

  constructor(parts: BlockTradeReadsOptions) {
    this.#parts = parts;
  }

  async of(account: AccountId, rfq: RfqRecord): Promise<Reply<RfqBlocks>> {
    if (rfq.status !== 'filled') return { kind: 'done', value: { trades: [], areAll: true } };
    const key = `${account} ${rfq.id}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { kind: 'done', value: known };
    const read = await this.#read(account, rfq);
    if (read.kind === 'done' && read.value.areAll) this.#known.set(key, read.value);
    return read;
  }

  async #read(account: AccountId, rfq: RfqRecord): Promise<Reply<RfqBlocks>> {
    const { trades: page, contextOf } = this.#parts;
    const context = contextOf(account);
    const until = later(rfq.expiresAt, MARGIN_MS);
    const found = [];
    for (const currency of this.#currenciesOf(rfq)) {
      const within: TradingDesk['trades'] = (query) => page({ ...query, currency, until });
      const reply = await tradesSince({ trades: within }, account, rfq.createdAt);
      if (reply.kind !== 'done') return reply;
      found.push(...reply.value.filter(({ blockRfqId }) => blockRfqId === rfq.id));
    }
    const trades = ownBlockTrades(rfq, found, context);
    return { kind: 'done', value: { trades, areAll: areAllTrades(rfq, trades, context.alias) } };
  }

  /** Each leg's trade is listed under the currency that the leg settles in. */
  #currenciesOf({ legs, hedge }: RfqRecord): ReadonlySet<Currency> {
    const parts = hedge === undefined ? legs : [...legs, hedge];
    return new Set(parts.map((one) => this.#parts.currencyOf([one])));
  }
}
