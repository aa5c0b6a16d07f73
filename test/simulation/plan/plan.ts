// The plan of one simulated run: the requests, the number of daemons, the faults
// and their rates. Plain values, so that a run can be repeated and shrunk.
import type { AmendLimitsForm } from '../../../src/core/portfolio/admission/admit-limits.ts';
import type {
  DailyWindow,
  EscalationStep,
  ExecutionForm,
} from '../../../src/core/terms/execution.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import type { Margins } from '../checks/bounds.ts';
import type { ControlsPlan } from './controls-plan.ts';

/** Kinds of trouble that come by chance, each with its own stream of draws. */
export const FAULT_KINDS = [
  /** A commit is refused and nothing was written. */
  'ledger_down',
  /** No word of a commit, and nothing was written. */
  'ledger_lost',
  /** No word of a commit, and it was written. */
  'ledger_doubt',
  'ledger_slow',
  'ledger_unread',
  'queue_loses',
  'queue_late',
  'queue_repeats',
  'queue_refuses',
  'request_lost',
  'answer_lost',
  'request_late',
  /** The request reaches the venue around the instant from which it must be refused. */
  'request_at_deadline',
  'answer_late',
  'refused',
  /** A run of refusals for too many requests. */
  'rate_limited',
  'query_lost',
  /** Queries show what was true up to `readLagMs` ago. */
  'query_stale',
  'notice_lost',
  'notice_repeated',
  'notice_late',
  /** Nothing passes between a daemon and the venue for a while. */
  'line_down',
  /** A process stands still, at a call or an answer, and then continues as if nothing had been. */
  'process_stops',
  'market_thin',
  'market_one_sided',
  'market_fast',
  'market_silent',
  /** A wake is called ahead of its instant, as those of a crowd are. */
  'queue_early',
] as const;

/** Of what is not known yet or not answered, which proves nothing. */
export const UNKNOWN_FAULTS = [
  /** A look-up is refused. */
  'query_refused',
  /** A daemon starts before its venue is there, and before the list of instruments is. */
  'venue_late',
] as const;

/** Faults between clients and gateways; only where clients use them. */
export const DOOR_FAULTS = [
  'door_lost',
  'door_answer_lost',
  'door_late',
  /** The same bytes are replayed later. */
  'door_repeated',
] as const;

/** Faults of the line between the adapter of a venue and the wire that it serves. */
export const WIRE_FAULTS = [
  'wire_refused',
  /** A connection breaks, and what was under way on it is lost. */
  'wire_cut',
  /** Nothing passes any more, and neither side notices at once. */
  'wire_half_open',
  'wire_late',
  /** A reply and a notification change places. */
  'wire_swapped',
  'wire_repeated',
  /** A notification lacks a member, or is cut short. */
  'wire_garbled',
  /** 10028, and the session ends. */
  'wire_rate_ended',
  /** A look-up is refused with a code that says nothing of an order. */
  'wire_query_refused',
  /** The adapter does not read for a while. */
  'wire_unread',
  /** A change of a book is not published. */
  'wire_book_lost',
] as const;

/** Faults of the leases; only where daemons own shards by them. */
export const LEASE_FAULTS = [
  'leases_unread',
  /** The leases are seen as they were at the look before. */
  'leases_stale',
  /** Shards of others are seen as one's own, or one's own as lost; a lease that was taken, as refused. */
  'leases_lie',
] as const;

/** Faults of the snapshots of states; only where daemons keep some. */
export const SNAPSHOT_FAULTS = [
  'snapshots_unwritten',
  'snapshots_old',
  'snapshots_lost',
  'snapshots_unreadable',
] as const;

export type FaultKind =
  | (typeof FAULT_KINDS)[number]
  | (typeof UNKNOWN_FAULTS)[number]
  | (typeof DOOR_FAULTS)[number]
  | (typeof WIRE_FAULTS)[number]
  | (typeof LEASE_FAULTS)[number]
  | (typeof SNAPSHOT_FAULTS)[number];

