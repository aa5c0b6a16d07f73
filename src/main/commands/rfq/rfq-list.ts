// `rfq list`, `quotes`, `trades`, `makers`, `instruments`: lists them as tables, CSV or JSON.
import { type Command, Option } from 'commander';
import { readLimit } from '../blotter/blotter-arguments.ts';
import { csvOption, printListing } from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText } from '../command.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { withTimeZone, type ZoneName, zonedMinute } from '../terminal/time-zone.ts';
import { RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import {
  type BlockTradeView,
  type QuoteView,
  quoteColumns,
  type RfqView,
  rfqColumns,
  tradeColumns,
  tradeRows,
} from './rfq-text.ts';

interface Options extends RfqOptions {
  readonly status?: string;
  readonly limit: number;
  readonly currency: string;
  readonly kind?: string;
  readonly csv?: boolean;
  readonly tz: ZoneName;
}

const RFQ_STATUSES = ['open', 'filled', 'traded', 'cancelled', 'expired', 'closed'];
const RFQ_KINDS = ['future', 'option', 'spot'];
const LIMIT_DEFAULT = 20;
const LIMIT = ['-n, --limit <count>', 'at most this many', readLimit, LIMIT_DEFAULT] as const;

export const addRfqList: AddCommand = (program, terminal) => {
  withListOptions(program.command('list'))
    .description('list Block RFQs you requested or received, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(RFQ_STATUSES))
    .option(...LIMIT)
    .action(async (options: Options) => {
      const { status, limit: count } = options;
      const daemon = new RfqDaemon(options);
      const { blockRfqs } = await daemon.get<{ readonly blockRfqs: readonly RfqView[] }>(
        'get_rfqs',
        { status, count },
      );
      const columns = rfqColumns(Date.now(), options.tz);
      printListing({ columns, rows: blockRfqs, none: 'no RFQs' }, options, terminal);
    });
};

export const addRfqQuotes: AddCommand = (program, terminal) => {
  withListOptions(program.command('quotes'))
    .description('list own open quotes; for makers')
    .argument('[id]', 'only those on this RFQ')
    .action(async (blockRfqId: string | undefined, options: Options) => {
      const daemon = new RfqDaemon(options);
      const { results } = await daemon.get<{ readonly results: readonly QuoteView[] }>(
        'get_quotes',
        { blockRfqId },
      );
      const columns = quoteColumns(options.tz);
      printListing({ columns, rows: results, none: 'no open quotes' }, options, terminal);
    });
};

export const addRfqTrades: AddCommand = (program, terminal) => {
  withListOptions(program.command('trades'))
    .description('list own block trades, newest first')
    .argument('[id]', 'only those of this RFQ')
    .option(...LIMIT)
    .action(async (blockRfqId: string | undefined, options: Options) => {
      const daemon = new RfqDaemon(options);
      const { trades } = await daemon.get<{ readonly trades: readonly BlockTradeView[] }>(
        'get_trades',
        { blockRfqId, count: options.limit },
      );
      if (options.json) return terminal.print(jsonText(trades));
      const rows = tradeRows(trades);
      const columns = tradeColumns(options.tz);
      printListing({ columns, rows, none: 'no block trades' }, options, terminal);
    });
};

export const addRfqMakers: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('makers'))
    .description('list the available makers')
    .action(async (options: Options) => {
      const daemon = new RfqDaemon(options);
      const { results } = await daemon.get<{ readonly results: readonly string[] }>('get_makers');
      if (options.json) terminal.print(jsonText(results));
      else for (const alias of results) terminal.print(alias);
    });
};

interface Listed {
  readonly instrumentName: string;
  readonly kind: string;
  readonly marginKind: string;
  readonly expiration: number | null;
}

export const addRfqInstruments: AddCommand = (program, terminal) => {
  withListOptions(program.command('instruments'))
    .description('list the instruments an RFQ may contain')
    .option('--currency <code>', 'BTC, ETH, USDC, or any', 'any')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(RFQ_KINDS))
    .action(async (options: Options) => {
      const { currency, kind } = options;
      const daemon = new RfqDaemon(options);
      const { results } = await daemon.get<{ readonly results: readonly Listed[] }>(
        'get_instruments',
        { currency, kind },
      );
      const columns = listedColumns(options.tz);
      printListing({ columns, rows: results, none: 'no instruments' }, options, terminal);
    });
};

const listedColumns = (zone: ZoneName): readonly SheetColumn<Listed>[] => [
  textColumn(['instrument', 'instrument', 0], (one) => one.instrumentName),
  textColumn(['kind', 'kind', 1], (one) => one.kind),
  textColumn(['margin', 'margin', 2], (one) => one.marginKind),
  {
    ...timeColumn<Listed>(['expires', 'expires', 1], zone, (one) => one.expiration),
    shown: ({ expiration }) => (expiration === null ? '' : zonedMinute(expiration, zone)),
  },
];

const withListOptions = (command: Command): Command =>
  withTimeZone(withRfqOptions(command)).addOption(csvOption());
