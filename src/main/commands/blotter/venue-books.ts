// Reads what the venue of an account has of a time, through the daemon: its trades, its transaction log and its positions.
import type { BookedFill, LogEntry, ReportedPosition } from '../../../core/books/compare-books.ts';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { type DeploymentId, parseChildLabel, parseRfqLabel } from '../../../values/ids.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { BlotterDaemon } from './blotter-options.ts';
import { joined } from './recent-and-older.ts';

export interface BooksQuery {
  readonly accountId: string;
  /** Both ends are included; Unix milliseconds. */
  readonly from: number;
  readonly until: number;
}

const PER_PAGE = 1_000;

type Trade = MethodResults['private/get_user_trades_by_currency']['trades'][number];

const tradeKey = ({ instrumentName, tradeId, side }: Trade): string =>
  `${instrumentName} ${tradeId} ${side}`;

/** The trades of combos are listed only if they are requested: otherwise those of their legs are. */
const KINDS = [{}, { kind: 'future_combo' }, { kind: 'option_combo' }] as const;

export async function venueTrades(
  blotter: BlotterDaemon,
  query: BooksQuery,
  deployment: DeploymentId,
): Promise<readonly BookedFill[]> {
  const found = new Map<string, BookedFill>();
  for (const kind of KINDS) {
    const trades = await joined((historical) => {
      return tradesOf(blotter, query, { ...kind, historical });
    }, tradeKey);
    for (const trade of trades) found.set(tradeKey(trade), fillOf(trade, deployment));
  }
  return [...found.values()];
}

async function tradesOf(
  blotter: BlotterDaemon,
  { accountId, from, until }: BooksQuery,
  which: { readonly kind?: 'future_combo' | 'option_combo'; readonly historical: boolean },
): Promise<readonly Trade[]> {
  const found = new Map<string, Trade>();
  for (let since = from; ; ) {
    const window = { startTimestamp: since, endTimestamp: until, sorting: 'asc' } as const;
    const asked = { accountId, currency: 'any', ...which, ...window, count: PER_PAGE };
    const { trades, hasMore } = await blotter.query('private/get_user_trades_by_currency', asked);
    for (const trade of trades) found.set(tradeKey(trade), trade);
    const last = trades.at(-1);
    if (!hasMore || last === undefined) return [...found.values()];
    // Each page continues at the instant the one before ended with.
    if (last.timestamp === since) {
      throw new CommandFailure('refused', [`more than ${PER_PAGE} trades in one millisecond`]);
    }
    since = last.timestamp;
  }
}

function fillOf(trade: Trade, deployment: DeploymentId): BookedFill {
  const { label = '', legs, comboTradeId, blockTradeId } = trade;
  const isLegOfCombo =
    comboTradeId !== undefined && blockTradeId === undefined && legs === undefined;
  const address = parseChildLabel(label) ?? parseRfqLabel(label);
  const isOurs = address?.deployment === deployment && !isLegOfCombo;
  return {
    tradeId: trade.tradeId,
    instrument: trade.instrumentName,
    side: trade.side,
    quantity: trade.quantity,
    price: trade.price,
    fee: trade.fee,
    label,
    orderId: trade.orderId,
    at: trade.timestamp,
    portfolio: isOurs ? address.portfolio : undefined,
    isOfLegs: legs !== undefined,
  };
}

/** In every currency of `currencies`. */
export async function venueLog(
  blotter: BlotterDaemon,
  { accountId, from, until }: BooksQuery,
  currencies: readonly string[],
): Promise<readonly LogEntry[]> {
  const found: LogEntry[] = [];
  for (const currency of currencies) {
    for (let continuation: number | undefined; ; ) {
      const window = { startTimestamp: from, endTimestamp: until, count: PER_PAGE };
      const asked = {
        accountId,
        currency,
        ...window,
        ...(continuation !== undefined && { continuation }),
      };
      const page = await blotter.query('private/get_transaction_log', asked);
      for (const { instrumentName: instrument, timestamp: at, ...entry } of page.transactions) {
        found.push({ ...entry, instrument, at });
      }
      const { continuation: next } = page;
      if (next === undefined) break;
      if (next === continuation || typeof next !== 'number') {
        throw new CommandFailure('refused', ['the transaction log continues where it began']);
      }
      continuation = next;
    }
  }
  return found;
}

export async function venuePositions(
  blotter: BlotterDaemon,
  accountId: string,
): Promise<readonly ReportedPosition[]> {
  const found = await blotter.query('private/get_positions', { accountId });
  return found.map(({ instrumentName: instrument, size: quantity }) => ({ instrument, quantity }));
}
