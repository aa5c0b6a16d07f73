// A portfolio's record for readers: plain JSON, amounts as text, independent of a gateway's naming. It is stored with
// every turn, so that lists need not fold events.
import type { InstrumentKind, Side } from '../../../values/instrument.ts';
import type { EndReason } from '../aggregate/portfolio-event.ts';
import type { PortfolioStatus } from '../aggregate/portfolio-state.ts';

/** How a BALANCE portfolio is cut, and its progress. */
export interface BalanceSummary {
  readonly parts: number;
  readonly eachLimitMs: number;
  /** 0 = no limit. */
  readonly totalLimitMs: number;
  /** 1 cancel the remainder at the total limit, 2 fill it at market. */
  readonly totalEndAction: 1 | 2;
  readonly partTimeout: string;
  readonly partsDone: number;
  /** Stage of the current part: `work`, `chase` or `sweep`. */
  readonly stage?: string | undefined;
}

/** The residual RFQ. */
export interface RfqSummary {
  /** `sending`, `unknown`, `refused`, `open`, `accepting`, `cancelling`, `over` or `skipped`. */
  readonly stage: string;
  /** With `over`: `traded`, `refused`, `unsent`, `cancelled`, `expired` or `failed`. */
  readonly outcome?: string | undefined;
  /** Why it was skipped or is being cancelled. */
  readonly why?: string | undefined;
  readonly number?: number | undefined;
  readonly label?: string | undefined;
  /** The venue's id, as the taker knows it. */
  readonly rfqId?: string | undefined;
  /** Of the structure. */
  readonly quantity?: string | undefined;
  readonly legs?:
    | readonly {
        readonly leg: number;
        readonly instrument: string;
        readonly side: Side;
        readonly quantity: string;
        /** Leg size per unit of the structure. */
        readonly ratio?: string | undefined;
        readonly hedgePrice?: string | undefined;
      }[]
    | undefined;
  readonly accepts?: number | undefined;
  /** The current best price for the whole quantity, for the buyer of the legs as listed. */
  readonly best?: { readonly price: string; readonly makers: number } | undefined;
  /** The trade price of the structure. */
  readonly price?: string | undefined;
  /** When it is cancelled at the latest. */
  readonly endsAt?: number | undefined;
  /** End action for the quantity it leaves. */
  readonly fallback: string;
}

/** A leg against the least filled one. */
export interface ImbalanceSummary {
  /** Quantity filled beyond proportion. */
  readonly ahead: string;
  /** Upper bound while the current part lasts. */
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
  /** Quantity that is or may be at the venue and is not filled. */
  readonly outstanding: string;
  /** The quantity that the schedule requires to be filled by the time of the summary. */
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
  /** Why the current slice places nothing, if it does not. */
  readonly waiting?: string | undefined;
  /** The refusal of the latest child order, until one is accepted. */
  readonly refusal?:
    | { readonly code: number; readonly message: string; readonly at: number }
    | undefined;
  readonly hedge: boolean;
  /** On a hedge: what the fills of the others require and it has not filled. Absent = nothing. */
  readonly unhedged?: string | undefined;
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
  /** Present while the portfolio is paused: by whom, and since when. */
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
  /** The mirrors' summaries, if they were requested as well. */
  readonly mirrored?: readonly PortfolioSummary[] | undefined;
  readonly legs: readonly LegSummary[];
}
