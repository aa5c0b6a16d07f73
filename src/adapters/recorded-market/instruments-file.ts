// Reads the instruments file next to recordings: one row per exchange and symbol, in the exchange's units. A
// CSV with the columns exchange,symbol,kind,base,quote,settlement,contract_size,amount_unit,
// tick_size,amount_step,min_amount,expiration,strike,option_type and optionally maker_fee,taker_fee,tick_steps,is_routed. Of a combo it has
// the grid; its legs are in `combos.csv`, or in its name.
import {
  isMultiple,
  type Price,
  price,
  quantity,
  type Ratio,
  ratio,
  share,
  text,
} from '../../values/amounts.ts';
import { currency, instrumentName } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import type { Instrument, InstrumentKind, TickStep } from '../../values/instrument.ts';
import { FEE_ACCEPTED, plainDecimal, writtenFee } from '../../values/text/plain-decimal.ts';
import type { Columns } from './columns.ts';
import type { CsvRow } from './csv-rows.ts';
import { type DescribedInstrument, indexNameOf } from './described-instrument.ts';
import { describedRows } from './described-rows.ts';

const KINDS: readonly string[] = [
  'option',
  'perpetual',
  'future',
  'spot',
  'future_combo',
  'option_combo',
];
const UNITS: readonly string[] = ['usd', 'base', 'contracts'];

/** Keyed by `exchange symbol`. @throws RecordingFault with the line of the first fault. */
export async function readInstruments(
  path: string,
): Promise<ReadonlyMap<string, DescribedInstrument>> {
  const described = new Map<string, DescribedInstrument>();
  for await (const { columns, row } of describedRows(path)) {
    const [key, each] = describe(columns, row);
    described.set(key, each);
  }
  return described;
}

function describe(columns: Columns, row: CsvRow): readonly [string, DescribedInstrument] {
  const field = (name: string): string => columns.name(row, columns.need(name));
  const amount = (name: string): string => columns.amount(row, columns.need(name));
  const kind = one(columns, row, { name: 'kind', of: KINDS }) as InstrumentKind;
  const unit = one(columns, row, { name: 'amount_unit', of: UNITS });
  const contractSize = amount('contract_size');
  const step = quantity(amount('amount_step'));
  const scale = ratio(unit === 'contracts' ? contractSize : '1');
  const [base, quote, settlement] = [field('base'), field('quote'), field('settlement')];
  const isInverse = settlement === base && kind !== 'spot';
  const symbol = field('symbol');
  const tickSize = price(amount('tick_size'));
  const instrument: Instrument = {
    name: instrumentName(symbol),
    kind,
    base: currency(base),
    quote: currency(quote),
    settlement: currency(settlement),
    marginKind: isInverse ? 'inverse' : 'linear',
    amountUnit: isInverse && kind !== 'option' && kind !== 'option_combo' ? 'usd' : 'base',
    contractSize: quantity(contractSize),
    amountStep: share(step, scale),
    minAmount: share(quantity(amount('min_amount')), scale),
    tickSize,
    tickSteps: tickStepsIn(columns, row, tickSize),
    ...expiryAndOption(columns, row, kind),
    indexName: indexNameOf({ base, quote, isInverse }),
    makerFee: feeIn(columns, row, 'maker_fee'),
    takerFee: feeIn(columns, row, 'taker_fee'),
    ...(isRoutedIn(columns, row, kind) && { isRouted: true }),
  };
  const notes =
    kind === 'option' && columns.find('tick_steps') < 0
      ? [
          `${symbol}: the instruments file has no column tick_steps: tick ${text(tickSize)} at every price`,
        ]
      : [];
  return [`${field('exchange')} ${symbol}`, { instrument, recordedStep: step, notes }];
}

/** Only spot may be matched on another exchange. */
function isRoutedIn(columns: Columns, row: CsvRow, kind: InstrumentKind): boolean {
  const at = columns.find('is_routed');
  const written = columns.text(row, at).trim();
  if (written === '' || (written === 'true' && kind === 'spot')) return written !== '';
  throw columns.fault(row, at, 'true for spot that is matched on another exchange, or nothing');
}

function feeIn(columns: Columns, row: CsvRow, name: string): Ratio {
  const at = columns.find(name);
  const written = columns.text(row, at).trim();
  const fee = written === '' ? '0' : writtenFee(written);
  if (fee !== undefined) return ratio(fee);
  throw columns.fault(row, at, `${FEE_ACCEPTED}, or nothing`);
}

/** `0.005:0.0005`: above the first price ticks are of the second; several are separated by blanks, lower prices first. */
function tickStepsIn(columns: Columns, row: CsvRow, tickSize: Price): readonly TickStep[] {
  const at = columns.find('tick_steps');
  const written = columns.text(row, at).trim();
  if (written === '') return [];
  const steps = written.split(' ').map((step) => step.split(':').map(plainDecimal));
  let highest = 0;
  return steps.map(([above = '', tick = '', ...rest]): TickStep => {
    const isRising = rest.length === 0 && Number(above) > highest && Number(tick) > 0;
    if (isRising && isMultiple(price(tick), tickSize)) {
      highest = Number(above);
      return { above: price(above), tickSize: price(tick) };
    }
    throw columns.fault(
      row,
      at,
      'PRICE:TICK such as 0.005:0.0005, several with rising prices and a blank between, each tick a multiple of tick_size; or nothing',
    );
  });
}

function expiryAndOption(
  columns: Columns,
  row: CsvRow,
  kind: InstrumentKind,
): Pick<Instrument, 'expiresAt' | 'option'> {
  if (kind !== 'option' && kind !== 'future') return {};
  const expiresAt = instant(columns.microseconds(row, columns.need('expiration')) / 1_000);
  if (kind === 'future') return { expiresAt };
  const strike = columns.amount(row, columns.need('strike'));
  const type = one(columns, row, { name: 'option_type', of: ['call', 'put'] }) as 'call' | 'put';
  return { expiresAt, option: { strike: price(strike), type } };
}

function one(
  columns: Columns,
  row: CsvRow,
  { name, of }: { readonly name: string; readonly of: readonly string[] },
): string {
  const at = columns.need(name);
  const text = columns.text(row, at).trim();
  if (of.includes(text)) return text;
  throw columns.fault(row, at, of.join(', '));
}
