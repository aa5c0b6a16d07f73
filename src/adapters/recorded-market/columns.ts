// Finds the columns of a recording by header name, in any order, and reads their fields.

import { isDecimalText } from '../../values/decimal.ts';
import { cutText } from '../../values/text/text-length.ts';
import type { CsvRow } from './csv-rows.ts';
import { RecordingFault } from './recording-fault.ts';

const MINUS = 45;
/** Microseconds since the epoch, 2001 to 2100. */
const MICROSECONDS = /^\d{15,16}$/;
const MICROSECONDS_MAX = 4_102_444_800_000_000;
/** What a time is instead, by its form. */
const OTHER_CLOCKS: readonly (readonly [RegExp, string])[] = [
  [/^\d{9,10}(?:\.\d+)?$/, 'in seconds'],
  [/^\d{12,13}(?:\.\d+)?$/, 'in milliseconds'],
  [/^\d{18,19}$/, 'in nanoseconds'],
  [/^\d{4}-\d\d-\d\d/, 'as a date'],
];

export class Columns {
  readonly #path: string;
  readonly #names: readonly string[];

  constructor(path: string, header: readonly string[]) {
    this.#path = path;
    this.#names = header.map((name) => name.trim());
  }

  /** @throws RecordingFault if the row does not have as many fields as the header. */
  checkWidth({ line, fields }: CsvRow): void {
    const [has, wanted] = [fields.length, this.#names.length];
    if (has === wanted) return;
    const message = `has ${has} fields; accepted: ${wanted}, as many as the header`;
    throw new RecordingFault(this.#path, line, message);
  }

  /** Position of a required column. */
  need(name: string): number {
    const at = this.#names.indexOf(name);
    if (at >= 0) return at;
    const has = cutText(this.#names.join(','), 200);
    throw new RecordingFault(this.#path, 1, `has no column "${name}"; it has ${has}`);
  }

  /** Position of an optional column; -1 if missing. */
  find(name: string): number {
    return this.#names.indexOf(name);
  }

  /** Text of a field; empty if the column or the field is missing. */
  text(row: CsvRow, at: number): string {
    return at < 0 ? '' : (row.fields[at] ?? '');
  }

  /** A non-negative decimal as text, without an exponent; absent if empty. */
  decimal(row: CsvRow, at: number): string | undefined {
    const field = this.text(row, at);
    if (field === '') return undefined;
    if (isDecimalText(field) && field.charCodeAt(0) !== MINUS) return field;
    const written = withoutExponent(field);
    if (written !== undefined) return written;
    throw this.fault(row, at, 'a decimal such as 61203.5, or nothing');
  }

  /** {@link decimal}, which may be below zero. */
  signedDecimal(row: CsvRow, at: number): string | undefined {
    const field = this.text(row, at);
    if (field.charCodeAt(0) !== MINUS) return this.decimal(row, at);
    const bare = field.slice(1);
    const digits = isDecimalText(field) ? bare : withoutExponent(bare);
    if (digits === undefined) throw this.fault(row, at, 'a decimal such as -97.5, or nothing');
    return /[1-9]/.test(digits) ? `-${digits}` : digits;
  }

  /** Any finite number, for model output; absent if empty. */
  float(row: CsvRow, at: number): number | undefined {
    const field = this.text(row, at);
    if (field === '') return undefined;
    const value = Number(field);
    if (Number.isFinite(value)) return value;
    throw this.fault(row, at, 'a number, or nothing');
  }

  microseconds(row: CsvRow, at: number): number {
    const field = this.text(row, at);
    const value = Number(field);
    if (MICROSECONDS.test(field) && value < MICROSECONDS_MAX) return value;
    const is = OTHER_CLOCKS.find(([form]) => form.test(field))?.[1];
    const accepted = 'whole microseconds since 1970, such as 1625097600000000';
    throw this.fault(
      row,
      at,
      is === undefined ? accepted : `${accepted}; this looks like a time ${is}`,
    );
  }

  fault(row: CsvRow, at: number, accepted: string): RecordingFault {
    const shown = JSON.stringify(cutText(this.text(row, at), 40));
    const name = this.#names[at] ?? '';
    return new RecordingFault(this.#path, row.line, `${name} is ${shown}; accepted: ${accepted}`);
  }
}

const EXPONENTIAL = /^(\d{1,20})(?:\.(\d{1,20}))?[eE]([+-]?\d{1,2})$/;

/** `8.609e-05` as `0.00008609`, digit for digit: programs write small numbers so; `undefined` for anything else. */
function withoutExponent(field: string): string | undefined {
  const match = EXPONENTIAL.exec(field);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = ''] = match;
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.padEnd(point, '0');
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0');
  const at = Math.max(1, point);
  const [integer, rest] = [padded.slice(0, at), padded.slice(at)];
  const text = rest === '' ? integer : `${integer}.${rest}`;
  return text.replace(/^0+(?=\d)/, '');
}
