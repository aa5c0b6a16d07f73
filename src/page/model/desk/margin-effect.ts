// What an order would do to the margin of its account, in a sentence, by what the daemon says of both.
import { callMethod } from '../../link/page-session.ts';
import { exactSum, isGreater } from './exact-sum.ts';
import type { Market, OrderWish } from './order-effect.ts';

/** Of the order by itself: one that reduces a position needs less, so that it is said as the most. */
export async function marginEffects(
  { account, side, quantity, price, instrumentName }: OrderWish,
  { book, ticker }: Market,
): Promise<readonly string[]> {
  const touch = (side === 'buy' ? book?.asks : book?.bids)?.[0]?.[0];
  const at = price ?? touch ?? ticker?.markPrice;
  if (at === undefined) return ['Its margin is not known: there is no price to go by.'];
  const accountId = account;
  const needs = await callMethod('private/get_margins', {
    accountId,
    instrumentName,
    quantity,
    price: at,
  });
  if (needs.kind !== 'done') return [`Its margin is not known: ${needs.message}.`];
  const { margin, currency } = needs.value[side];
  const held = await callMethod('private/get_account_summary', { accountId, currency });
  if (held.kind !== 'done') return [`It needs at most ${margin} ${currency} of margin.`];
  const { initialMargin, availableFunds } = held.value;
  const after = exactSum(initialMargin, margin) ?? '(not known)';
  const sentences = [
    `Initial margin of ${account} in ${currency}: ${initialMargin} now, at most ${after} with this order; ${availableFunds} is available.`,
  ];
  return isGreater(margin, availableFunds)
    ? [...sentences, 'That is more than is available: it is refused unless it reduces a position.']
    : sentences;
}
