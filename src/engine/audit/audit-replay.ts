// Chooses the portfolios whose stored events are replayed, and how many events at once: active portfolios in turn,
// each once more after it ends, and after a start every portfolio known before. A long one takes several rounds.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { AuditReads, ChainWitness } from '../../ports/audit-reads.ts';
import type { AuditSeals, ChainHash, Seal } from '../../ports/audit-seals.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Finding } from './audit-portfolio.ts';
import { AuditWalk } from './audit-walk.ts';

export interface ReplayOptions {
  readonly reads: AuditReads;
  readonly seals: AuditSeals;
  readonly witness: ChainWitness;
  readonly hash: ChainHash;
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
  /** Yields to other work between two chunks. */
  readonly breathe: () => Promise<void>;
}

/** Folding more events at once would delay other due work. */
const PIECE = 100;
const PIECES_A_ROUND = 20;
/** The number of portfolios replayed per round, and how many of them may be inactive. */
const WALKS_A_ROUND = 5;
const OTHERS_A_ROUND = 3;
/** Once this many are waiting, no more are added. */
const OTHERS_MAX = 1_000;

export interface ReplayFinding extends Finding {
  readonly portfolio: PortfolioId;
}

interface Walking {
  readonly walk: AuditWalk;
  readonly seal: Seal | undefined;
}

export class ReplayAudit {
  readonly #parts: ReplayOptions;
  /** The portfolios that were active at the last check. */
  #working: ReadonlySet<PortfolioId> = new Set();
  /** Inactive portfolios still to be replayed once more. */
  readonly #others: Set<PortfolioId>;
  /** The newest portfolio seen: one may start and end between two checks. */
  #newest: PortfolioId | undefined;
  #last: PortfolioId | undefined;
  #walking: Walking | undefined;

  constructor(parts: ReplayOptions) {
    this.#parts = parts;
    this.#others = new Set(parts.witness.portfolios());
  }

  /** Runs one round, given the states of all active portfolios. */
  async look(states: readonly PortfolioState[]): Promise<readonly ReplayFinding[]> {
    const working = new Set(states.map(({ id }) => id));
    for (const id of this.#working) if (!working.has(id)) this.#others.add(id);
    this.#working = working;
    await this.#hearOf(working);
    const turn = this.#turn([...working]);
    const found: ReplayFinding[] = [];
    let walks = 0;
    for (let pieces = 0; pieces < PIECES_A_ROUND; pieces += 1) {
      this.#walking ??= walks < WALKS_A_ROUND ? await this.#begin(turn.shift()) : undefined;
      if (this.#walking === undefined) break;
      await this.#parts.breathe();
      const { walk, seal } = this.#walking;
      if (!(await walk.step(PIECE, this.#known(walk.portfolio)))) continue;
      this.#walking = undefined;
      walks += 1;
      found.push(...(await this.#ended(walk, seal)));
    }
    return found;
  }

  async #hearOf(working: ReadonlySet<PortfolioId>): Promise<void> {
    const room = OTHERS_MAX - this.#others.size;
    if (room <= 0) return;
    const some = await this.#parts.reads.portfoliosAfter(this.#newest, room);
    for (const id of some) if (!working.has(id)) this.#others.add(id);
    this.#newest = some.at(-1) ?? this.#newest;
  }

  /**
   * Orders the active portfolios, starting behind the last one of the previous round, with some of the others
   * first.
   */
  #turn(working: readonly PortfolioId[]): PortfolioId[] {
    const sorted = [...working].sort((a, b) => Number(a) - Number(b));
    const from = sorted.findIndex((id) => Number(id) > Number(this.#last ?? 0));
    const others = [...this.#others].slice(0, OTHERS_A_ROUND);
    const behind = sorted.slice(Math.max(from, 0));
    return [...others, ...behind, ...sorted.slice(0, Math.max(from, 0))];
  }

  async #begin(portfolio: PortfolioId | undefined): Promise<Walking | undefined> {
    if (portfolio === undefined) return undefined;
    const { reads, hash, seals, witness } = this.#parts;
    const seal = await seals.of(portfolio);
    const known = [seal, witness.of(portfolio)].filter((one) => one !== undefined);
    if (this.#working.has(portfolio)) this.#last = portfolio;
    this.#others.delete(portfolio);
    return { walk: new AuditWalk(portfolio, { reads, hash, seals: known }), seal };
  }

  /** The committed state, if this process has the portfolio in memory and continues it. */
  #known(portfolio: PortfolioId): PortfolioState | undefined {
    const state = this.#parts.peek(portfolio);
    return state === undefined || isTerminal(state.status) ? undefined : state;
  }

  /** Seals a correct portfolio as far as it was read. */
  async #ended(walk: AuditWalk, seal: Seal | undefined): Promise<readonly ReplayFinding[]> {
    const { portfolio, findings, head } = walk;
    if (findings.length > 0) {
      // Checked in every round while the finding lasts, even after the portfolio has ended.
      if (!this.#working.has(portfolio)) this.#others.add(portfolio);
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
