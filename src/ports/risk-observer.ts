// The part of the Observer that tells of protection: controls, trading switches, market-maker
// protection, Block RFQs, the auditor. Like the rest it never fails and never waits.
import type { AccountId, PortfolioId, VenueName } from '../values/ids.ts';

/** What became of a request: `blocked` before it was sent. */
export type DeskOutcome = 'done' | 'refused' | 'unknown' | 'blocked';

/** Where a control stands in the way: a portfolio at the door, a child order, an order by hand, a quote. */
export type ControlStage = 'submit' | 'child' | 'order' | 'quote';

export type SwitchScope = 'deployment' | 'account' | 'strategy' | 'portfolio';
export type SwitchState = 'active' | 'reducing' | 'halted';

export type MmpKind = 'order' | 'blockRfq';
/** `frozen` ends by itself; `waiting` ends when somebody resets it. */
export type MmpStatus = 'ready' | 'frozen' | 'waiting';
export type MmpLimit = 'quantity' | 'delta' | 'vega' | 'trades';

export interface MmpGroupName {
  readonly account: AccountId;
  /** Index currency, for example `btc`. */
  readonly index: string;
  readonly kind: MmpKind;
  /** Empty for the group without a name. */
  readonly group: string;
}

export type RfqMethod =
  | 'create'
  | 'cancel'
  | 'trade'
  | 'quote'
  | 'edit_quote'
  | 'cancel_quote'
  | 'cancel_all_quotes';

export type RfqEnd = 'traded' | 'cancelled' | 'expired' | 'failed';

export interface RiskObserver {
  /** A control refused something before it left. Orders by hand are told of by `deskAnswered` instead. */
  controlRefused(refusal: {
    /** Name of the control, for example `order_value`: one of a fixed set. */
    readonly control: string;
    readonly stage: ControlStage;
    readonly account: AccountId;
    readonly portfolio?: PortfolioId | undefined;
    readonly leg?: number | undefined;
    readonly why?: string | undefined;
  }): void;
  /** Somebody let one order past a control, and it was. */
  controlOverridden(override: {
    readonly control: string;
    readonly stage: ControlStage;
    readonly account: AccountId;
    readonly portfolio?: PortfolioId | undefined;
    /** Ids of the two keys. */
    readonly askedBy: string;
    readonly grantedBy: string;
    readonly reason: string;
  }): void;
  /** A trading switch stands so: told at every change, and at the start for those that are not active. */
  switchSet(set: {
    readonly scope: SwitchScope;
    /** The account, strategy or portfolio; empty for the deployment. */
    readonly of: string;
    readonly state: SwitchState;
    readonly by: string;
    readonly why?: string | undefined;
  }): void;
  /** Orders were taken back because of a halt; `provedMs` once the venue said that none is left. */
  ordersSwept(sweep: {
    readonly scope: SwitchScope;
    readonly orders: number;
    /** From the halt to the last cancel handed over. */
    readonly sentMs: number;
    readonly provedMs?: number | undefined;
    readonly left: number;
  }): void;
  /** A counted trade of an MMP group: how much of each of its limits the window has used, 1 = all. */
  mmpTraded(
    trade: MmpGroupName & { readonly used: Readonly<Partial<Record<MmpLimit, number>>> },
  ): void;
  /** An MMP group stands so: told at every change, and at the start for those that are not ready. */
  mmpSet(
    set: MmpGroupName & { readonly status: MmpStatus; readonly by?: MmpLimit | undefined },
  ): void;
  /** The flagged orders or quotes of a tripped group were taken back. */
  mmpSwept(
    sweep: MmpGroupName & {
      readonly orders: number;
      /** From the trip to the last cancel handed over. */
      readonly sentMs: number;
    },
  ): void;
  /** A request about a Block RFQ changed something at a venue, or did not. */
  rfqAnswered(answer: {
    readonly venue: VenueName;
    readonly method: RfqMethod;
    readonly outcome: DeskOutcome;
    readonly account: AccountId;
    /** Of the RFQ, as the account knows it. */
    readonly rfq?: string | undefined;
    readonly elapsedMs?: number | undefined;
    readonly control?: string | undefined;
    readonly detail?: string | undefined;
  }): void;
  /** An RFQ of one of our takers is over; once per RFQ. */
  rfqEnded(ended: {
    readonly venue: VenueName;
    readonly account: AccountId;
    readonly rfq: string;
    readonly end: RfqEnd;
    /** Quotes that were open when it ended. */
    readonly quotes: number;
  }): void;
  /** Something of a portfolio that goes by parts has filled: how far its legs are from proportion now. */
  legsMeasured(measured: {
    readonly portfolio: PortfolioId;
    /** Of the bound that the parts set, in [0, 1]: the leg that is furthest ahead. */
    readonly share: number;
    /** Net delta of what is ahead, in coins, and the most it can be while the part lasts; absent while unknown. */
    readonly delta?: number | undefined;
    readonly deltaBound?: number | undefined;
  }): void;
  /** A part ended; `imbalance` is the largest share of its bound that legs were apart while it lasted. */
  partEnded(ended: {
    readonly portfolio: PortfolioId;
    readonly part: number;
    readonly imbalance: number;
    readonly elapsedMs: number;
  }): void;
  /** The auditor finished one of its checks (a name of a fixed set), with so many breaches. */
  auditRan(run: {
    readonly check: string;
    readonly breaches: number;
    readonly elapsedMs: number;
  }): void;
  /** The auditor found a trade of ours whose notice had not come in time, and gave it to the engine. */
  tradeHandedOver(trade: {
    readonly account: AccountId;
    /** Absent where the label names none. */
    readonly portfolio?: PortfolioId | undefined;
    readonly label: string;
    readonly tradeId: string;
  }): void;
  /** The auditor found an invariant broken: I1 to I20, or the name of a check. */
  auditBreached(breach: {
    readonly invariant: string;
    readonly detail: string;
    readonly account?: AccountId | undefined;
    readonly portfolio?: PortfolioId | undefined;
  }): void;
}
