// Replays stored events within its budget: of every portfolio that has ended once more, of those that have changed, of
// those known from before, and of all active ones continuously. A long one takes several rounds.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { EventsArchived } from '../../ports/archive/archived-reads.ts';
import type { AuditReads, ChainWitness } from '../../ports/audit-reads.ts';
import type { AuditSeals, ChainHash, Seal } from '../../ports/audit-seals.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StateChange } from '../../ports/observer.ts';
import type { StateSnapshots } from '../../ports/snapshots/state-snapshots.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { allowanceMs, owedMs } from './audit-budget.ts';
import type { Finding } from './audit-portfolio.ts';
import { AuditWalk } from './audit-walk.ts';
import { ReplayQueue } from './replay-queue.ts';

export interface ReplayOptions {
  readonly reads: AuditReads;
  readonly seals: AuditSeals;
  readonly witness: ChainWitness;
  readonly hash: ChainHash;
  readonly snapshots: Pick<StateSnapshots, 'of' | 'delete'>;
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
  /** Loads the state again before it is used. */
  readonly refresh: (portfolio: PortfolioId) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Yields to other work between two chunks. */
  readonly breathe: () => Promise<void>;
}

/** Folding more events at once would delay other due work. */
const PIECE = 100;
const PIECES_A_ROUND = 100;
/** While this many portfolios from before are waiting, no more are read. */
const HISTORY_MAX = 1_000;

export interface ReplayFinding extends Finding {
  readonly portfolio: PortfolioId;
}

interface Walking {
  readonly walk: AuditWalk;
  readonly seal: Seal | undefined;
}

export class ReplayAudit {
  readonly #parts: ReplayOptions;
  readonly #queue: ReplayQueue;
  /** The newest portfolio seen: one may start and end in another process between two checks. */
  #newest: PortfolioId | undefined;
  #walking: Walking | undefined;
  /** When the latest round began, on the monotonic clock, and what it took too much. */
  #begunMs: number;
  #owedMs = 0;

  constructor(parts: ReplayOptions) {
    this.#parts = parts;
    this.#queue = new ReplayQueue(parts.witness.portfolios());
    this.#begunMs = parts.clock.monotonicMs();
  }

  /** All active portfolios have been reported; from now on what is reported has changed. */
  started(): void {
    this.#queue.started();
  }

  changed(change: StateChange): void {
    this.#queue.changed(change, this.#parts.clock.monotonicMs());
  }

  /** Runs one round, for as long as its budget allows. */
  async check(): Promise<readonly ReplayFinding[]> {
    const { clock, breathe } = this.#parts;
    await this.#readHistory();
    this.#queue.beginRound();
    const allowedMs = this.#allowance();
    const found: ReplayFinding[] = [];
    let spentMs = 0;
    for (let pieces = 0; pieces < PIECES_A_ROUND && spentMs < allowedMs; pieces += 1) {
      await breathe();
      const fromMs = clock.monotonicMs();
      const findings = await this.#piece();
      spentMs += clock.monotonicMs() - fromMs;
      if (findings === undefined) break;
      found.push(...findings);
    }
    this.#owedMs = owedMs(allowedMs, spentMs);
    return found;
  }

  #allowance(): number {
    const nowMs = this.#parts.clock.monotonicMs();
    const sinceMs = nowMs - this.#begunMs;
    this.#begunMs = nowMs;
    const endedWaitMs = this.#queue.endedWaitMs(nowMs);
    return allowanceMs({ sinceMs, owedMs: this.#owedMs, endedWaitMs });
  }

  async #readHistory(): Promise<void> {
    const room = HISTORY_MAX - this.#queue.historySize;
    if (room <= 0) return;
    const some = await this.#parts.reads.portfoliosAfter(this.#newest, room);
    for (const portfolio of some) this.#queue.addHistory(portfolio);
    this.#newest = some.at(-1) ?? this.#newest;
  }

  /** Continues the portfolio at hand, or begins the next one; `undefined` once there is none in this round. */
  async #piece(): Promise<readonly ReplayFinding[] | undefined> {
    this.#walking ??= await this.#begin(this.#queue.take(this.#parts.clock.monotonicMs()));
    if (this.#walking === undefined) return undefined;
    const { walk, seal } = this.#walking;
    try {
      if (!(await walk.step(PIECE, this.#known(walk.portfolio)))) return [];
    } catch (error) {
      // It was verified when it was moved to the archive; `twapd audit` reads it there.
      if (!(error instanceof EventsArchived)) throw error;
      this.#walking = undefined;
      return [];
    }
    this.#walking = undefined;
    return await this.#ended(walk, seal);
  }

  async #begin(portfolio: PortfolioId | undefined): Promise<Walking | undefined> {
    if (portfolio === undefined) return undefined;
    const { reads, hash, seals, witness, snapshots } = this.#parts;
    const seal = await seals.of(portfolio);
    const known = [seal, witness.of(portfolio)].filter((one) => one !== undefined);
    // Read before the events, which can only be further ahead.
    const snapshot = await snapshots.of(portfolio);
    return { walk: new AuditWalk(portfolio, { reads, hash, seals: known, snapshot }), seal };
  }

  /** The committed state, if this process has the portfolio in memory and continues it. */
  #known(portfolio: PortfolioId): PortfolioState | undefined {
    const state = this.#parts.peek(portfolio);
    return state === undefined || isTerminal(state.status) ? undefined : state;
  }

  /** What was loaded from it is loaded again, from the events. */
  async #dropSnapshot(portfolio: PortfolioId): Promise<void> {
    await this.#parts.snapshots.delete([portfolio]);
    this.#parts.refresh(portfolio);
  }

  /** Seals a correct portfolio as far as it was read. */
  async #ended(walk: AuditWalk, seal: Seal | undefined): Promise<readonly ReplayFinding[]> {
    const { portfolio, findings, head } = walk;
    if (walk.isSnapshotWrong) await this.#dropSnapshot(portfolio);
    if (findings.length > 0) {
      // Checked in every round while the finding lasts, even after the portfolio has ended.
      this.#queue.addFinding(portfolio);
      return findings.map((finding) => ({ ...finding, portfolio }));
    }
    if (head.version > (seal?.version ?? 0)) {
      await this.#parts.seals.put(portfolio, { from: seal, to: head });
    }
    if (head.version > (this.#parts.witness.of(portfolio)?.version ?? 0)) {
      this.#parts.witness.note(portfolio, head);
    }
    return [];
  }
}
