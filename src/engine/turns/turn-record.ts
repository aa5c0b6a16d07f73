// Builds the ledger record of a turn: its events, the row by which the portfolio is found, its fills.
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Intent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import {
  isTerminal,
  listedStatus,
  type PortfolioState,
} from '../../core/portfolio/aggregate/portfolio-state.ts';
import { nextDueAt } from '../../core/portfolio/next-wake.ts';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import { summarize } from '../../core/portfolio/summary/summarize.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { FillRow, HeldLease, PortfolioRow, Turn } from '../../ports/ledger.ts';
import { isPositive } from '../../values/amounts.ts';
import { currency, tradeId, type VenueName } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { forCcy } from '../../values/instrument.ts';
import { newsCount } from './publish-events.ts';

export interface TurnOptions {
  /** Of every turn but the one that creates the portfolio. */
  readonly before?: PortfolioState | undefined;
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  readonly settings: Settings;
  readonly venue: VenueName;
  readonly key?: string | undefined;
  /** Only for the turn that creates the portfolio. */
  readonly shard?: number | undefined;
  readonly lease?: HeldLease | undefined;
  readonly mayWaitMs?: number | undefined;
  /** A client's request is part of the turn: its effect must be read at once, everywhere. */
  readonly isRequested?: boolean | undefined;
}

/** A commit is given this long before a request is sent. */
const COMMIT_MS = 10;
/** For so long a turn that sends nothing waits for others at most. */
const WAIT_MS_MAX = 20;

const PATIENT: ReadonlySet<PortfolioCommand['kind']> = new Set(['advance', 'record_report']);

/** How long the turn may wait for a shared commit: not at all if a caller waits for it, or it sends something soon. */
export function deferrableMs(
  commands: readonly PortfolioCommand[],
  { intents, now }: { readonly intents: readonly Intent[]; readonly now: Instant },
): number {
  if (!commands.every(({ kind }) => PATIENT.has(kind))) return 0;
  const waits = intents.map((one) => (one.kind === 'place' ? one.notBefore - now - COMMIT_MS : 0));
  return Math.max(0, Math.min(WAIT_MS_MAX, ...waits));
}

export function turnRecord(parts: TurnOptions): Turn {
  const { before, state, events, settings, venue, key, shard, mayWaitMs, isRequested, lease } =
    parts;
  return {
    portfolio: state.id,
    fromVersion: before?.version ?? 0,
    events,
    row: new TurnRow(state, settings),
    fills: events.flatMap((event) => fillRow(event, venue)),
    tells: newsCount(events),
    key,
    shard,
    lease,
    isPending: state.status === 'pending' && state.spec.mirrorOf === undefined,
    mayWaitMs,
    summaryMayWait:
      isRequested !== true && before?.status === state.status && !isTerminal(state.status),
  };
}

/** Read by a database in full, in memory hardly at all: what costs something is made when it is read. */
class TurnRow implements PortfolioRow {
  readonly account: PortfolioRow['account'];
  readonly portfolioType: string;
  readonly status: PortfolioRow['status'];
  readonly strategy: string | undefined;
  readonly note: string;
  readonly uid: string;
  readonly lastEditedUid: string;
  readonly submittedAt: Instant;
  readonly updatedAt: Instant;
  readonly #state: PortfolioState;
  readonly #settings: Settings;
  #record: PortfolioSummary | undefined;

  constructor(state: PortfolioState, settings: Settings) {
    const { spec } = state;
    this.account = spec.accountId;
    this.portfolioType = spec.portfolioType;
    this.status = listedStatus(state.status);
    this.strategy = spec.strategy;
    this.note = spec.note;
    this.uid = spec.by.uid;
    this.lastEditedUid = state.lastEditedBy;
    this.submittedAt = state.submittedAt;
    this.updatedAt = state.updatedAt;
    this.#state = state;
    this.#settings = settings;
  }

  get instruments(): readonly string[] {
    return this.#state.spec.legs.map((leg) => leg.instrument);
  }

  get kinds(): PortfolioRow['kinds'] {
    return [...new Set(this.#state.spec.legs.map((leg) => leg.kind))];
  }

  get coin(): string {
    const [instrument] = this.#state.instruments.values();
    return instrument === undefined ? '' : forCcy(instrument);
  }

  get hasFills(): boolean {
    return this.#state.legs.some((leg) => isPositive(leg.filled));
  }

  get nextDueAt(): Instant | undefined {
    const { status } = this.#state;
    return isTerminal(status) ? undefined : nextDueAt(this.#state, this.#settings);
  }

  get record(): PortfolioSummary {
    this.#record ??= summarize(this.#state);
    return this.#record;
  }
}

function fillRow(event: PortfolioEvent, venue: VenueName): FillRow[] {
  if (event.kind !== 'fill_booked') return [];
  const { label, quantity, price, fee } = event;
  return [
    {
      venue,
      currency: currency(event.feeCurrency),
      tradeId: tradeId(event.tradeId),
      label,
      quantity,
      price,
      fee,
      at: instant(event.tradedAt),
    },
  ];
}
