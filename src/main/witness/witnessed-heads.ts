// What a witness outside the database has: its heads in order, each with a right signature, and what they say of each portfolio.
import type { KeyObject } from 'node:crypto';
import type { Finding } from '../../engine/audit/audit-portfolio.ts';
import type { KnownSeal, LateEvent } from '../../engine/audit/audit-walk.ts';
import { IDS_PER_MS } from '../../ports/archive/submit-day.ts';
import { type PortfolioId, portfolioId } from '../../values/ids.ts';
import { type Instant, instant, isoText } from '../../values/instant.ts';
import { type LedgerHead, lineDigest, readHead } from './signed-head.ts';

/** What a finding is about if not a portfolio. */
export type HeadSubject = 'witness' | 'ledger' | 'actions' | 'switches' | 'keys';

export type HeadFinding = Finding & { readonly portfolio: HeadSubject };

/** A commit takes less than this from the instant in its events, or in the id of its portfolio. */
const COMMIT_MS_MAX = 60_000;

export const broken = (portfolio: HeadSubject, detail: string): HeadFinding => ({
  portfolio,
  invariant: 'I15',
  detail,
});

export class WitnessedHeads {
  readonly findings: HeadFinding[] = [];
  readonly heads: LedgerHead[] = [];
  /** The last line as it is at the witness. */
  readonly lines = new Map<number, string>();
  readonly #seals = new Map<PortfolioId, KnownSeal[]>();
  #previous: string | undefined;

  static async read(
    lines: AsyncIterable<string>,
    publicKeys: readonly KeyObject[],
  ): Promise<WitnessedHeads> {
    const read = new WitnessedHeads();
    let count = 0;
    for await (const line of lines) {
      count += 1;
      read.#add(line, count, publicKeys);
    }
    if (count === 0) read.findings.push(broken('witness', 'the witness has no heads'));
    return read;
  }

  get count(): number {
    return this.heads.length;
  }

  portfolios(): Iterable<PortfolioId> {
    return this.#seals.keys();
  }

  sealsOf(portfolio: PortfolioId): readonly KnownSeal[] {
    // One without a hash says that the portfolio is there, and how many events it has.
    return (this.#seals.get(portfolio) ?? []).filter(({ hash }) => hash !== '');
  }

  /** The number of events that the newest head with the portfolio has; 0 if none has it. */
  newestOf(portfolio: PortfolioId): number {
    return this.#seals.get(portfolio)?.at(-1)?.version ?? 0;
  }

  /** When the newest head was made that left nothing older for the next. */
  get wholeAt(): Instant | undefined {
    const newest = this.heads.findLast(({ isWhole }) => isWhole);
    return newest && instant(Date.parse(newest.at));
  }

  /** An event that no head has although it is older than heads that have everything. */
  addedAfter(portfolio: PortfolioId, late: LateEvent | undefined): readonly Finding[] {
    const { wholeAt } = this;
    if (wholeAt === undefined || late === undefined) return [];
    const submittedAt = Math.floor(Number(portfolio) / IDS_PER_MS);
    const isNew = !this.#seals.has(portfolio);
    const at = isNew ? Math.min(late.at, submittedAt) : late.at;
    if (at >= wholeAt - COMMIT_MS_MAX) return [];
    const what = isNew ? 'the portfolio' : `event ${late.version}`;
    const detail = `${what} is of ${isoText(instant(at))} and in no head, although the one of ${isoText(wholeAt)} has all: inserted afterwards`;
    return [{ invariant: 'I15', detail }];
  }

  #add(line: string, place: number, publicKeys: readonly KeyObject[]): void {
    const head = readHead(line, publicKeys);
    const before = this.#previous;
    this.#previous = lineDigest(line);
    if ('fault' in head) {
      this.findings.push(broken('witness', `line ${place} of the witness ${head.fault}`));
      return;
    }
    const { number, previous } = head;
    if (number !== place) {
      this.findings.push(broken('witness', `line ${place} of the witness is head ${number}`));
    }
    if (previous !== (before ?? '')) {
      this.findings.push(broken('witness', `head ${number} does not follow the line before it`));
    }
    const [first] = this.heads;
    if (first !== undefined && first.ledger !== head.ledger) {
      this.findings.push(broken('witness', `head ${number} is of another ledger, ${head.ledger}`));
    }
    this.heads.push(head);
    this.lines.set(number, line);
    for (const [id, version, hash] of head.portfolios) {
      const portfolio = portfolioId(id);
      const seal = { version, hash, by: `witnessed by head ${number}` };
      const others = this.#seals.get(portfolio);
      if (others === undefined) this.#seals.set(portfolio, [seal]);
      else others.push(seal);
    }
  }
}
