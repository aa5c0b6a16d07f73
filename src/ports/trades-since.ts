// Reads every trade of an account since an instant through the pages of the port.
import type { TradeRecord } from '../core/order/order-record.ts';
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { InstrumentKind } from '../values/instrument.ts';
import type { OrderReads, Reply } from './trading-desk.ts';

const PER_PAGE = 1_000;

/** The kinds whose trades are listed only if they are named: otherwise those of their legs are. */
export const COMBO_KINDS: readonly InstrumentKind[] = ['future_combo', 'option_combo'];

/** Whether it moved a position for the trade of a combo, which fills the order and has a label. */
export const isLegOfCombo = ({ comboTradeId, blockTradeId, legs }: TradeRecord): boolean =>
  comboTradeId !== undefined && blockTradeId === undefined && legs === undefined;

/** Oldest first, each once, those of closed orders included; all kinds when `kinds` is absent. */
export async function tradesSince(
  venue: Pick<OrderReads, 'trades'>,
  account: AccountId,
  from: Instant,
  kinds?: readonly InstrumentKind[],
): Promise<Reply<readonly TradeRecord[]>> {
  const found = new Map<string, TradeRecord>();
  for (let since = from; ; ) {
    const page = await venue.trades({
      account,
      kinds,
      from: since,
      count: PER_PAGE,
      sorting: 'asc',
    });
    if (page.kind !== 'done') return page;
    const { trades, hasMore } = page.value;
    if (!hasMore && found.size === 0) return { kind: 'done', value: trades };
    for (const trade of trades) found.set(keyOf(trade), trade);
    const last = trades.at(-1);
    if (!hasMore || last === undefined) return { kind: 'done', value: [...found.values()] };
    // Each page continues at the instant the one before ended with.
    if (last.at === since) {
      return { kind: 'unknown', reason: `more than ${PER_PAGE} trades in one millisecond` };
    }
    since = last.at;
  }
}

/** The same, with the trades of combos, which have the label of their order; the trades of their legs have none. */
export async function labelledTradesSince(
  venue: Pick<OrderReads, 'trades'>,
  account: AccountId,
  from: Instant,
): Promise<Reply<readonly TradeRecord[]>> {
  const told = await tradesSince(venue, account, from);
  if (told.kind !== 'done' || !told.value.some(isLegOfCombo)) return told;
  const combos = await tradesSince(venue, account, from, COMBO_KINDS);
  return combos.kind === 'done' ? { ...told, value: [...told.value, ...combos.value] } : combos;
}

/** Trade ids are unique within a currency, and both sides of a trade may be the account's. */
const keyOf = ({ feeCurrency, tradeId, orderId }: TradeRecord): string =>
  `${feeCurrency} ${tradeId} ${orderId}`;
