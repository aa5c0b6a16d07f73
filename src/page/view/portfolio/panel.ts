// A panel of the course: a chart, what it says in words, and what is read off it at an instant.
import { figure, NOT_KNOWN, signed, significant } from '../../model/formatting.ts';
import type { ChartWish } from './chart.ts';

export interface Reading {
  /** Class of its sign in the key; absent: it is not drawn. */
  readonly key?: string;
  readonly label: string;
  readonly value: string;
}

export interface Panel {
  readonly name: 'price' | 'slices' | 'schedule' | 'delta' | 'profit';
  readonly title: string;
  /** Of the picture as a whole, for those who do not see it. */
  readonly says: string;
  readonly wish: ChartWish;
  readonly readings: (instant: number) => readonly Reading[];
}

const DIGITS = 12;
const SHORT = 4;

/** A price to the tick; `places` absent: the tick is not known. */
export const priceText = (price: number | null, places: number | undefined): string => {
  if (price === null) return NOT_KNOWN;
  return places === undefined ? significant(price, DIGITS) : figure(price, places);
};

/** A float that is about money or coins, with its sign, to a few digits. */
export function amountText(value: number | null, unit: string): string {
  if (value === null) return NOT_KNOWN;
  if (unit === 'USD') return `${signed(value, 2)} ${unit}`;
  return `${value > 0 ? '+' : ''}${significant(value, SHORT)} ${unit}`;
}