export interface FaultRate {
  readonly kind: FaultKind;
  /** Share of occasions, 0 to 1. */
  readonly chance: number;
  /** Longest duration where the kind has one; each is drawn up to this. */
  readonly maxMs: number;
}

/**
 * `cheap`: short runs, for many seeds; `full`: longer ones with more of everything; `limits`: the cheap ones
 * with low limits of the controls in each; `blocks`: the cheap ones with portfolios that request Block RFQs;
 * `schedules`: the cheap ones with cron schedules in each; `owners`: the cheap ones whose busy account changes
 * hands while its message budget is the limit.
 */
export type Profile = 'cheap' | 'full' | 'limits' | 'blocks' | 'schedules' | 'owners';
/** `wire`: adapter, session, served wire and exchange, over a line that fails, without the engine. */
export type AnyProfile = Profile | 'wire';
/** How large a run is. */
export type Size = Extract<Profile, 'cheap' | 'full'>;

export interface DaemonPlan {
  /** Its wall clock against true time. */
  readonly offsetMs: number;
  /** Number of the await at which each of its lives ends; a life beyond the list does not. */
  readonly crashes: readonly number[];
  /** From a death to the next start. */
  readonly restMs: number;
  /** What each life changes of the settings, in order; a life beyond the list changes nothing. */
  readonly settings: readonly Partial<Settings>[];
}

export type InstrumentPick = 'perpetual' | 'spot' | 'option';

/** A leg before prices are known; amounts in lots, distances in ticks of its instrument. */
export interface LegPlan {
  readonly instrument: InstrumentPick;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  readonly pricing: 'market' | 'limit' | 'dynamic';
  readonly reference: 'mid' | 'bid' | 'ask' | 'mark';
  readonly offsetTicks: number;
  readonly everyMs: number;
  readonly timeInForce: 'ioc' | 'fok' | 'gtc' | undefined;
  readonly postOnly: boolean;
  readonly hedge: boolean;
  /** What an option is priced in; absent: its own currency. */
  readonly unit?: 'usd' | 'iv' | undefined;
  /** The worst price of any order, so many ticks against us from where the market begins; absent: none. */
  readonly worstTicks?: number | undefined;
}

/** What a client asks of its portfolio while that is at work. */
export type ClientChange =
  | { readonly kind: 'pause' | 'resume'; readonly atMs: number }
  /** New totals in lots, new end, other prices by so many ticks. */
  | {
      readonly kind: 'amend';
      readonly atMs: number;
      readonly lots?: number | undefined;
      readonly durationSec?: number | undefined;
      /** Other limits on how children are worked. */
      readonly limits?: AmendLimitsForm | undefined;
    };

/** How slices are worked beyond the schedule; what is absent is off. */
export interface OptionsPlan {
  readonly randomSize?: number | undefined;
  readonly randomTime?: number | undefined;
  readonly catchUp?: 'front' | undefined;
  readonly aim?: 'middle' | undefined;
  readonly downtime?: 'skip' | undefined;
  readonly slippageMaxBps?: number | undefined;
  readonly spreadMaxBps?: number | undefined;
  readonly spreadMaxVol?: number | undefined;
  readonly bandBps?: number | undefined;
  readonly participationMax?: number | undefined;
  readonly escalation?: readonly EscalationStep[] | undefined;
  /** Of the first leg, in ticks from where its market begins. */
  readonly wouldTicks?: number | undefined;
  readonly endCapBps?: number | undefined;
  readonly extendMs?: number | undefined;
  readonly avoidWindows?: true | undefined;
  /** With the end action of that name. */
  readonly rfq?: ExecutionForm['rfq'];
}

/** Cut into parts instead of slices by the clock. */
export interface BalancePlan {
  readonly parts: number;
  readonly eachLimitMs: number;
  readonly totalLimitMs: number;
  readonly fillsByMarket: boolean;
  readonly isChased: boolean;
  /** The leg that leads, if one does. */
  readonly leader: number | undefined;
}

