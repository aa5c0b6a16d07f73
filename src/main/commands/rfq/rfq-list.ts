// `rfq list`, `quotes`, `trades`, `makers`, `instruments`: lists them as tables or JSON.
import { readLimit } from '../blotter/blotter-arguments.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { paint } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import {
  type BlockTradeView,
  type QuoteView,
  quoteTable,
  type RfqView,
  rfqTable,
  tradeTable,
} from './rfq-text.ts';

interface Options extends RfqOptions {
  readonly status?: string;
  readonly limit: number;
  readonly currency: string;
  readonly kind?: string;
}

const LIMIT_DEFAULT = 20;
const LIMIT = ['-n, --limit <count>', 'at most this many', readLimit, LIMIT_DEFAULT] as const;

export const addRfqList: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('list'))
    .description('list Block RFQs you requested or received, newest first')
    .option('--status <status>', 'only these: open, filled, traded, cancelled, expired, closed')
    .option(...LIMIT)
    .action(async (options: Options) => {
      const { status, limit: count } = options;
      const daemon = new RfqDaemon(options);
      const { blockRfqs } = await daemon.get<{ readonly blockRfqs: readonly RfqView[] }>(
        'get_rfqs',
        { status, count },
      );
      if (options.json) terminal.print(jsonText(blockRfqs));
      else terminal.print(blockRfqs.length === 0 ? 'no RFQs' : rfqTable(blockRfqs, Date.now()));
    });
};

export const addRfqQuotes: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('quotes'))
    .description('list own open quotes; for makers')
    .argument('[id]', 'only those on this RFQ')
    .action(async (blockRfqId: string | undefined, options: Options) => {
      const daemon = new RfqDaemon(options);
      const { results } = await daemon.get<{ readonly results: readonly QuoteView[] }>(
        'get_quotes',
        { blockRfqId },
      );
      if (options.json) terminal.print(jsonText(results));
      else terminal.print(results.length === 0 ? 'no open quotes' : quoteTable(results));
    });
};

export const addRfqTrades: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('trades'))
    .description('list own block trades, newest first')
    .argument('[id]', 'only those of this RFQ')
    .option(...LIMIT)
    .action(async (blockRfqId: string | undefined, options: Options) => {
      const daemon = new RfqDaemon(options);
      const { trades } = await daemon.get<{ readonly trades: readonly BlockTradeView[] }>(
        'get_trades',
        { blockRfqId, count: options.limit },
      );
      if (options.json) terminal.print(jsonText(trades));
      else terminal.print(trades.length === 0 ? 'no block trades' : tradeTable(trades));
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
  withRfqOptions(program.command('instruments'))
    .description('list the instruments an RFQ may contain')
    .option('--currency <code>', 'BTC, ETH, USDC, or any', 'any')
    .option('--kind <kind>', 'future, option or spot')
    .action(async (options: Options) => {
      const { currency, kind } = options;
      const daemon = new RfqDaemon(options);
      const { results } = await daemon.get<{ readonly results: readonly Listed[] }>(
        'get_instruments',
        { currency, kind },
      );
      if (options.json) return terminal.print(jsonText(results));
      const heads = ['instrument', 'kind', 'margin', 'expires (UTC)'].map((head) => ({ head }));
      const rows = results.map((one) => [
        one.instrumentName,
        one.kind,
        one.marginKind,
        one.expiration === null ? paint.dim('never') : dayText(one.expiration),
      ]);
      terminal.print(tableText(heads, rows));
    });
};

const dayText = (epochMs: number): string =>
  new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ');
