// Finds the columns of a recording by header name, in any order, and reads their fields.

import { plainDecimal } from '../../values/text/plain-decimal.ts';
import { cutText } from '../../values/text/text-length.ts';
import type { CsvRow } from './csv-rows.ts';
import { RecordingFault } from './recording-fault.ts';

const MINUS = 45;
const DIGITS = 'at most 18 digits on each side of the point';
const FLOAT = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;
const NAME = /^\S{1,64}$/;
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
    const written = plainDecimal(field);
    if (written !== undefined && written.charCodeAt(0) !== MINUS) return written;
    throw this.fault(row, at, `a decimal such as 61203.5, or nothing, with ${DIGITS}`);
  }

  /** {@link decimal}, which may be below zero. */
  signedDecimal(row: CsvRow, at: number): string | undefined {
    const field = this.text(row, at);
    if (field.charCodeAt(0) !== MINUS) return this.decimal(row, at);
    const written = plainDecimal(field);
    if (written === undefined) {
      throw this.fault(row, at, `a decimal such as -97.5, or nothing, with ${DIGITS}`);
    }
    return /[1-9]/.test(written) ? written : written.slice(1);
  }

  /** A decimal above zero, which must be there. */
  amount(row: CsvRow, at: number): string {
    const written = plainDecimal(this.text(row, at));
    if (written !== undefined && /^\d.*/.test(written) && /[1-9]/.test(written)) return written;
    throw this.fault(row, at, `a decimal above 0, with ${DIGITS}`);
  }

  /** Any finite number, for model output; absent if empty. */
  float(row: CsvRow, at: number): number | undefined {
    const field = this.text(row, at);
    if (field === '') return undefined;
    const value = FLOAT.test(field) ? Number(field) : Number.NaN;
    if (Number.isFinite(value)) return value;
    throw this.fault(row, at, 'a number such as -0.25 or 1e-05, or nothing');
  }

  /** The name of an exchange, a symbol or a currency, which must be there. */
  name(row: CsvRow, at: number): string {
    const name = this.text(row, at).trim();
    if (NAME.test(name)) return name;
    throw this.fault(row, at, 'a name of 1 to 64 characters without blanks');
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
