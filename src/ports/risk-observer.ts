// The occurrences of protection: controls, trading switches, market-maker protection, Block RFQs and the auditor.
import type { AccountId, PortfolioId, VenueName } from '../values/ids.ts';

/** Outcome of a request; `blocked` means that it was not sent. */
export type DeskOutcome = 'done' | 'refused' | 'unknown' | 'blocked';

/** Where a control applies: a portfolio at admission, a child order, a manual order, a quote. */
export type ControlStage = 'submit' | 'child' | 'order' | 'quote';

export type SwitchScope = 'deployment' | 'account' | 'strategy' | 'portfolio';
export type SwitchState = 'active' | 'reducing' | 'halted';

export type MmpKind = 'order' | 'blockRfq';
/** `frozen` ends by itself; `waiting` ends with a manual reset. */
export type MmpStatus = 'ready' | 'frozen' | 'waiting';
export type MmpLimit = 'quantity' | 'delta' | 'vega' | 'trades';

export interface MmpGroupName {
  readonly account: AccountId;
  /** Index currency, for example `btc`. */
  readonly index: string;
  readonly kind: MmpKind;
  /** Empty for the unnamed group. */
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

export interface RiskOccurrences {
  /** A control refused a request before it was sent. Manual orders are reported by `desk_answered` instead. */
  readonly control_refused: {
    /** Name of the control, for example `order_value`: one of a fixed set. */
    readonly control: string;
    readonly stage: ControlStage;
    readonly account: AccountId;
    readonly portfolio?: PortfolioId | undefined;
    readonly leg?: number | undefined;
    readonly why?: string | undefined;
  };
  /** An operator let one order past a control, and the order used the override. */
  readonly control_overridden: {
    readonly control: string;
    readonly stage: ControlStage;
    readonly account: AccountId;
    readonly portfolio?: PortfolioId | undefined;
    /** Ids of the two keys. */
    readonly askedBy: string;
    readonly grantedBy: string;
    readonly reason: string;
  };
  /** State of a trading switch: reported at every change, and at the start for those that are not active. */
  readonly switch_set: {
    readonly scope: SwitchScope;
    /** The account, strategy or portfolio; empty for the deployment. */
    readonly of: string;
    readonly state: SwitchState;
    readonly by: string;
    readonly why?: string | undefined;
  };
  /**
   * Orders were cancelled because of a halt; `provedMs` is set once the venue confirmed that none is left. If some are left for
   * longer, that is reported first.
   */
  readonly orders_swept: {
    readonly scope: SwitchScope;
    readonly orders: number;
    /** From the halt to the last cancel sent. */
    readonly sentMs: number;
    readonly provedMs?: number | undefined;
    readonly left: number;
  };
  /** A counted trade of an MMP group: how much of each of its limits the window has used, 1 = all. */
  readonly mmp_traded: MmpGroupName & {
    readonly used: Readonly<Partial<Record<MmpLimit, number>>>;
  };
  /** A trade of an MMP group between the one that reached its limit and the end of its freeze. */
  readonly mmp_exceeded: MmpGroupName & {
    readonly tradeId: string;
    /** Its gross size, as decimal text. */
    readonly coins: string;
  };
  /** State of an MMP group: reported at every change, and at the start for those that are not ready. */
  readonly mmp_set: MmpGroupName & {
    readonly status: MmpStatus;
    readonly by?: MmpLimit | undefined;
  };
  /** The flagged orders or quotes of a tripped group were cancelled. */
  readonly mmp_swept: MmpGroupName & {
    readonly orders: number;
    /** From the trip to the last cancel sent. */
    readonly sentMs: number;
  };
  /** A request about a Block RFQ changed something at a venue, or failed to. */
  readonly rfq_answered: {
    readonly venue: VenueName;
    readonly method: RfqMethod;
    readonly outcome: DeskOutcome;
    readonly account: AccountId;
    /** Id of the RFQ, as the account knows it. */
    readonly rfq?: string | undefined;
    readonly elapsedMs?: number | undefined;
    readonly control?: string | undefined;
    readonly detail?: string | undefined;
  };
  /** An RFQ of one of our takers reached a terminal state; once per RFQ. */
  readonly rfq_ended: {
    readonly venue: VenueName;
    readonly account: AccountId;
    readonly rfq: string;
    readonly end: RfqEnd;
    /** Number of quotes open when it ended. */
    readonly quotes: number;
  };
  /** A portfolio executed in parts has filled: how far its legs are from proportion now. */
  readonly legs_measured: {
    readonly portfolio: PortfolioId;
    /** Of the leg furthest ahead: its share of the bound set by the parts, in [0, 1]. */
    readonly share: number;
    /** Net delta of the excess, in coins, and its maximum while the part lasts; absent while unknown. */
    readonly delta?: number | undefined;
    readonly deltaBound?: number | undefined;
  };
  /** A part ended; `imbalance` is the largest share of its bound by which legs diverged during the part. */
  readonly part_ended: {
    readonly portfolio: PortfolioId;
    readonly part: number;
    readonly imbalance: number;
    readonly elapsedMs: number;
  };
  /** The auditor ended one of its checks (a name of a fixed set) and found this many breaches. */
  readonly audit_ran: {
    readonly check: string;
    readonly breaches: number;
    /** Accounts whose venue did not answer: they were not checked. */
    readonly unanswered: number;
    readonly elapsedMs: number;
  };
  /** The auditor found a trade of ours whose notice had not arrived in time, and passed it to the engine. */
  readonly trade_handed_over: {
    readonly account: AccountId;
    /** Of labels that belong to one. */
    readonly portfolio?: PortfolioId | undefined;
    readonly label: string;
    readonly tradeId: string;
  };
  /** At a start, the venue had orders or trades of portfolios of this deployment that the ledger does not know. */
  readonly ledger_behind: {
    readonly account: AccountId;
    /** ISO 8601: trades from here on were compared. */
    readonly since: string;
    readonly orders: number;
    readonly trades: number;
    readonly portfolios: number;
  };
  /** The auditor found an invariant broken: I1 to I20, or the name of a check. */
  readonly audit_breached: {
    readonly invariant: string;
    readonly detail: string;
    readonly account?: AccountId | undefined;
    readonly portfolio?: PortfolioId | undefined;
  };
}
