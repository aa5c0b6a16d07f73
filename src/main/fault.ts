// A fault in a file or a setting: where it is, which field, what was wrong and what is accepted. Faults are
// collected, never thrown one at a time.
import { printable } from '../values/printable.ts';

export interface Fault {
  /** The file, or the name of the environment variable. */
  readonly source: string;
  /** Line and column of the field, both from 1; absent if the source has no lines. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Path of the field, for example `legs[0].quantity`; empty for the source as a whole. */
  readonly field: string;
  readonly message: string;
}

/** A completely read value, or everything that is wrong with its source. */
export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] };

export const faulty = (faults: readonly Fault[]): Reading<never> => ({ kind: 'faulty', faults });

/** Sorts faults from the top of the file to its end. */
export const inOrder = (faults: readonly Fault[]): readonly Fault[] =>
  faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));

/** Formats a fault as one printable line: `config/paper.yaml:12:3 service.port: is 0; accepted: …`. */
export function faultText(fault: Fault): string {
  const at = fault.line === undefined ? '' : `:${fault.line}:${fault.column ?? 1}`;
  const field = fault.field === '' ? '' : ` ${fault.field}`;
  return printable(`${fault.source}${at}${field}: ${fault.message}`);
}

/** Formats `['legs', 0, 'quantity']` as `legs[0].quantity`. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
