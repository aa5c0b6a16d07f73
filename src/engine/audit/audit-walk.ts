// Replays one portfolio from the ledger in chunks. Its events must keep the invariants, produce the state that this
// process uses, and be the ones that were sealed.

import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { Replay } from '../../core/portfolio/aggregate/replay.ts';
import { isSnapshotOf, type StateSnapshot } from '../../core/portfolio/snapshot/state-snapshot.ts';
import { summarize } from '../../core/portfolio/summary/summarize.ts';
import type { AuditReads } from '../../ports/audit-reads.ts';
import type { ChainHash, Seal } from '../../ports/audit-seals.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { checkState, type Finding } from './audit-portfolio.ts';

/** A seal, and who has it if it is not the ledger's own: such as `witnessed by head 12`. */
export interface KnownSeal extends Seal {
  readonly by?: string | undefined;
}

export interface LateEvent {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface WalkOptions {
  readonly reads: Pick<AuditReads, 'eventsAfter' | 'versionOf'>;
  readonly hash: ChainHash;
  /** Where the chain was seen before: in the ledger, and outside it. */
  readonly seals: readonly KnownSeal[];
  /** Events after this version are compared with the heads that do not have them; absent: none are. */
  readonly lateAfter?: number | undefined;
  /** What states may be loaded from instead of their first events. */
  readonly snapshot?: StateSnapshot | undefined;
}

export class AuditWalk {
  readonly portfolio: PortfolioId;
  readonly findings: Finding[] = [];
  readonly #parts: WalkOptions;
  readonly #seals = new Map<number, KnownSeal[]>();
  /** The events that the row of the portfolio stated before the first was read; `null` before that, `undefined` without a row. */
  #stated: number | undefined | null = null;
  #version = 0;
  #hash = '';
  #isSnapshotWrong = false;
  #late: LateEvent | undefined;
  /** Until events cannot be folded. */
  #replay: Replay | undefined;

  constructor(portfolio: PortfolioId, parts: WalkOptions) {
    this.portfolio = portfolio;
    this.#parts = parts;
    for (const seal of parts.seals) {
      const others = this.#seals.get(seal.version);
      if (others === undefined) this.#seals.set(seal.version, [seal]);
      else others.push(seal);
    }
    this.#replay = new Replay(portfolio);
  }

  /** The version and hash reached so far. */
  get head(): Seal {
    return { version: this.#version, hash: this.#hash };
  }

  /** The earliest event, by its own time, of those after `lateAfter`. */
  get late(): LateEvent | undefined {
    return this.#late;
  }

  /** The snapshot does not say what the events give. */
  get isSnapshotWrong(): boolean {
    return this.#isSnapshotWrong;
  }

  /**
   * Reads at most `limit` more events. `known` is the state to compare with, taken before the read: the ledger can
   * only be further ahead. Returns true when there are no more events.
   */
  async step(limit: number, known: PortfolioState | undefined): Promise<boolean> {
    const { reads } = this.#parts;
    if (this.#stated === null && reads.versionOf) {
      this.#stated = await reads.versionOf(this.portfolio);
    }
    const events = await reads.eventsAfter(this.portfolio, this.#version, limit);
    this.#compare(known);
    for (const event of events) {
      this.#add(event);
      this.#compare(known);
    }
    if (events.length === limit) return false;
    this.#end(known);
    if (reads.versionOf && this.findings.length === 0)
      this.#compareRow(await reads.versionOf(this.portfolio));
    return true;
  }

  #add(event: PortfolioEvent): void {
    this.#version += 1;
    this.#hash = this.#parts.hash(this.#hash, canonical(event));
    for (const { hash, version, by = 'sealed' } of this.#seals.get(this.#version) ?? []) {
      if (hash !== this.#hash) {
        this.#find(`the first ${version} events are not those that were ${by}`);
      }
    }
    const { lateAfter } = this.#parts;
    if (lateAfter !== undefined && this.#version > lateAfter) {
      const isEarlier = this.#late === undefined || event.at < this.#late.at;
      if (isEarlier) this.#late = { version: this.#version, at: event.at };
    }
    this.#fold(event);
    this.#compareSnapshot();
  }

  #compareSnapshot(): void {
    const { snapshot } = this.#parts;
    const state = this.#replay?.state;
    if (snapshot?.version !== this.#version || state === undefined) return;
    if (!isSnapshotOf(snapshot, state))
      this.#wrongSnapshot(snapshot, 'is not what the events give');
  }

  #wrongSnapshot({ version }: StateSnapshot, why: string): void {
    this.#isSnapshotWrong = true;
    this.#find(`the snapshot of the state at version ${version} ${why}`, 'report');
  }

  /** Stored events may be arbitrarily corrupted; the reason they cannot be folded is the finding. */
  #fold(event: PortfolioEvent): void {
    try {
      this.#replay?.add(event);
    } catch (error) {
      // Unexamined: a finding is an alarm of its own, whatever is thrown for events that were corrupted.
      this.#replay = undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.#find(`the stored events give no state from the ${this.#version}. on: ${why}`);
    }
  }

  #compare(known: PortfolioState | undefined): void {
    const state = this.#replay?.state;
    if (known === undefined || state === undefined || known.version !== state.version) return;
    const [here, there] = [summarize(known), summarize(state)].map((one) => JSON.stringify(one));
    if (here === there && state.children.size === known.children.size) return;
    this.#find('the events that are stored do not give the state');
  }

  #end(known: PortfolioState | undefined): void {
    const state = this.#replay?.state;
    if (state !== undefined) this.findings.push(...checkState(state));
    if (known !== undefined && this.#version < known.version) {
      this.#find(`${this.#version} events are stored, which is fewer than are durable`);
    }
    const { snapshot } = this.#parts;
    if (snapshot !== undefined && snapshot.version > this.#version) {
      this.#wrongSnapshot(snapshot, `is ahead of the ${this.#version} events that are stored`);
    }
    const last = this.#parts.seals.reduce<KnownSeal | undefined>(
      (most, seal) => (seal.version > (most?.version ?? 0) ? seal : most),
      undefined,
    );
    if (last !== undefined && this.#version < last.version) {
      const { version, by = 'sealed' } = last;
      this.#find(`${this.#version} events are stored of ${version} that were ${by}`);
    }
  }

  /** Events and row are written together: what is stored lies between the row before the walk and the row after it. */
  #compareRow(now: number | undefined): void {
    const least = this.#stated ?? 0;
    if (this.#version === 0 && now === undefined) return;
    if (this.#version >= least && now !== undefined && this.#version <= now) return;
    this.#find('the row of the portfolio does not state as many events as are stored');
  }

  #find(detail: string, only?: Finding['only']): void {
    if (this.findings.some((known) => known.detail === detail)) return;
    this.findings.push({ invariant: 'I15', detail, only });
  }
}

/** The text that the chain is hashed over, independent of the order in which the store returns members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