export interface ClientPlan {
  readonly account: number;
  readonly submitAtMs: number;
  /** Sends the same submit to two daemons at once. */
  readonly isImpatient: boolean;
  readonly cancelAtMs: number | undefined;
  /** Cancels repeatedly instead of once. */
  readonly cancelStorm: boolean;
  readonly changes: readonly ClientChange[];
  readonly frequencySec: number;
  readonly durationSec: number;
  readonly phase: number;
  readonly maxCatchUp: number;
  readonly endAction: 'cancel' | 'market' | 'sweep' | 'extend' | 'rfq';
  readonly options: OptionsPlan;
  /** Absent: a TWAP. */
  readonly balance: BalancePlan | undefined;
  /** Its orders count in market-maker protection. */
  readonly isFlagged: boolean;
  readonly hasShadow: boolean;
  /** The shadow's quantities as a multiple; absent = the same. */
  readonly shadowScale: string | undefined;
  readonly legs: readonly LegPlan[];
}

/** A manual order: entered once, then edited or cancelled by its label or its id. */
export interface HandPlan {
  readonly account: number;
  readonly atMs: number;
  readonly instrument: InstrumentPick;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  /** From where the market begins, in ticks. */
  readonly offsetTicks: number;
  /** Counts in market-maker protection, and stops for it. */
  readonly isFlagged: boolean;
  /** To another price, so many ticks away. */
  readonly edit: { readonly afterMs: number; readonly ticks: number } | undefined;
  readonly cancelAfterMs: number | undefined;
}

/** A Block RFQ of the first account that the second one quotes. */
export interface RfqPlan {
  readonly atMs: number;
  /** Blocks of the least size. */
  readonly blocks: number;
  readonly quotes: number;
  /** Accepted through two daemons at once. */
  readonly isDouble: boolean;
  /** Accepted before there is a quote: it waits for one. */
  readonly isEarly: boolean;
  readonly cancelAfterMs: number | undefined;
}

/** Market-maker protection of the first account. */
export interface MmpPlan {
  readonly intervalSec: number;
  /** 0: until a manual reset. */
  readonly frozenSec: number;
  /** In coins. */
  readonly quantityLimit: string;
  /** Net, in coins; absent: none. */
  readonly deltaLimit?: string | undefined;
  /** Net, in USD per volatility point; absent: none. */
  readonly vegaLimit?: string | undefined;
  /** What is protected: options have greeks. */
  readonly instrument: 'perpetual' | 'option';
  /** Quotes of the market come with greeks. */
  readonly hasGreeks: boolean;
}

/** A strategy that is due once, so many seconds after the start. */
export interface StrategyPlan {
  readonly atSec: number;
}

/** Strategies with cron schedules, on a clock that is faster than that of the run. */
export interface SchedulePlan {
  readonly zone: string;
  /** What that clock shows when the run begins. */
  readonly beginsAt: number;
  readonly speed: number;
  readonly graceSec: number;
  readonly crons: readonly string[];
}

/** Every daemon has its auditor. */
export interface AuditPlan {
  readonly everyMs: number;
  /** A trade that no portfolio has is made then, for the auditors to report; absent: none. */
  readonly plantAtMs: number | undefined;
}

export interface RatePlan {
  readonly perSecond: number;
  readonly burst: number;
}

/** Clients send signed bytes to the production gateway of each daemon. */
export interface DoorPlan {
  /** Signatures cover the whole request. */
  readonly isBound: boolean;
  /** Secrets change then, each to one of its own. */
  readonly rotateAtMs: number | undefined;
  /** Time at which a key that sends repeatedly is revoked; absent: the run has no such key. */
  readonly revokeAtMs: number | undefined;
  /** Requests of a kind that a key may send; absent: as the gateway has it. */
  readonly rate: RatePlan | undefined;
  /** Configuration is read again then, and says this. */
  readonly later: { readonly atMs: number; readonly rate: RatePlan } | undefined;
  /** Attempts at what a key does not allow: each number selects one of the kinds. */
  readonly probes: readonly number[];
}

