// The production auditor in every daemon of a run, on the run's ledger. A report where nothing is wrong breaks the run, and so
// does an unreported trade under a label of the deployment that belongs to no portfolio.

import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import type { AssembledEngine } from '../../../src/engine/assemble-engine.ts';
import { Auditor, type AuditorOptions } from '../../../src/engine/audit/auditor.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { NEVER_YIELDS } from '../../../src/engine/overload/overload-deferral.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { observing } from '../../../src/ports/observer.ts';
import type { StateSnapshots } from '../../../src/ports/snapshots/state-snapshots.ts';
import { NO_STORED_SNAPSHOTS } from '../../../src/ports/snapshots/state-snapshots.ts';
import { steps } from '../../../src/values/amounts.ts';
import { childLabel, portfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { hash32 } from '../../../src/values/rng.ts';
import {
  auditReadsOf,
  MemoryAuditBaselines,
  MemoryChainWitness,
} from '../../doubles/memory/memory-audit-records.ts';
import { MemoryAuditSeals } from '../../doubles/memory/memory-audit-seals.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { ExchangeOracle } from '../oracles/exchange.oracle.ts';
import type { AuditPlan, SimulationPlan } from '../plan/plan.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { Life } from '../world/life.ts';
import { INSTRUMENTS, type SimulatedMarket } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';

/** From the trade, or from healing, until an auditor that saw it must have reported it: a grace before it is
 * handed over and one after, and rounds that fail. */
const REPORTED_WITHIN_MS = 15_000;
/** The order is tried at every beat until it trades. */
const PLANT_EVERY_MS = 250;
/** No other label has a portfolio with such a number. */
const PLANTED = 7_000_000;

export interface AuditRunParts {
  readonly plan: SimulationPlan;
  readonly market: SimulatedMarket;
  readonly paper: PaperVenue;
  readonly truth: ExchangeOracle;
  readonly trouble: Trouble;
  /** Foreign labels that look like ours and were created by the run itself. */
  readonly strays: Set<string>;
  /** True time. */
  readonly clock: Clock;
  readonly startAt: Instant;
  readonly reportBreach: ReportBreach;
}

/** The parts of one life of a daemon that its auditor needs. */
export interface AuditOfLife
  extends Pick<AuditorOptions, 'clock' | 'venues' | 'observer' | 'settings' | 'ownership'> {
  readonly daemon: number;
  readonly life: Life;
  readonly ledger: Ledger;
  readonly snapshots?: StateSnapshots | undefined;
  readonly engine: Pick<Engine, 'replayed'> & {
    readonly turns: Pick<Engine['turns'], 'follow' | 'peek' | 'refresh' | 'durableTo'>;
  };
  readonly recordMissed: AssembledEngine['recordMissed'];
}

export class AuditRun {
  readonly #parts: AuditRunParts;
  readonly #seals = new MemoryAuditSeals();
  readonly #baselines = new MemoryAuditBaselines();
  /** By daemon: a data folder outlives its process. */
  readonly #witnesses = new Map<number, MemoryChainWitness>();
  /** Time since which the auditor of a life has read the trades. */
  readonly #reading = new Map<Life, number>();
  #planted: string | undefined;
  #tries = 0;
  #tradedAt: number | undefined;
  #isReported = false;

  readonly #plan: AuditPlan;
  /** Healing starts: no fault occurs from now on. */
  readonly #healedAt: number;

  /** Absent where the plan has no auditors. */
  static of(parts: AuditRunParts): AuditRun | undefined {
    const { audit } = parts.plan;
    return audit && new AuditRun(parts, audit);
  }

  private constructor(parts: AuditRunParts, plan: AuditPlan) {
    this.#parts = parts;
    this.#plan = plan;
    this.#healedAt = parts.startAt + parts.plan.stormMs;
  }

  /** The life has started: its auditor runs from now on. */
  begin({ daemon, life, ledger, engine, recordMissed, observer, ...given }: AuditOfLife): void {
    const witness = this.#witnesses.get(daemon) ?? new MemoryChainWitness();
    this.#witnesses.set(daemon, witness);
    const auditor = new Auditor({
      ...given,
      snapshots: given.snapshots ?? NO_STORED_SNAPSHOTS,
      isUnaccounted: () => false,
      yielding: NEVER_YIELDS,
      witness,
      seals: this.#seals,
      baselines: this.#baselines,
      observer: observing(
        {
          audit_breached: (found) => this.#reported(life, found),
          audit_ran: ({ check, unanswered }) => {
            if (unanswered === 0) this.#ran(life, check);
          },
        },
        observer,
      ),
      // Reports are checked at once, so nothing has to be halted.
      switches: { set: () => Promise.resolve(), settings: () => [] },
      reads: auditReadsOf({
        load: (portfolio) => ledger.load(portfolio),
        page: (query) => ledger.page(query),
      }),
      hash: (previous, text) => `${hash32(text, 1)}-${hash32(`${previous} ${text}`, 2)}`,
      follow: (listener) => engine.turns.follow(listener),
      peek: (portfolio) => engine.turns.peek(portfolio),
      refresh: (portfolio) => engine.turns.refresh(portfolio),
      replayed: (portfolio) => engine.replayed(portfolio),
      durableTo: (portfolio) => engine.turns.durableTo(portfolio),
      recordMissed,
      everyMs: this.#plan.everyMs,
    });
    void auditor.start();
  }

  /** `nowMs` is since the start of the run. */
  act(nowMs: number): void {
    const { plantAtMs } = this.#plan;
    if (plantAtMs === undefined || nowMs < plantAtMs || this.#tradedAt !== undefined) return;
    const { truth, clock, trouble } = this.#parts;
    const [known] = this.#planted === undefined ? [] : truth.labelled(this.#planted);
    if (known === undefined || known.trades.length === 0) {
      if (clock.now() < this.#healedAt) this.#plant();
      return;
    }
    this.#tradedAt = clock.now();
    trouble.note('trade planted');
  }

  /** The trade is reported, no running auditor has to report it, or it has gone unreported for too long. */
  get isDone(): boolean {
    return this.#tradedAt === undefined || this.#isReported || this.#isLate || !this.#isWatched;
  }

  audit(): void {
    if (this.#tradedAt === undefined || this.#isReported) return;
    if (!this.#isLate || !this.#isWatched) return;
    this.#parts.reportBreach(
      'audit',
      `trade of ${this.#planted}, which no record has, is not reported`,
    );
  }

  get #isLate(): boolean {
    const from = Math.max(this.#tradedAt ?? 0, this.#healedAt);
    return this.#parts.clock.now() > from + REPORTED_WITHIN_MS;
  }

  /** An auditor has been running since before the trade. */
  get #isWatched(): boolean {
    const before = (this.#tradedAt ?? 0) - PLANT_EVERY_MS;
    return [...this.#reading].some(([life, since]) => !life.isOver && since <= before);
  }

  #ran(life: Life, check: string): void {
    if (check === 'venue' && !this.#reading.has(life)) {
      this.#reading.set(life, this.#parts.clock.now());
    }
  }

  #reported(life: Life, { invariant, detail }: { invariant: string; detail: string }): void {
    const { reportBreach, trouble, strays } = this.#parts;
    if (life.isOver) return;
    if (this.#planted !== undefined && detail.includes(this.#planted)) {
      if (!this.#isReported) trouble.note('trade reported');
      this.#isReported = true;
      return;
    }
    // A foreign order with our label may be reported until it is cancelled.
    if ([...strays].some((label) => detail.includes(label))) return;
    reportBreach('audit', `the auditor reports ${invariant}: ${detail}`);
  }

  /** Buys one lot with a foreign label of the deployment. */
  #plant(): void {
    const { paper, market, strays } = this.#parts;
    const { name: instrument, tickSize, amountStep } = INSTRUMENTS.perpetual;
    const ask = market.shown(instrument).at(-1)?.ask;
    if (ask === undefined) return;
    this.#tries += 1;
    const label = childLabel({
      deployment: SIMULATED_SETTINGS.deployment,
      portfolio: portfolioId(String(PLANTED)),
      leg: 0,
      slice: 0,
      attempt: this.#tries,
    });
    this.#planted = label;
    strays.add(label);
    const [account = DUMMY] = ACCOUNTS;
    void paper.place({
      account,
      instrument,
      label,
      side: 'buy',
      type: 'limit',
      mmp: false,
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      quantity: steps(amountStep, 1),
      price: steps(tickSize, ask + 40),
      timeInForce: 'immediate_or_cancel',
      validUntil: later(paper.venueNow(), 1_000),
    });
  }
}
