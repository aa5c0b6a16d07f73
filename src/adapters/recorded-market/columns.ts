// Finds the columns of a recording by header name, in any order, and reads their fields.
import { isDecimalText } from '../../values/decimal.ts';
import type { CsvRow } from './csv-rows.ts';
import { RecordingFault } from './recording-fault.ts';

/** Microseconds since the epoch, 2001 to 2100. */
const MICROSECONDS = /^\d{15,16}$/;
const MICROSECONDS_MAX = 4_102_444_800_000_000;

export class Columns {
  readonly #path: string;
  readonly #names: readonly string[];

  constructor(path: string, header: readonly string[]) {
    this.#path = path;
    this.#names = header.map((name) => name.trim());
  }

  /** Position of a required column. */
  need(name: string): number {
    const at = this.#names.indexOf(name);
    if (at >= 0) return at;
    const has = this.#names.join(',').slice(0, 200);
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

  /** A non-negative decimal as text; absent if empty. */
  decimal(row: CsvRow, at: number): string | undefined {
    const field = this.text(row, at);
    if (field === '') return undefined;
    if (isDecimalText(field) && field.charCodeAt(0) !== 45) return field;
    throw this.fault(row, at, 'a plain decimal such as 61203.5, or nothing');
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
    throw this.fault(row, at, 'whole microseconds since 1970, such as 1625097600000000');
  }

  fault(row: CsvRow, at: number, accepted: string): RecordingFault {
    const shown = JSON.stringify(this.text(row, at).slice(0, 40));
    const name = this.#names[at] ?? '';
    return new RecordingFault(this.#path, row.line, `${name} is ${shown}; accepted: ${accepted}`);
  }
}