/** Trouble at an instant, and what people do. */
export type Act =
  | { readonly kind: 'wipe_queue'; readonly atMs: number }
  | { readonly kind: 'kill'; readonly atMs: number; readonly daemon: number }
  /** It never comes back, as long as another one is left. */
  | { readonly kind: 'bury'; readonly atMs: number; readonly daemon: number }
  | {
      readonly kind: 'step_clock';
      readonly atMs: number;
      readonly daemon: number;
      readonly toMs: number;
    }
  | { readonly kind: 'cancel_all'; readonly atMs: number; readonly account: number }
  /** One of our open orders is cancelled manually at the venue. */
  | { readonly kind: 'stranger_cancels'; readonly atMs: number }
  /** An order with a label of ours that no portfolio has. */
  | { readonly kind: 'stray_order'; readonly atMs: number }
  /** Another client's order on the same account: must not be touched. */
  | { readonly kind: 'foreign_order'; readonly atMs: number }
  /** A trading switch, set through one of the daemons. */
  | {
      readonly kind: 'set_switch';
      readonly atMs: number;
      readonly daemon: number;
      readonly scope: 'deployment' | 'account' | 'portfolio';
      readonly state: 'active' | 'reducing' | 'halted';
    }
  /** A freeze is reset manually, or the limits of the protection change. */
  | { readonly kind: 'reset_mmp'; readonly atMs: number; readonly daemon: number }
  | {
      readonly kind: 'configure_mmp';
      readonly atMs: number;
      readonly daemon: number;
      readonly limit: string;
    }
  | { readonly kind: 'reload_limits'; readonly atMs: number; readonly legsMax: number };

/** The exchange dies in its first write from then on. */
export interface ExchangeDeath {
  readonly atMs: number;
  /** Until it has started again. */
  readonly restMs: number;
  /** The share of the bytes of that write that its journal keeps. */
  readonly keeps: number;
}

export interface SnapshotPlan {
  /** A snapshot is written after this many events. */
  readonly everyEvents: number;
  /** States at rest leave memory while they take more; absent: none does. */
  readonly stateBytesMax?: number | undefined;
  /** How long before it is due a state is loaded. */
  readonly restHorizonMs: number;
}

export interface SimulationPlan {
  readonly seed: string;
  /** Trouble until then, from the start on. */
  readonly stormMs: number;
  /** The option expires so long after the start of the run; absent: weeks later. */
  readonly expiresAfterMs?: number | undefined;
  readonly latencyMs: number;
  readonly venueOffsetMs: number;
  readonly marketStepMs: number;
  /** What a refusal of the kind `refused` says. */
  readonly refusalCode: number;
  readonly margins: Margins;
  /** The blackout window that portfolios may use. */
  readonly quietWindow: DailyWindow;
  /** Share of the market's steps in which another participant takes liquidity. */
  readonly takerShare: number;
  /** What a deployment of this run sets alongside the margins. */
  readonly settings: Partial<Settings>;
  /** Portfolios that are over and stay in memory of a daemon at most. */
  readonly retiredMax: number;
  readonly faults: readonly FaultRate[];
  readonly daemons: readonly DaemonPlan[];
  readonly clients: readonly ClientPlan[];
  readonly hands: readonly HandPlan[];
  readonly rfqs: readonly RfqPlan[];
  /** Absent: no account has market-maker protection. */
  readonly mmp: MmpPlan | undefined;
  /** Absent: clients ask engines directly. */
  readonly door: DoorPlan | undefined;
  /** Absent: the gates let everything pass. */
  readonly controls: ControlsPlan | undefined;
  /** Absent: no auditor runs. */
  readonly audit?: AuditPlan | undefined;
  /** That every daemon has; absent: none. */
  readonly strategies?: readonly StrategyPlan[] | undefined;
  readonly schedule?: SchedulePlan | undefined;
  /** Daemons own shards by leases; absent: every daemon takes everything for its own. */
  readonly hasLeases?: true | undefined;
  /** Absent: states are loaded from all their events. */
  readonly snapshots?: SnapshotPlan | undefined;
  /** Absent: the exchange lives, and keeps no journal. */
  readonly exchangeDeaths?: readonly ExchangeDeath[] | undefined;
  readonly acts: readonly Act[];
}
