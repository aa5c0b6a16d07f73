// `instruments [SEARCH]`: what can be traded, by kind, currency and expiry. A search without a match names the nearest.
import type { MethodResults } from '../../../gateway/client/client.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { AddCommand } from '../command.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import type { ZoneName } from '../terminal/time-zone.ts';
import {
  daemonKind,
  type ExpiryDay,
  expiryDay,
  type KindWord,
  matches,
  readCurrency,
  readExpiry,
} from './blotter-arguments.ts';
import {
  BlotterDaemon,
  type BlotterOptions,
  isPerpetual,
  kindOption,
  printListing,
  withBlotterOptions,
} from './blotter-options.ts';

type Instrument = MethodResults['public/get_instruments'][number];

interface Options extends BlotterOptions {
  readonly currency?: string;
  readonly kind?: KindWord;
  readonly expiry?: ExpiryDay;
  readonly expired?: boolean;
}

export const addInstruments: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('instruments'))
    .argument('[search]', 'a part of the name; * stands for anything, such as BTC-*-C')
    .option(
      '--currency <code>',
      'only those of this coin or settled in this currency',
      readCurrency,
    )
    .addOption(kindOption())
    .option(
      '--expiry <day>',
      'only those that expire on it, such as 27NOV26 or 2026-11-27',
      readExpiry,
    )
    .option('--expired', 'recently expired ones instead of those in trading')
    .action(async (search: string | undefined, options: Options) => {
      const blotter = new BlotterDaemon(options);
      const { kind, expired = false, tz } = options;
      const asked = { currency: 'any', ...daemonKind(kind), expired };
      const all = await blotter.query('public/get_instruments', asked);
      const rows = all.filter((one) => isWanted(one, search, options));
      if (rows.length === 0 && search !== undefined && !search.includes('*')) {
        await failWithNearest(blotter, search);
      }
      const columns = columnsFor(tz);
      printListing({ columns, rows, none: 'no such instruments' }, options, terminal);
    });
};

function isWanted(one: Instrument, search: string | undefined, options: Options): boolean {
  const { currency, expiry, kind } = options;
  const { instrumentName, baseCurrency, settlementCurrency, expiration } = one;
  if (currency !== undefined && ![baseCurrency, settlementCurrency].includes(currency))
    return false;
  if (kind === 'perpetual' && !isPerpetual(one)) return false;
  if (expiry !== undefined && (expiration === null || expiryDay(expiration) !== expiry))
    return false;
  return search === undefined || matches(instrumentName, search);
}

/** The daemon knows whether a name expired and which listed ones are nearest to it; its refusal says so. */
async function failWithNearest(blotter: BlotterDaemon, search: string): Promise<void> {
  const instrumentName = search.toUpperCase();
  const found = await blotter.outcome('public/get_instrument', { instrumentName });
  if (found.kind === 'refused') throw new CommandFailure('refused', [found.reason]);
}

const columnsFor = (zone: ZoneName): readonly SheetColumn<Instrument>[] => [
  textColumn(['instrument', 'instrument', 0], (row) => row.instrumentName),
  textColumn(['kind', 'kind', 2], (row) => row.settlementPeriod ?? row.kind),
  textColumn(['margin', 'margin', 5], (row) => row.marginKind),
  textColumn(['base', 'coin', 8], (row) => row.baseCurrency),
  textColumn(['quote', 'price in', 7], (row) => row.quoteCurrency),
  textColumn(['settlement', 'settled in', 4], (row) => row.settlementCurrency),
  timeColumn(['expiry', 'expires', 1], zone, (row) => row.expiration),
  amountColumn(['strike', 'strike', 9], (row) => row.strike ?? undefined),
  textColumn(['option', 'option', 9], (row) => row.optionKind ?? undefined),
  amountColumn(['tick_size', 'tick', 3], (row) => row.tickSize),
  amountColumn(['min_amount', 'smallest', 3], (row) => row.minTradeAmount),
  amountColumn(['amount_step', 'step', 6], (row) => row.qtyTickSize),
  textColumn(['amount_unit', 'unit', 3], (row) => row.quantityUnit),
  amountColumn(['contract_size', 'contract', 10], (row) => row.contractSize),
  amountColumn(['maker_fee', 'maker fee', 6], (row) => row.makerCommission),
  amountColumn(['taker_fee', 'taker fee', 6], (row) => row.takerCommission),
  textColumn(['index', 'index', 10], (row) => row.priceIndex),
];
