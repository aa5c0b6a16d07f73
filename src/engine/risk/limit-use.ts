// How much of each limit an account has used up: the limits that fill up, by the same figures that the controls compare.
// Limits of a single order have nothing to use up.
import {
  accountLimit,
  type ControlLimits,
  quantityLimit,
} from '../../core/risk/gate/control-limits.ts';
import type { AccountView } from '../../core/risk/gate/gate-order.ts';
import {
  larger,
  type Money,
  minus,
  plus,
  type Quantity,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { LimitUse } from '../interface/trading-api.ts';

export interface UsedBy {
  readonly account: string;
  /** Absent while orders and positions are not known. */
  readonly view: AccountView | undefined;
  /** Cost of execution today in USD; absent while not known. */
  readonly lossUsd: Money | undefined;
  /** Of the account's own budget, and of its limits at the venue. */
  readonly messages: readonly MessageUse[];
  /** Every instrument with a position or a working order. */
  readonly instruments: readonly Instrument[];
}

/** How much of a message budget is used: it fills up with messages and empties with time. */
export interface MessageUse {
  readonly control: Extract<LimitUse['control'], 'messages' | `venue_${string}`>;
  readonly used: number;
  readonly burst: number;
}

/** An empty key excepts no order. */
const NO_ORDER = '';

export function limitUse(of: UsedBy, limits: ControlLimits): readonly LimitUse[] {
  const { account, view, lossUsd, messages, instruments } = of;
  const { grossUsdMax, slippageUsdMax, positionMax } = limits;
  const usd = { account, unit: 'USD' } as const;
  const uses: LimitUse[] = [];
  if (grossUsdMax !== undefined) {
    const amounts = { limit: accountLimit(grossUsdMax, account), used: view?.grossUsd(NO_ORDER) };
    uses.push({ ...usd, control: 'gross', ...texts(amounts) });
  }
  if (slippageUsdMax !== undefined) {
    const amounts = { limit: accountLimit(slippageUsdMax, account), used: lossUsd };
    uses.push({ ...usd, control: 'slippage', ...texts(amounts) });
  }
  for (const { control, used, burst } of messages) {
    const limit = String(Math.floor(burst));
    uses.push({ account, control, unit: 'messages', limit, used: wholeMessages(used) });
  }
  if (positionMax === undefined || view === undefined) return uses;
  for (const instrument of instruments) {
    const limit = quantityLimit(positionMax, instrument);
    uses.push({
      account,
      control: 'position',
      instrument: instrument.name,
      unit: instrument.amountUnit === 'usd' ? 'USD' : instrument.base,
      ...texts({ limit, used: farther(view, instrument.name) }),
    });
  }
  return uses;
}

/** A bucket fills in fractions of a message; a part of one is used. */
const wholeMessages = (used: number): string => String(Math.max(0, Math.ceil(used - 1e-6)));

/** The position with every working order of one side filled, on the side where it would be larger. */
function farther(view: AccountView, name: string): Quantity {
  const position = view.position(name);
  const long = plus(position, view.working(name, 'buy', NO_ORDER));
  const short = plus(minus(ZERO_QUANTITY, position), view.working(name, 'sell', NO_ORDER));
  return larger(long, short);
}

const texts = (amounts: {
  readonly limit: Money | Quantity | undefined;
  readonly used: Money | Quantity | undefined;
}): Pick<LimitUse, 'limit' | 'used'> => ({
  ...(amounts.limit !== undefined && { limit: text(amounts.limit) }),
  ...(amounts.used !== undefined && { used: text(amounts.used) }),
});
