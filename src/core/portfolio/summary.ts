// A portfolio for whoever reads: plain JSON, amounts as text, nothing of a gateway's naming. It is
// stored with every turn, so that lists need not fold events.
import type { InstrumentKind, Side } from '../../values/instrument.ts';
import type { EndReason } from './event.ts';
import type { PortfolioStatus } from './state.ts';

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
  readonly hedge: boolean;
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
  readonly mirrorOf?: string | undefined;
  readonly mirrors: readonly string[];
  readonly legs: readonly LegSummary[];
}
