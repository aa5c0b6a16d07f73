// `orders`: the orders of an account at its exchange, children of portfolios included: open ones, or closed ones.
import type { MethodResults } from '../../../gateway/client/client.ts';
import type { AddCommand } from '../command.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, sharedColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import type { ZoneName } from '../terminal/time-zone.ts';
import {
  daemonCount,
  daemonKind,
  LIMIT_OPTION,
  matches,
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

type Order = Owned<MethodResults['private/get_open_orders'][number]>;

interface Options extends HoldingOptions {
  readonly closed?: boolean;
  readonly instrument?: string;
  readonly label?: string;
  readonly limit: number;
}

export const addOrders: AddCommand = (program, terminal) => {
  withHoldingOptions(program.command('orders'))
    .option('--closed', 'closed orders instead of open ones')
    .option('-i, --instrument <name>', 'only of this instrument', readName)
    .option('--label <pattern>', 'only labels that contain it; * stands for anything')
    .option(...LIMIT_OPTION)
    .action(async (options: Options) => {
      const blotter = new BlotterDaemon(options);
      const found = await (options.closed
        ? closedOrders(blotter, options)
        : openOrders(blotter, options));
      const { kind, label, limit } = options;
      const rows = (await blotter.ofKind(kind, found))
        .filter((order) => label === undefined || matches(order.label, label))
        .toSorted((a, b) => b.createdAt - a.createdAt)
        .slice(0, limit);
      const none = options.closed ? 'no closed orders' : 'no open orders';
      const columns = columnsFor(rows, options.tz);
      printListing({ columns, rows, none, limit }, options, terminal);
    });
};

async function openOrders(blotter: BlotterDaemon, options: Options): Promise<readonly Order[]> {
  const { instrument, currency, kind } = options;
  const of = daemonKind(kind);
  if (instrument !== undefined) {
    const asked = { instrumentName: instrument };
    const method = 'private/get_open_orders_by_instrument';
    return await blotter.queryAccounts(options, method, asked, (orders) => orders);
  }
  if (currency === undefined) {
    return await blotter.queryAccounts(options, 'private/get_open_orders', of, (all) => all);
  }
  const method = 'private/get_open_orders_by_currency';
  return await blotter.queryAccounts(options, method, { currency, ...of }, (orders) => orders);
}

function closedOrders(blotter: BlotterDaemon, options: Options): Promise<readonly Order[]> {
  const { instrument, currency = 'any', kind, limit } = options;
  const page = { count: daemonCount(kind, limit), includeOld: true, includeUnfilled: true };
  return joined(
    (historical) => {
      if (instrument !== undefined) {
        const asked = { instrumentName: instrument, ...page, historical };
        const method = 'private/get_order_history_by_instrument';
        return blotter.queryAccounts(options, method, asked, ordersOf);
      }
      const asked = { currency, ...daemonKind(kind), ...page, historical };
      const method = 'private/get_order_history_by_currency';
      return blotter.queryAccounts(options, method, asked, ordersOf);
    },
    ({ accountId, orderId }) => `${accountId} ${orderId}`,
  );
}

type History = MethodResults['private/get_order_history_by_currency'];

const ordersOf = (history: History) => ('orders' in history ? history.orders : history);

const STATES: Readonly<Record<string, (text: string) => string>> = {
  open: paint.cyan,
  untriggered: paint.cyan,
  filled: paint.green,
  rejected: paint.red,
};

const columnsFor = (rows: readonly Order[], zone: ZoneName): readonly SheetColumn<Order>[] => [
  accountColumn(rows),
  timeColumn(['created', 'created', 1], zone, (row) => row.createdAt),
  timeColumn(['updated', 'updated', 9], zone, (row) => row.lastUpdatedAt),
  sharedColumn(['instrument', 'instrument', 0], (row) => row.instrumentName),
  {
    ...textColumn<Order>(['side', 'side', 0], (row) => row.side),
    shown: (row) => paintedSideWord(row.side),
  },
  textColumn(['type', 'type', 6], (row) => row.orderType),
  amountColumn(['quantity', 'size', 2], (row) => row.quantity),
  amountColumn(['filled', 'filled', 1], (row) => row.filledQuantity),
  {
    ...amountColumn<Order>(['price', 'price', 0], priceOf),
    shown: (row) => priceOf(row) ?? '',
  },
  amountColumn(['average_price', 'average', 7], (row) =>
    row.averagePrice === '0' ? undefined : row.averagePrice,
  ),
  amountColumn(['trigger_price', 'trigger', 6], (row) => row.triggerPrice),
  {
    ...textColumn<Order>(['state', 'state', 3], (row) => row.orderState),
    shown: ({ orderState }) => (STATES[orderState] ?? paint.dim)(orderState),
  },
  textColumn(['cancel_reason', 'reason', 10], (row) => row.cancelReason),
  textColumn(['time_in_force', 'in force', 11], (row) => row.timeInForce),
  textColumn(['label', 'label', 8], (row) => row.label),
  textColumn(['order', 'order', 4], (row) => row.orderId),
];

/** Empty for a market order that waits for its trigger. */
const priceOf = ({ price }: Order): string | undefined =>
  price === 'market_price' ? undefined : price;
