// Whose stored events are read again, and how many in one go: portfolios at work in turn, each once more when it is
// over, and after a start whatever was seen before. A long one takes several rounds.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { AuditReads, ChainWitness } from '../../ports/audit-reads.ts';
import type { AuditSeals, ChainHash, Seal } from '../../ports/audit-seals.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Finding } from './audit-portfolio.ts';
import { AuditWalk } from './audit-walk.ts';

export interface ReplayParts {
  readonly reads: AuditReads;
  readonly seals: AuditSeals;
  readonly witness: ChainWitness;
  readonly hash: ChainHash;
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
  /** Between two pieces the work goes on. */
  readonly breathe: () => Promise<void>;
}

/** Folding more events in one go would hold up what is due meanwhile. */
const PIECE = 100;
const PIECES_A_ROUND = 20;
/** Portfolios read again in one round, and of them those that are not at work. */
const WALKS_A_ROUND = 5;
const OTHERS_A_ROUND = 3;
/** More that wait for their turn are not looked for yet. */
const OTHERS_MAX = 1_000;

export interface ReplayFinding extends Finding {
  readonly portfolio: PortfolioId;
}

interface Walking {
  readonly walk: AuditWalk;
  readonly seal: Seal | undefined;
}

export class ReplayAudit {
  readonly #parts: ReplayParts;
  /** At work when last looked. */
  #working: ReadonlySet<PortfolioId> = new Set();
  /** To be read once more although they are not. */
  readonly #others: Set<PortfolioId>;
  /** The newest that was heard of: one may come and go between two looks. */
  #newest: PortfolioId | undefined;
  #last: PortfolioId | undefined;
  #walking: Walking | undefined;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
    this.#others = new Set(parts.witness.portfolios());
  }

  /** One round; the states of every portfolio at work are given. */
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

  /** Those at work, beginning behind the last of the round before; some of the others first. */
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

  /** As committed, where this process has it and goes on with it. */
  #known(portfolio: PortfolioId): PortfolioState | undefined {
    const state = this.#parts.peek(portfolio);
    return state === undefined || isTerminal(state.status) ? undefined : state;
  }

  /** What is right is sealed as far as it was read. */
  async #ended(walk: AuditWalk, seal: Seal | undefined): Promise<readonly ReplayFinding[]> {
    const { portfolio, findings, head } = walk;
    if (findings.length > 0) {
      // Looked at again while it lasts, also when it is over.
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
