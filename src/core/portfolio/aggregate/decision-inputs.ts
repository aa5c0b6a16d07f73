// Everything besides the state and the command that a decision depends on, as plain values: from the same values, even
// written down and read again, comes the same decision.
import type { ChildLabel } from '../../../values/ids.ts';
import type { Quote } from '../../../values/quote.ts';
import type { MmpFreezeInForce } from '../../mmp/mmp-state.ts';
import type { ChildOrder } from '../../order/child-order.ts';
import type { GateInputs } from '../../risk/gate/gate-inputs.ts';
import type { MessageRoom } from '../../risk/message-room.ts';
import type { TradingState } from '../../risk/trading-switch.ts';
import type { Settings } from '../../terms/settings.ts';

/** What recovery blocks for a portfolio until the requests from before the start are resolved. */
export interface RecoveryBlocks {
  /** Nothing may be sent for its account. */
  readonly isAccountBlocked: boolean;
  /** Nothing new may be sent for the portfolio itself; edits may. */
  readonly isPortfolioBlocked: boolean;
}

export interface DecisionInputs {
  readonly settings: Settings;
  /** The freshest quotes, by instrument; an absent one is unknown. */
  readonly quotes: ReadonlyMap<string, Quote>;
  /** Market-maker protection in force on the account; absent if the portfolio names no group. */
  readonly freezes?: readonly MmpFreezeInForce[] | undefined;
  /** The strictest trading switch that applies to the portfolio; absent: everything is allowed. */
  readonly trading?: TradingState | undefined;
  /** Default: nothing is blocked. */
  readonly recovery?: RecoveryBlocks | undefined;
  /** Default: no limits are set, and no control objects to anything. */
  readonly gate?: GateInputs | undefined;
  /** What the message budgets leave for new orders; absent: they are not limited. */
  readonly messages?: MessageRoom | undefined;
  /** Children with a cancel that this process has sent and that is not answered yet. Absent: none. */
  readonly cancelling?: readonly ChildLabel[] | undefined;
  /** Children that reports of this turn name and that have left the state. Absent: none. */
  readonly departed?: ReadonlyMap<ChildLabel, ChildOrder> | undefined;
}
