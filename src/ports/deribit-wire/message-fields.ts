// Reads the members of a JSON object of the venue. What is not requested is ignored, null is absent, a word that is not
// known has a stated reading and is counted. A member that is missing or has another shape makes the message malformed:
// no order, trade or price is made of it.

import { type Price, price, type Quantity, quantity } from '../../values/amounts.ts';
import { INSTANT_MAX, type Instant, instant } from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';
import { decimalDigits } from './decimal-digits.ts';
import type { WireTally } from './wire-tally.ts';

/** A message that does not have the promised shape; quotes the venue's text in part only. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

const TEXT_LENGTH_MAX = 512;
const WORD_SHOWN_MAX = 40;

export class Fields {
  readonly #of: Readonly<Record<string, unknown>>;
  readonly what: string;
  readonly tally: WireTally;

  constructor(what: string, value: unknown, tally: WireTally) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MalformedMessage(`${what} is not an object`);
    }
    this.#of = value as Readonly<Record<string, unknown>>;
    this.what = what;
    this.tally = tally;
  }

  has(name: string): boolean {
    return (this.#of[name] ?? undefined) !== undefined;
  }

  names(): readonly string[] {
    return Object.keys(this.#of);
  }

  raw(name: string): unknown {
    return this.#of[name] ?? undefined;
  }

  /** Numbers too: ids of digits are sent either way. */
  text(name: string): string {
    return this.#required(name, this.textIf(name), 'a text');
  }

  textIf(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.length <= TEXT_LENGTH_MAX) return value;
    throw this.malformed(name, 'a text');
  }

  flag(name: string, otherwise = false): boolean {
    const value = this.raw(name) ?? otherwise;
    if (typeof value === 'boolean') return value;
    // The schema of trades has these as texts.
    if (value === 'true' || value === 'false') return value === 'true';
    throw this.malformed(name, 'true or false');
  }

  flagIf(name: string): boolean | undefined {
    return this.has(name) ? this.flag(name) : undefined;
  }

  digits(name: string): string {
    return this.#required(name, this.digitsIf(name), 'a number');
  }

  digitsIf(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const digits = typeof value === 'string' ? decimalDigits(value) : undefined;
    if (digits === undefined) throw this.malformed(name, 'a number');
    return digits;
  }

  price(name: string): Price {
    return price(this.digits(name));
  }

  priceIf(name: string): Price | undefined {
    const digits = this.digitsIf(name);
    return digits === undefined ? undefined : price(digits);
  }

  quantity(name: string): Quantity {
    return quantity(this.digits(name));
  }

  quantityIf(name: string): Quantity | undefined {
    const digits = this.digitsIf(name);
    return digits === undefined ? undefined : quantity(digits);
  }

  /** Of a model: greeks, volatilities, rates. */
  floatIf(name: string): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const float = typeof value === 'string' ? Number(value) : Number.NaN;
    if (!Number.isFinite(float)) throw this.malformed(name, 'a number');
    return float;
  }

  whole(name: string): number {
    return this.#required(name, this.wholeIf(name), 'a whole number');
  }

  wholeIf(name: string): number | undefined {
    const value = this.floatIf(name);
    if (value !== undefined && !Number.isSafeInteger(value)) {
      throw this.malformed(name, 'a whole number');
    }
    return value;
  }

  instant(name: string): Instant {
    return this.#required(name, this.instantIf(name), 'a time in milliseconds');
  }

  instantIf(name: string): Instant | undefined {
    const value = this.wholeIf(name);
    if (value === undefined) return undefined;
    if (value < 0 || value > INSTANT_MAX) throw this.malformed(name, 'a time in milliseconds');
    return instant(value);
  }

  /** One of `known`, or `otherwise` for a word that is not, which is counted. */
  word<W extends string, O>(name: string, known: readonly W[], otherwise: O): W | O {
    return this.wordIf(name, known, otherwise) ?? otherwise;
  }

  wordIf<W extends string, O>(name: string, known: readonly W[], otherwise: O): W | O | undefined {
    const value = this.textIf(name);
    if (value === undefined) return undefined;
    if ((known as readonly string[]).includes(value)) return value as W;
    this.tally.count(`${this.what}: ${name} is ${cutText(value, WORD_SHOWN_MAX)}`);
    return otherwise;
  }

  list(name: string): readonly unknown[] {
    return this.#required(name, this.listIf(name), 'a list');
  }

  listIf(name: string): readonly unknown[] | undefined {
    const value = this.raw(name);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.malformed(name, 'a list');
  }

  textsIf(name: string): readonly string[] | undefined {
    const list = this.listIf(name);
    if (list === undefined) return undefined;
    if (list.every((one) => typeof one === 'string')) return list;
    throw this.malformed(name, 'a list of texts');
  }

  /** The object in a member. */
  in(name: string): Fields {
    return new Fields(`${name} of ${this.what}`, this.raw(name), this.tally);
  }

  inIf(name: string): Fields | undefined {
    return this.has(name) ? this.in(name) : undefined;
  }

  /** The objects in a member that is a list. */
  each(name: string): readonly Fields[] {
    return this.list(name).map((one) => new Fields(`one of ${name}`, one, this.tally));
  }

  #required<T>(name: string, value: T | undefined, accepted: string): T {
    if (value === undefined) throw this.malformed(name, accepted);
    return value;
  }

  /** The fault of a member. */
  malformed(name: string, accepted: string): MalformedMessage {
    const found = JSON.stringify(this.raw(name)) ?? 'missing';
    const shown = cutText(found, WORD_SHOWN_MAX);
    return new MalformedMessage(`${this.what}: ${name} is ${shown}; accepted: ${accepted}`);
  }
}

/** The objects of a list. */
export function fieldsOfEach(what: string, value: unknown, tally: WireTally): readonly Fields[] {
  if (!Array.isArray(value)) throw new MalformedMessage(`${what} is not a list`);
  return value.map((one) => new Fields(`one of ${what}`, one, tally));
}
