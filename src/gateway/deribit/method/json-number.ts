// Numbers as Deribit's JSON has them, written from exact text: no amount or price passes through a float.
import {
  type Money,
  type Price,
  type Quantity,
  type Ratio,
  text,
} from '../../../values/amounts.ts';
import { floatText } from '../../order-api/result-fields.ts';
import { type RawNumber, rawNumber } from '../../wire/raw-number.ts';

/** A number as Deribit's JSON has it. */
export type JsonNumber = RawNumber;

/** Deribit writes whole amounts and prices with one decimal: 100.0. */
export const decimalNumber = (value: Price | Quantity | Money | Ratio): JsonNumber =>
  numberOfText(text(value));

/** `digits` is a plain decimal without an exponent. */
export const numberOfText = (digits: string): JsonNumber =>
  rawNumber(digits.includes('.') ? digits : `${digits}.0`);

/** A number of a model, such as a greek, rounded to `places` decimals. */
export const modelNumber = (value: number, places: number): JsonNumber =>
  numberOfText(floatText(value, places));

/** An id of digits as a JSON integer, digit for digit. */
export const integerOfText = (digits: string): JsonNumber => rawNumber(digits);
