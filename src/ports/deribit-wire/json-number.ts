// Numbers as Deribit's JSON has them, written from exact text: no amount or price passes through a float.

import { type Money, type Price, type Quantity, type Ratio, text } from '../../values/amounts.ts';
import { averageText, floatText, greekText } from '../../values/text/model-text.ts';
import { type RawNumber, rawNumber } from '../../values/text/raw-number.ts';

/** A number as Deribit's JSON has it. */
export type JsonNumber = RawNumber;

/** Deribit writes whole amounts and prices with one decimal: 100.0. */
export const decimalNumber = (value: Price | Quantity | Money | Ratio): JsonNumber =>
  numberOfText(text(value));

export const numberIf = (
  value: Price | Quantity | Money | Ratio | undefined,
): JsonNumber | undefined => value && decimalNumber(value);

/** `digits` is a plain decimal without an exponent. */
export const numberOfText = (digits: string): JsonNumber =>
  rawNumber(digits.includes('.') ? digits : `${digits}.0`);

export const ZERO = numberOfText('0');

export const orZero = (value: Price | Quantity | undefined): JsonNumber =>
  value === undefined ? ZERO : decimalNumber(value);
export const orNull = (value: Price | undefined): JsonNumber | null =>
  value === undefined ? null : decimalNumber(value);

export const averageNumber = (average: Price): JsonNumber => numberOfText(averageText(average));

/** A ratio of a model, with the places that mean something. */
export const modelRatio = (value: Ratio): JsonNumber => numberOfText(greekText(value));

/** A number of a model, such as a greek, rounded to `places` decimals. */
export const modelNumber = (value: number, places: number): JsonNumber =>
  numberOfText(floatText(value, places));

const RATE_PLACES = 8;

/** A fraction per time, such as a funding rate. */
export const rateIf = (value: number | undefined): JsonNumber | undefined =>
  value === undefined ? undefined : modelNumber(value, RATE_PLACES);

/** A fraction in percent, such as a volatility. */
export const percentIf = (fraction: number | undefined): JsonNumber | undefined =>
  fraction === undefined ? undefined : modelNumber(fraction * 100, 2);

/** An id of digits as a JSON integer, digit for digit. */
export const integerOfText = (digits: string): JsonNumber => rawNumber(digits);

/** An id of digits as an integer, any other as text. */
export const idJson = (id: string): JsonNumber | string =>
  /^(?:0|[1-9]\d{0,18})$/.test(id) ? integerOfText(id) : id;

/** An id where the wire has integers only: the digits of ours. */
export const digitsJson = (id: string): JsonNumber => integerOfText(id.replaceAll(/\D/g, ''));
