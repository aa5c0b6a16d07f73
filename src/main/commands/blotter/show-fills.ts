// `fills`: own trades with price, fee, liquidity, profit, and the market at the trade.
import type { MethodResults } from '../../../gateway/client/client.ts';
import type { AddCommand } from '../command.ts';
import { readTime } from '../terminal/read-time.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import {
  amountColumn,
  profitColumn,
  sharedColumn,
  textColumn,
  timeColumn,
} from '../terminal/sheet-columns.ts';
import type { ZoneName } from '../terminal/time-zone.ts';
import {
  daemonCount,
  daemonKind,
  LIMIT_OPTION,
  paintedSideWord,
  readName,
} from './blotter-arguments.ts';
import {
  accountColumn,
  BlotterDaemon,
  type HoldingOptions,
  type Owned,
  printListing,
  withHoldingOptions,
} from './blotter-options.ts';
import { joined } from './recent-and-older.ts';

type Fill = Owned<MethodResults['private/get_user_trades_by_order'][number]>;

interface Options extends HoldingOptions {
  readonly instrument?: string;
  readonly order?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export const addFills: AddCommand = (program, terminal) => {
  withHoldingOptions(program.command('fills'))
    .option('-i, --instrument <name>', 'only of this instrument', readName)
    .option('--order <id>', 'only of this order')
    .option('--from <time>', 'from here on: ISO 8601, in the zone of --tz without an offset')
    .option('--to <time>', 'up to here')
    .option(...LIMIT_OPTION)
    .action(async (options: Options) => {
      const { kind, limit, tz } = options;
      const blotter = new BlotterDaemon(options);
      const found = await blotter.ofKind(kind, await fillsOf(blotter, options));
      const rows = found.toSorted((a, b) => b.timestamp - a.timestamp).slice(0, limit);
      const columns = columnsFor(rows, tz);
      printListing({ columns, rows, none: 'no fills', limit }, options, terminal);
    });
};

function fillsOf(blotter: BlotterDaemon, options: Options): Promise<readonly Fill[]> {
  const { instrument, currency = 'any', kind, order, limit, tz } = options;
  const from = readTime('--from', options.from, tz);
  const to = readTime('--to', options.to, tz);
  const within = {
    ...(from !== undefined && { startTimestamp: from }),
    ...(to !== undefined && { endTimestamp: to }),
  };
  return joined(
    (historical) => {
      if (order !== undefined) {
        const asked = { orderId: order, historical };
        const isWithin = ({ timestamp }: { readonly timestamp: number }): boolean =>
          timestamp >= (from ?? 0) && timestamp <= (to ?? Number.POSITIVE_INFINITY);
        const method = 'private/get_user_trades_by_order';
        return blotter.queryAccounts(options, method, asked, (all) => all.filter(isWithin));
      }
      const page = { ...within, count: daemonCount(kind, limit), historical };
      if (instrument !== undefined) {
        const asked = { instrumentName: instrument, ...page };
        const method = 'private/get_user_trades_by_instrument';
        return blotter.queryAccounts(options, method, asked, ({ trades }) => trades);
      }
      const asked = { currency, ...daemonKind(kind), ...page };
      const method = 'private/get_user_trades_by_currency';
      return blotter.queryAccounts(options, method, asked, ({ trades }) => trades);
    },
    ({ accountId, instrumentName, tradeId }) => `${accountId} ${instrumentName} ${tradeId}`,
  );
}

const LIQUIDITY = { M: 'maker', T: 'taker' } as const;

const columnsFor = (rows: readonly Fill[], zone: ZoneName): readonly SheetColumn<Fill>[] => [
  accountColumn(rows),
  timeColumn(['traded', 'traded', 0], zone, (row) => row.timestamp),
  sharedColumn(['instrument', 'instrument', 0], (row) => row.instrumentName),
  {
    ...textColumn<Fill>(['side', 'side', 0], (row) => row.side),
    shown: (row) => paintedSideWord(row.side),
  },
  amountColumn(['quantity', 'size', 0], (row) => row.quantity),
  amountColumn(['price', 'price', 0], (row) => row.price),
  amountColumn(['iv', 'IV %', 6], (row) => row.iv),
  amountColumn(['fee', 'fee', 2], (row) => row.fee),
  sharedColumn(['fee_currency', 'of fee', 2], (row) => row.feeCurrency),
  textColumn(['liquidity', 'as', 4], ({ liquidity }) => LIQUIDITY[liquidity] ?? liquidity),
  profitColumn(['profit', 'P/L', 5], (row) => row.profitLoss),
  amountColumn(['mark_price', 'mark', 7], (row) => row.markPrice),
  amountColumn(['index_price', 'index', 9], (row) => row.indexPrice),
  amountColumn(['underlying_price', 'underlying', 10], (row) => row.underlyingPrice),
  textColumn(['label', 'label', 11], (row) => row.label),
  textColumn(['order', 'order', 8], (row) => row.orderId),
  textColumn(['trade', 'trade', 12], (row) => row.tradeId),
  textColumn(['block_trade', 'block trade', 12], (row) => row.blockTradeId),
  textColumn(['combo', 'combo', 12], (row) => row.comboId),
];
