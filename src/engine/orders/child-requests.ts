// The requests to a venue that perform the intents of a portfolio.
import type { OrderIntent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { NewOrder, OrderChange } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';

type Of<K extends OrderIntent['kind']> = Extract<OrderIntent, { kind: K }>;

/** A post-only child is refused rather than repriced: its price was decided here. */
export const orderOf = ({ spec }: PortfolioState, intent: Of<'place'>): NewOrder => ({
  account: spec.accountId,
  instrument: intent.instrument,
  side: intent.side,
  type: 'limit',
  quantity: intent.quantity,
  price: intent.price,
  timeInForce: intent.timeInForce,
  postOnly: intent.postOnly,
  rejectPostOnly: intent.postOnly,
  reduceOnly: intent.reduceOnly,
  label: intent.label,
  mmp: spec.execution.mmpGroup !== undefined,
  validUntil: intent.validUntil,
});

/** A new price of a resting child. */
export const changeOf = (account: AccountId, intent: Of<'edit'>): OrderChange => ({
  account,
  of: { label: intent.label, instrument: intent.instrument },
  quantity: intent.quantity,
  price: intent.price,
  postOnly: intent.postOnly,
  rejectPostOnly: intent.postOnly,
  reduceOnly: intent.reduceOnly,
  validUntil: intent.validUntil,
});
