// A portfolio for whoever reads: plain JSON, amounts as text, nothing of a gateway's naming. It is
// stored with every turn, so that lists need not fold events.
import type { InstrumentKind, Side } from '../../../values/instrument.ts';
import type { EndReason } from '../aggregate/portfolio-event.ts';
import type { PortfolioStatus } from '../aggregate/portfolio-state.ts';

/** How a BALANCE portfolio is cut, and where it is. */
export interface BalanceSummary {
  readonly parts: number;
  readonly eachLimitMs: number;
  /** 0 = no limit. */
  readonly totalLimitMs: number;
  /** 1 cancel what remains at the total limit, 2 fill it through the market. */
  readonly totalEndAction: 1 | 2;
  readonly partTimeout: string;
  readonly partsDone: number;
  /** Of the part under way: `work`, `chase` or `sweep`. */
  readonly stage?: string | undefined;
}

/** The residual as a Block RFQ. */
export interface RfqSummary {
  /** `sending`, `unknown`, `refused`, `open`, `accepting`, `cancelling`, `over` or `skipped`. */
  readonly stage: string;
  /** With `over`: `traded`, `refused`, `unsent`, `cancelled`, `expired` or `failed`. */
  readonly outcome?: string | undefined;
  /** Why it was passed over or is being taken back. */
  readonly why?: string | undefined;
  readonly number?: number | undefined;
  readonly label?: string | undefined;
  /** The venue's id, as its taker knows it. */
  readonly rfqId?: string | undefined;
  /** Of the structure. */
  readonly quantity?: string | undefined;
  readonly legs?:
    | readonly {
        readonly leg: number;
        readonly instrument: string;
        readonly side: Side;
        readonly quantity: string;
        /** Leg size per quantity of the structure. */
        readonly ratio?: string | undefined;
        readonly hedgePrice?: string | undefined;
      }[]
    | undefined;
  readonly accepts?: number | undefined;
  /** What the whole can be had for at the moment, for who buys the legs as they are listed. */
  readonly best?: { readonly price: string; readonly makers: number } | undefined;
  /** What it was traded at. */
  readonly price?: string | undefined;
  /** When it is taken back at the latest. */
  readonly endsAt?: number | undefined;
  /** What becomes of what it leaves. */
  readonly fallback: string;
}

/** A leg against the least filled one. */
export interface ImbalanceSummary {
  /** Filled beyond proportion. */
  readonly ahead: string;
  /** The most that can be while the part under way lasts. */
  readonly bound: string;
}

export interface LegSummary {
  /** `<portfolio>-<leg index>`, digits and a dash. */
  readonly legId: string;
  readonly instrument: string;
  readonly kind: InstrumentKind;
  readonly side: Side;
  readonly status: PortfolioStatus;
  readonly quantity: string;
  /** Currency of the quantity: USD for inverse perpetuals and futures, else the base coin. */
  readonly quantityIn: string;
  readonly filled: string;
  /** "0" while nothing is filled. */
  readonly averagePrice: string;
  readonly remaining: string;
  /** At the venue or possibly so, not filled. */
  readonly outstanding: string;
  /** What the schedule wants filled by the time of the summary. */
  readonly scheduled: string;
  readonly fees: readonly { readonly currency: string; readonly amount: string }[];
  readonly currencies: {
    readonly forCcy: string;
    readonly domCcy: string;
    readonly markCcy: string;
    readonly notionalCcy: string;
    readonly defaultPvCcy: string;
  };
  readonly slices: {
    readonly planned: number;
    readonly placed: number;
    readonly missed: number;
    readonly next: number;
  };
  readonly reprices: number;
  /** Why the current slice places nothing, when it does not. */
  readonly waiting?: string | undefined;
  /** What the latest child order was refused with, until one is accepted. */
  readonly refusal?:
    | { readonly code: number; readonly message: string; readonly at: number }
    | undefined;
  readonly hedge: boolean;
  readonly priority?: boolean | undefined;
  /** BALANCE only. */
  readonly imbalance?: ImbalanceSummary | undefined;
}

export interface PortfolioSummary {
  readonly portfolio: string;
  readonly account: string;
  readonly portfolioType: string;
  readonly status: PortfolioStatus;
  readonly reason?: EndReason | undefined;
  readonly strategy?: string | undefined;
  readonly note: string;
  readonly uid: string;
  readonly nickname: string;
  readonly lastEditedUid: string;
  /** Present while an operator holds it: who, and since when. */
  readonly paused?: { readonly by: string; readonly at: number } | undefined;
  readonly submittedAt: number;
  readonly updatedAt: number;
  readonly startAt: number;
  readonly endAt: number;
  readonly durationMs: number;
  readonly frequencyMs: number;
  readonly endAction: string;
  readonly rfq?: RfqSummary | undefined;
  /** BALANCE only. */
  readonly balance?: BalanceSummary | undefined;
  readonly mirrorOf?: string | undefined;
  /** On a shadow: its quantities as a multiple of those it mirrors; absent = the same. */
  readonly scale?: string | undefined;
  readonly mirrors: readonly string[];
  /** What each mirror came to, where it was asked for together with them. */
  readonly mirrored?: readonly PortfolioSummary[] | undefined;
  readonly legs: readonly LegSummary[];
}
