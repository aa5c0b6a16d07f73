// `positions`: open positions with average and mark price, profit and loss, greeks and margin.
import type { MethodResults } from '../../../gateway/client/client.ts';
import type { AddCommand } from '../command.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, profitColumn, textColumn } from '../terminal/sheet-columns.ts';
import { daemonKind } from './blotter-arguments.ts';
import {
  accountColumn,
  BlotterDaemon,
  type HoldingOptions,
  type Owned,
  printListing,
  withHoldingOptions,
} from './blotter-options.ts';

type Position = Owned<MethodResults['private/get_positions'][number]>;

export const addPositions: AddCommand = (program, terminal) => {
  withHoldingOptions(program.command('positions')).action(async (options: HoldingOptions) => {
    const { currency, kind } = options;
    const blotter = new BlotterDaemon(options);
    const found = await blotter.queryAccounts(
      options,
      'private/get_positions',
      { ...(currency && { currency }), ...daemonKind(kind) },
      (positions) => positions,
    );
    const held = found.filter(({ side }) => side !== 'zero');
    const rows = await blotter.ofKind(kind, held);
    const listing = { columns: columnsFor(rows), rows, none: 'no open positions' };
    printListing(listing, options, terminal);
  });
};

const columnsFor = (rows: readonly Position[]): readonly SheetColumn<Position>[] => [
  accountColumn(rows),
  textColumn(['instrument', 'instrument', 0], (row) => row.instrumentName),
  textColumn(['kind', 'kind', 12], (row) => row.kind),
  {
    name: 'size',
    head: 'size',
    rank: 0,
    align: 'right',
    cell: (row) => row.size,
    shown: ({ side, size }) => (side === 'buy' ? paint.green(size) : paint.red(size)),
  },
  amountColumn(['average_price', 'average', 2], (row) => row.averagePrice),
  amountColumn(['mark_price', 'mark', 3], (row) => row.markPrice),
  amountColumn(['index_price', 'index', 10], (row) => row.indexPrice),
  profitColumn(['floating_profit', 'unrealised', 1], (row) => row.floatingProfitLoss),
  profitColumn(['realised_profit', 'realised', 8], (row) => row.realizedProfitLoss),
  profitColumn(['total_profit', 'P/L', 0], (row) => row.totalProfitLoss),
  profitColumn(['realised_funding', 'funding', 9], (row) => row.realizedFunding),
  amountColumn(['delta', 'delta', 4], (row) => row.delta),
  amountColumn(['gamma', 'gamma', 7], (row) => row.gamma),
  amountColumn(['vega', 'vega', 6], (row) => row.vega),
  amountColumn(['theta', 'theta', 6], (row) => row.theta),
  amountColumn(['initial_margin', 'initial margin', 5], (row) => row.initialMargin),
  amountColumn(['maintenance_margin', 'maintenance', 8], (row) => row.maintenanceMargin),
  amountColumn(['open_orders_margin', 'orders margin', 11], (row) => row.openOrdersMargin),
  amountColumn(['settlement_price', 'settled at', 13], (row) => row.settlementPrice),
];
