// The params of Deribit's methods: numbers may be text (a query string has nothing else) and have exponents, params
// that the method does not have are ignored, null means absent.
import type { z } from 'zod';
import { type Price, price, type Quantity, quantity } from '../../../values/amounts.ts';
import { isDecimalText } from '../../../values/decimal.ts';
import { type Instant, instant } from '../../../values/instant.ts';
import { invalidParam, type Refusal } from '../../order-api/refusals.ts';
import { readWith } from '../../wire/faults.ts';
import { writtenDigits } from '../../wire/field-kinds.ts';
import { field, record } from '../../wire/fields.ts';

const EXPONENT = /^(-?)(\d{1,24})(?:\.(\d{1,24}))?[eE]([+-]?\d{1,2})$/;

/** A number as plain digits: `6.4e4` is `64000`, `10.0` is `10`. `undefined` if it is no number, or too long. */
export function plainDigits(value: unknown): string | undefined {
  const written = writtenDigits(value) ?? (typeof value === 'number' ? String(value) : undefined);
  if (written === undefined) return undefined;
  const parts = EXPONENT.exec(written);
  const digits = parts === null ? written : shiftedDigits(parts);
  const short = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return isDecimalText(short) ? short : undefined;
}

/** The point of `1.25e3` moved by the exponent. */
function shiftedDigits([
  ,
  sign = '',
  whole = '',
  fraction = '',
  power = '0',
]: RegExpExecArray): string {
  const digits = whole + fraction;
  const point = whole.length + Number(power);
  const before = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const after = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  const trimmed = before.replace(/^0+(?=\d)/, '');
  return `${sign}${trimmed}${after === '' ? '' : `.${after}`}`;
}

interface NumberRule {
  readonly description: string;
}

const NUMBER_SCHEMA = { type: 'number' } as const;

const decimalParam =
  <T>(make: (digits: string) => T) =>
  ({ description }: NumberRule) =>
    field<T, string | number>({
      schema: NUMBER_SCHEMA,
      description,
      accepted: 'a number of at most 18 digits on each side of the point',
      read: (value) => {
        const digits = plainDigits(value);
        return digits === undefined ? undefined : make(digits);
      },
    });

export const priceParam = decimalParam<Price>(price);
export const amountParam = decimalParam<Quantity>(quantity);

export const wholeParam = ({ min, max, description }: NumberRule & { min: number; max: number }) =>
  field<number, string | number>({
    schema: { type: 'integer', minimum: min, maximum: max },
    description,
    accepted: `a whole number from ${min} to ${max}`,
    read: (value) => {
      const digits = plainDigits(value);
      if (digits === undefined || !/^-?\d{1,16}$/.test(digits)) return undefined;
      const whole = Number(digits);
      return whole >= min && whole <= max ? whole : undefined;
    },
  });

export const instantParam = (description: string) =>
  field<Instant, string | number>({
    schema: { type: 'integer', minimum: 0 },
    description: `${description}, Unix milliseconds`,
    accepted: 'Unix milliseconds',
    read: (value) => {
      const digits = plainDigits(value);
      return digits !== undefined && /^\d{1,15}$/.test(digits)
        ? instant(Number(digits))
        : undefined;
    },
  });

export const flagParam = (description: string) =>
  field<boolean, boolean | string>({
    schema: { type: 'boolean' },
    description,
    accepted: 'true or false',
    read: (value) => {
      if (typeof value === 'boolean') return value;
      return value === 'true' ? true : value === 'false' ? false : undefined;
    },
  });

/** Names that are other words, not only another spelling. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  accountId: 'subaccount_id',
  quantity: 'amount',
  quoteId: 'block_rfq_quote_id',
  side: 'direction',
};

/** The name on Deribit's wire of a param or member: `legs[0].instrumentName` is `legs[0].instrument_name`. */
export const deribitName = (param: string): string =>
  param.replace(/[a-zA-Z]\w*/g, (word) =>
    Object.hasOwn(OTHER_WORDS, word)
      ? (OTHER_WORDS[word] ?? word)
      : word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );

type Name = readonly [shared: string, written: string];

export const namesOf = (shape: object): readonly Name[] =>
  Object.keys(shape).map((name) => [name, deribitName(name)]);

/** The members that a shape knows, by the names that both wires share. */
export const picked = (value: Readonly<Record<string, unknown>>, names: readonly Name[]) =>
  Object.fromEntries(
    names.flatMap(([name, written]) =>
      Object.hasOwn(value, written) ? [[name, value[written]]] : [],
    ),
  );

/**
 * Reads the params of one method; `shape` has the fields it knows, each optional or required, in the names that both
 * wires share.
 */
export function paramsReader<S extends z.ZodRawShape>(shape: S) {
  const schema = record(shape, 'Params');
  const names = namesOf(shape);
  return (
    input: unknown,
  ): { readonly value: z.output<typeof schema> } | { readonly refusal: Refusal } => {
    const read = readWith(schema, isObject(input) ? picked(input, names) : {});
    if ('value' in read) return read as { readonly value: z.output<typeof schema> };
    const [first] = read.rejections;
    const name = deribitName(first?.field ?? '');
    return { refusal: invalidParam(name, first?.message ?? 'not accepted') };
  };
}

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);
