// Parses Block RFQ arguments of the command line: legs, the hedge, prices of legs, shares.
import { InvalidArgumentError } from 'commander';
import { sideWordOf } from '../side-word.ts';

export interface LegArgument {
  readonly instrumentName: string;
  readonly quantity: string;
  readonly side: string;
}

const LEG = /^(buy|sell|[12]):(\d+(?:\.\d+)?):([\w-]+)$/i;
const HEDGE = /^(buy|sell|[12]):(\d+(?:\.\d+)?):([\w-]+)@(\d+(?:\.\d+)?)$/i;
const PRICES = /^-?\d+(?:\.\d+)?(?:\/-?\d+(?:\.\d+)?)*$/;
const PERCENT = /^\d+(?:\.\d+)?$/;

/** Parses `buy:25:BTC-27NOV26-90000-C` and appends it to the legs before it. */
export function readLeg(text: string, before: readonly LegArgument[] = []): readonly LegArgument[] {
  const [, word = '', quantity, instrumentName] = LEG.exec(text) ?? [];
  const side = sideWordOf(word);
  if (side === undefined || quantity === undefined || instrumentName === undefined) {
    throw new InvalidArgumentError(
      'accepted: side:size:instrument, such as buy:25:BTC-27NOV26-90000-C',
    );
  }
  return [...before, { instrumentName, quantity, side }];
}

/** Parses `sell:500000:BTC-PERPETUAL@88000`. */
export function readHedge(text: string): LegArgument & { readonly price: string } {
  const [, word = '', quantity, instrumentName, price] = HEDGE.exec(text) ?? [];
  const side = sideWordOf(word);
  if (side === undefined || quantity === undefined || !instrumentName || !price) {
    throw new InvalidArgumentError(
      'accepted: side:size:instrument@price, such as sell:500000:BTC-PERPETUAL@88000',
    );
  }
  return { instrumentName, quantity, side, price };
}

/** Parses `MAKER1,MAKER2`. */
export const readAliases = (text: string): readonly string[] => text.split(',').filter(Boolean);

/** Parses `0.0510/0.0200`: one price per leg, in order. */
export function readPrices(text: string): readonly string[] {
  if (PRICES.test(text)) return text.split('/');
  throw new InvalidArgumentError('accepted: a price per leg in their order, such as 0.051/0.02');
}

/** Parses `USER=AMOUNT` and appends it to the shares before it. */
export function readShare(
  text: string,
  before: readonly object[] = [],
): readonly { readonly amount?: string; readonly userId?: number }[] {
  const [, userId, amount] = /^(\d{1,15})=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (userId === undefined || amount === undefined) {
    throw new InvalidArgumentError('accepted: user=amount, such as 1001=25');
  }
  return [...before, { amount, userId: Number(userId) }];
}

export function readPercent(text: string): number {
  if (PERCENT.test(text) && Number(text) > 0 && Number(text) <= 50) return Number(text);
  throw new InvalidArgumentError('accepted: percent above 0 and up to 50, such as 0.2');
}

export function readSeconds(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 300) return Number(text);
  throw new InvalidArgumentError('accepted: whole seconds from 1 to 300');
}
