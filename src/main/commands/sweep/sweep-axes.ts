// `--set` of a sweep: each field with one value or several, `FIELD=A,B,C` or `FIELD=FROM..TO/STEP`, and all their combinations.
import { formatDecimal, isDecimalText, parseDecimal } from '../../../values/decimal.ts';
import { CommandFailure } from '../../command-failure.ts';

/** More combinations than this are taken for a mistake. */
export const VARIANTS_MAX = 1_000;

/** One combination, as settings `FIELD=VALUE` of a single run. */
export interface Variant {
  /** The fields that differ between variants; `as written` if none does. */
  readonly name: string;
  readonly settings: readonly string[];
}

/** In the order written: the last field changes fastest. @throws CommandFailure */
export function variantsOf(written: readonly string[]): readonly Variant[] {
  const axes = written.map(axisOf);
  let combined: readonly Chosen[] = [{ settings: [], named: [] }];
  for (const axis of axes) {
    combined = combined.flatMap(({ settings, named }) =>
      axis.map((one) => ({
        settings: [...settings, one],
        named: axis.length > 1 ? [...named, one] : named,
      })),
    );
    if (combined.length > VARIANTS_MAX) {
      throw new CommandFailure('usage', [
        `--set gives more than ${VARIANTS_MAX} combinations; accepted: at most ${VARIANTS_MAX}`,
      ]);
    }
  }
  return combined.map(({ settings, named }) => ({
    settings,
    name: named.join(' ') || 'as written',
  }));
}

/** Index of the setting that the others are compared with, from its number. @throws CommandFailure if there is none. */
export function baseOf(number: number, variants: readonly Variant[]): number {
  if (number <= variants.length) return number - 1;
  throw new CommandFailure('usage', [
    `--base is ${number}; accepted: 1 to ${variants.length}, the number of a setting in their order`,
  ]);
}

/** More runs than this are taken for a mistake. */
const CELLS_MAX = 100_000;

/** @throws CommandFailure if these are too many runs. */
export function requireCells(variants: number, windows: number): void {
  if (windows * variants <= CELLS_MAX) return;
  throw new CommandFailure('usage', [
    `${variants} settings on ${windows} windows; accepted: at most ${CELLS_MAX} runs`,
  ]);
}

interface Chosen {
  readonly settings: readonly string[];
  readonly named: readonly string[];
}

function axisOf(written: string): readonly string[] {
  const at = written.indexOf('=');
  const [field, text] = [written.slice(0, Math.max(0, at)), written.slice(at + 1)];
  const values = rangeOf(written, text) ?? listed(text);
  if (new Set(values).size < values.length) {
    throw new CommandFailure('usage', [`--set ${JSON.stringify(written)}: a value is repeated`]);
  }
  return values.map((value) => `${field}=${value}`);
}

const RANGE = /^(-?[\d.]+)\.\.([^,\s/]+)(?:\/([^,\s]*))?$/;

/** The bounds are included, the upper one if a step ends there. */
function rangeOf(written: string, text: string): readonly string[] | undefined {
  const [, low = '', high = '', step = ''] = RANGE.exec(text) ?? [];
  if (low === '') return undefined;
  const isWritten = [low, high, step].every(isDecimalText);
  if (!isWritten || Number(step) <= 0 || Number(high) < Number(low)) {
    throw new CommandFailure('usage', [
      `--set ${JSON.stringify(written)}: accepted: FROM..TO/STEP with TO at least FROM and a STEP above 0, such as 10..60/10`,
    ]);
  }
  const values: string[] = [];
  const [end, by] = [parseDecimal(high), parseDecimal(step)];
  for (let value = parseDecimal(low); value.lte(end); value = value.plus(by)) {
    values.push(formatDecimal(value));
    if (values.length > VARIANTS_MAX) break;
  }
  return values;
}

const OPENING = '[{("';
const CLOSING = ']})"';

/** Cut at commas that stand in no brackets and no quotation marks. */
function listed(text: string): readonly string[] {
  const values: string[] = [];
  let [begun, depth, isQuoted] = ['', 0, false];
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && OPENING.includes(char)) depth += 1;
    else if (!isQuoted && CLOSING.includes(char)) depth -= 1;
    if (char === ',' && depth === 0 && !isQuoted) {
      values.push(begun);
      begun = '';
    } else begun += char;
  }
  return [...values, begun];
}
