// The kinds of values in requests: exact decimals, ids, whole numbers, booleans, choices, text. Numbers never
// pass through a float.

import {
  type Price,
  price,
  type Quantity,
  quantity,
  type Ratio,
  ratio,
} from '../../values/amounts.ts';
import { DECIMAL_PATTERN, isDecimalText } from '../../values/decimal.ts';
import { type AccountId, accountId, type PortfolioId, portfolioId } from '../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../values/instant.ts';
import { charactersOf } from '../../values/text/text-length.ts';
import { field, mapped } from './fields.ts';
import { wordNotation, writtenInFiles } from './file-notation.ts';
import { isStorable, NumberText } from './json.ts';
import { parseWrittenTime } from './written-time.ts';

const DECIMAL_SCHEMA = {
  type: ['string', 'number'],
  pattern: DECIMAL_PATTERN.source,
} as const;
const DECIMAL_ACCEPTED =
  'a decimal as text or number, such as "12.5": at most 18 digits on each side of the point, no exponent';

/** Longest JavaScript number whose digits are certainly the ones the client wrote. */
const PLAIN_NUMBER_LENGTH = 16;
const INT64_MAX = 9_223_372_036_854_775_807n;

/** The digits of a number or of text exactly as written; `undefined` if some may have been lost. */
export function writtenDigits(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof NumberText) return value.source;
  if (typeof value !== 'number') return undefined;
  const text = String(value);
  return text.length <= PLAIN_NUMBER_LENGTH ? text : undefined;
}

interface DecimalRule {
  readonly description: string;
  /** Further condition on the decimal. */
  readonly check?: (text: string) => boolean;
  readonly accepted?: string;
}

const decimalField =
  <T>(make: (text: string) => T) =>
  ({ description, check, accepted = DECIMAL_ACCEPTED }: DecimalRule) =>
    field<T, string | number>({
      schema: DECIMAL_SCHEMA,
      description,
      accepted,
      read: (value) => {
        const text = writtenDigits(value);
        if (text === undefined || !isDecimalText(text)) return undefined;
        return check === undefined || check(text) ? make(text) : undefined;
      },
    });

export const priceField = decimalField<Price>(price);
export const quantityField = decimalField<Quantity>(quantity);
export const ratioField = decimalField<Ratio>(ratio);

/** Fewer digits than the bound of any id. */
const FITS_ANY_LENGTH = 15;

/** The text of a whole number without sign or leading zeros, up to `max`. */
function idText(value: unknown, max: bigint): string | undefined {
  const text = writtenDigits(value);
  if (text === undefined || !/^[1-9]\d{0,18}$/.test(text)) return undefined;
  return text.length <= FITS_ANY_LENGTH || BigInt(text) <= max ? text : undefined;
}

const ID_SCHEMA = { type: ['integer', 'string'], pattern: '^[1-9][0-9]{0,18}$' } as const;

export const accountIdField = (description: string) =>
  field<AccountId, string | number>({
    schema: ID_SCHEMA,
    description,
    accepted: 'an account id, digits only, as number or text',
    read: (value) => {
      const text = idText(value, INT64_MAX);
      return text === undefined ? undefined : accountId(text);
    },
  });

const ACCOUNTS_SCHEMA = {
  type: ['integer', 'string'],
  pattern: '^(all|[1-9][0-9]{0,18})$',
} as const;

/** An account, or `all` of the key. */
export const accountOrAllField = (description: string) =>
  field<AccountId | 'all', string | number>({
    schema: ACCOUNTS_SCHEMA,
    description,
    accepted: 'an account id, digits only, as number or text; or all',
    read: (value) => {
      if (value === 'all') return value;
      const text = idText(value, INT64_MAX);
      return text === undefined ? undefined : accountId(text);
    },
  });

export const portfolioIdField = (description: string) =>
  field<PortfolioId, string | number>({
    schema: ID_SCHEMA,
    description,
    accepted: 'a portfolio id as submit returned it, digits only, below 2^53, as number or text',
    read: (value) => {
      const text = idText(value, BigInt(Number.MAX_SAFE_INTEGER));
      return text === undefined ? undefined : portfolioId(text);
    },
  });

