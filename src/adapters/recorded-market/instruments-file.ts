// Reads the instruments file next to recordings: one row per exchange and symbol, in the exchange's units. A
// CSV with the columns exchange,symbol,kind,base,quote,settlement,contract_size,amount_unit,
// tick_size,amount_step,min_amount,expiration,strike,option_type and optionally maker_fee,taker_fee. Of a combo it has the
// grid; its legs are in `combos.csv`, or in its name.
import { price, quantity, ratio, share } from '../../values/amounts.ts';
import { currency, instrumentName } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import type { Instrument, InstrumentKind } from '../../values/instrument.ts';
import { Columns } from './columns.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import type { DescribedInstrument } from './described-instrument.ts';
import { RecordingFault } from './recording-fault.ts';

const KINDS: readonly string[] = [
  ...['option', 'perpetual', 'future', 'spot', 'future_combo', 'option_combo'],
];
const UNITS: readonly string[] = ['usd', 'base', 'contracts'];

/** Keyed by `exchange symbol`. @throws RecordingFault with the line of the first fault. */
export async function readInstruments(
  path: string,
): Promise<ReadonlyMap<string, DescribedInstrument>> {
  const described = new Map<string, DescribedInstrument>();
  let columns: Columns | undefined;
  for await (const rows of csvRows(path)) {
    let body = rows;
    if (columns === undefined) {
      columns = new Columns(path, rows[0]?.fields ?? []);
      body = rows.slice(1);
    }
    for (const row of body) {
      columns.checkWidth(row);
      const [key, each] = describe(columns, row);
      described.set(key, each);
    }
  }
  if (columns === undefined) {
    throw new RecordingFault(path, undefined, 'is empty; accepted: a header and rows');
  }
  return described;
}

function describe(columns: Columns, row: CsvRow): readonly [string, DescribedInstrument] {
  const field = (name: string): string => columns.text(row, columns.need(name)).trim();
  const optional = (name: string): string => columns.text(row, columns.find(name)).trim();
  const amount = (name: string): string => {
    const at = columns.need(name);
    const text = columns.decimal(row, at);
    if (text !== undefined && /[1-9]/.test(text)) return text;
    throw columns.fault(row, at, 'a decimal above 0');
  };
  const kind = one(columns, row, { name: 'kind', of: KINDS }) as InstrumentKind;
  const unit = one(columns, row, { name: 'amount_unit', of: UNITS });
  const contractSize = amount('contract_size');
  const step = quantity(amount('amount_step'));
  const scale = ratio(unit === 'contracts' ? contractSize : '1');
  const [base, quote, settlement] = [field('base'), field('quote'), field('settlement')];
  const isInverse = settlement === base && kind !== 'spot';
  const symbol = field('symbol');
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
    tickSize: price(amount('tick_size')),
    tickSteps: [],
    ...expiryAndOption(columns, row, kind),
    indexName: `${base}_${quote}`.toLowerCase(),
    makerFee: ratio(optional('maker_fee') || '0'),
    takerFee: ratio(optional('taker_fee') || '0'),
  };
  return [`${field('exchange')} ${symbol}`, { instrument, recordedStep: step, notes: [] }];
}

function expiryAndOption(
  columns: Columns,
  row: CsvRow,
  kind: InstrumentKind,
): Pick<Instrument, 'expiresAt' | 'option'> {
  if (kind !== 'option' && kind !== 'future') return {};
  const expiresAt = instant(columns.microseconds(row, columns.need('expiration')) / 1_000);
  if (kind === 'future') return { expiresAt };
  const at = columns.need('strike');
  const strike = columns.decimal(row, at);
  if (strike === undefined) throw columns.fault(row, at, 'the strike of the option');
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
