// The words of order entry on both wires, for fields that choose among them.
import type { Side } from '../../../values/instrument.ts';
import type {
  AdvancedKind,
  FillCondition,
  LinkKind,
  OrderType,
  TimeInForce,
  TriggerSource,
} from '../../../values/order-terms.ts';

/** At most this many orders are linked to one. */
export const LINKED_MAX = 10;

const same = <W extends string>(...words: readonly W[]): Readonly<Record<W, W>> =>
  Object.fromEntries(words.map((word) => [word, word])) as Readonly<Record<W, W>>;

export const TERM_WORDS = {
  side: same<Side>('buy', 'sell'),
  type: same<OrderType>(
    'limit',
    'market',
    'market_limit',
    'stop_limit',
    'stop_market',
    'take_limit',
    'take_market',
    'trailing_stop',
  ),
  timeInForce: same<TimeInForce>(
    'good_til_cancelled',
    'good_til_day',
    'fill_or_kill',
    'immediate_or_cancel',
  ),
  trigger: same<TriggerSource>('index_price', 'mark_price', 'last_price'),
  advanced: same<AdvancedKind>('usd', 'implv'),
  link: same<LinkKind>('one_triggers_other', 'one_cancels_other', 'one_triggers_one_cancels_other'),
  fillCondition: same<FillCondition>('first_hit', 'complete_fill', 'incremental'),
} as const;