export interface RangeRule {
  readonly min: number;
  readonly max: number;
  readonly description: string;
  /** Also accepts text, as in a query string. */
  readonly fromText?: boolean;
  /**
   * The range appears only in documents: any whole number is accepted here and checked later against the
   * narrower range in force.
   */
  readonly isJudgedLater?: boolean;
}

/** A whole number; `60.0` is accepted, `6e1` and `"60"` are not (text only with `fromText`). */
export const wholeField = ({
  min,
  max,
  description,
  fromText = false,
  isJudgedLater = false,
}: RangeRule) =>
  field<number, number>({
    schema: { type: 'integer', minimum: min, maximum: max },
    description,
    accepted: isJudgedLater ? 'a whole number' : `a whole number from ${min} to ${max}`,
    read: (value) => {
      if (typeof value === 'string' && !fromText) return undefined;
      const text = writtenDigits(value);
      if (text === undefined || !/^-?\d{1,16}(?:\.0{1,8})?$/.test(text)) return undefined;
      const whole = Number(text);
      return isJudgedLater || (whole >= min && whole <= max) ? whole : undefined;
    },
  });

export const instantField = (description: string, fromText = false) =>
  writtenInFiles(mapped(wholeField({ min: 0, max: INSTANT_MAX, description, fromText }), instant), {
    read: (text) => {
      const time = parseWrittenTime(text);
      return time.kind === 'instant'
        ? { kind: 'value', value: time.at }
        : { kind: 'faulty', message: time.why };
    },
    schema: { type: ['integer', 'string'] },
  });

export const switchField = (description: string, fromText = false) =>
  field<boolean, boolean>({
    schema: { type: 'boolean' },
    description,
    accepted: 'true or false',
    read: (value) => {
      if (typeof value === 'boolean') return value;
      if (!fromText || (value !== 'true' && value !== 'false')) return undefined;
      return value === 'true';
    },
  });

/** A choice of words, each mapped to its internal value. */
export const choiceField = <T, K extends string>(
  choices: Readonly<Record<K, T>>,
  description: string,
) =>
  writtenInFiles(
    field<T, K>({
      schema: { type: 'string', enum: Object.keys(choices) },
      description,
      accepted: Object.keys(choices).join(', '),
      read: (value) =>
        typeof value === 'string' && Object.hasOwn(choices, value)
          ? choices[value as K]
          : undefined,
    }),
    wordNotation(new Map(Object.keys(choices).map((word) => [word.toLowerCase(), word]))),
  );

/** A choice of numbers, each with a name and its internal value. */
export const numberedField = <T extends string, K extends number>(
  choices: Readonly<Record<K, T>>,
  description: string,
) =>
  writtenInFiles(
    field<T, K>({
      schema: { type: 'integer', enum: Object.keys(choices).map(Number) },
      description,
      accepted: Object.entries(choices)
        .map(([number, name]) => `${number} (${(name as T).toUpperCase()})`)
        .join(', '),
      read: (value) => (typeof value === 'number' ? choices[value as K] : undefined),
    }),
    wordNotation(
      new Map(Object.entries(choices).map(([number, name]) => [name as T, Number(number)])),
    ),
  );

export interface TextRule {
  readonly min?: number;
  /** In characters (code points). */
  readonly max: number;
  readonly description: string;
  readonly kind?: 'note_too_long';
}

export const textField = ({ min = 1, max, description, kind }: TextRule) =>
  field<string, string>({
    schema: { type: 'string', minLength: min, maxLength: max },
    description,
    accepted: `text of ${min > 0 ? `${min} to` : 'at most'} ${max} characters`,
    ...(kind === undefined ? {} : { kind }),
    read: (value) => {
      if (typeof value !== 'string' || !isStorable(value)) return undefined;
      const length = charactersOf(value, max);
      return length <= max && length >= min ? value : undefined;
    },
  });
