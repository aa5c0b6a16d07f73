// Reads `combos.csv` next to recordings: the legs of combos, as `twapd record` writes them. A CSV with the columns
// exchange,symbol,leg,ratio: one row for each leg, whose ratio is negative for what buying the combo sells.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentName } from '../../values/ids.ts';
import type { ComboLeg } from '../../values/instrument.ts';
import type { Columns } from './columns.ts';
import type { CsvRow } from './csv-rows.ts';
import { describedRows } from './described-rows.ts';

const RATIO = /^-?[1-9]\d{0,3}$/;

/** By the symbol of the combo; none if the folder has no such file. @throws RecordingFault with the row of a fault. */
export async function readCombos(
  folder: string,
): Promise<ReadonlyMap<string, readonly ComboLeg[]>> {
  const path = join(folder, 'combos.csv');
  const combos = new Map<string, ComboLeg[]>();
  if (!existsSync(path)) return combos;
  for await (const { columns, row } of describedRows(path)) addLeg(combos, columns, row);
  return combos;
}

function addLeg(combos: Map<string, ComboLeg[]>, columns: Columns, row: CsvRow): void {
  const field = (name: string): string => columns.name(row, columns.need(name));
  const at = columns.need('ratio');
  if (!RATIO.test(field('ratio'))) {
    throw columns.fault(row, at, 'a whole number other than 0, such as 1 or -2');
  }
  const leg = { instrument: instrumentName(field('leg')), ratio: Number(field('ratio')) };
  const symbol = field('symbol');
  const legs = combos.get(symbol) ?? [];
  const known = legs.find(({ instrument }) => instrument === leg.instrument);
  if (known !== undefined && known.ratio !== leg.ratio) {
    throw columns.fault(row, at, `${known.ratio}, as in a row above of ${leg.instrument}`);
  }
  if (known === undefined) combos.set(symbol, [...legs, leg]);
}
