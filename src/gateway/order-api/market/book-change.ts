// Computes the changes between two views of a book, and books grouped into wider levels. Pure.
import { text as decimalText, equals, onStep, type Price, plus } from '../../../values/amounts.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import type { LevelView } from './market-view.ts';

export type LevelChange = [action: 'new' | 'change' | 'delete', price: string, amount: string];

/** Changed levels with their new total amounts; 0 for a removed level. */
export function sideChanges(
  before: readonly PriceLevel[],
  after: readonly PriceLevel[],
): LevelChange[] {
  if (before === after) return [];
  const old = new Map(before.map((level) => [decimalText(level.price), level.quantity]));
  const changes: LevelChange[] = [];
  for (const { price, quantity } of after) {
    const at = decimalText(price);
    const was = old.get(at);
    old.delete(at);
    if (was !== undefined && equals(was, quantity)) continue;
    changes.push([was === undefined ? 'new' : 'change', at, decimalText(quantity)]);
  }
  for (const at of old.keys()) changes.push(['delete', at, '0']);
  return changes;
}

export const wholeSide = (levels: readonly PriceLevel[]): LevelChange[] =>
  levels.map(({ price, quantity }) => ['new', decimalText(price), decimalText(quantity)]);

/** Rounds bids down and asks up, so that no level looks better than it is. */
export function groupedSide(
  levels: readonly PriceLevel[],
  {
    group,
    depth,
    side,
  }: {
    readonly group: Price | undefined;
    readonly depth: number;
    readonly side: 'bids' | 'asks';
  },
): LevelView[] {
  const grouped: { price: Price; quantity: PriceLevel['quantity'] }[] = [];
  for (const { price, quantity } of levels) {
    const at = group === undefined ? price : onStep(price, group, side === 'bids' ? 'down' : 'up');
    const last = grouped.at(-1);
    if (last !== undefined && equals(last.price, at)) last.quantity = plus(last.quantity, quantity);
    else if (grouped.length === depth) break;
    else grouped.push({ price: at, quantity });
  }
  return grouped.map(({ price, quantity }) => [decimalText(price), decimalText(quantity)]);
}
