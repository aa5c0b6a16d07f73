// What each daemon may not send yet after its start (I24), derived from what was durable when it started and what the
// venue has reported to it since, not from the daemon's own recovery barrier.
import type { ChildOrder } from '../../../src/core/order/child-order.ts';
import { type AccountId, type PortfolioId, parseChildLabel } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { Requested } from '../world/venue-of-life.ts';
import type { PortfolioBook } from './portfolio-book.ts';

/** Of one life: what was not known when it began, and is not yet. */
interface Unknowns {
  readonly accounts: Map<AccountId, PortfolioBook[]>;
  /** Requests without an outcome: the order itself, or the edit with this number. */
  readonly requests: Map<PortfolioId, Map<string, 'order' | number>>;
}

export class StartOracle {
  readonly #books: ReadonlyMap<PortfolioId, PortfolioBook>;
  readonly #reportBreach: ReportBreach;
  readonly #unknowns = new Map<number, Unknowns>();

  constructor(books: ReadonlyMap<PortfolioId, PortfolioBook>, reportBreach: ReportBreach) {
    this.#books = books;
    this.#reportBreach = reportBreach;
  }

  /** A life of the daemon with this index begins. */
  begun(daemon: number): void {
    const unknowns: Unknowns = { accounts: new Map(), requests: new Map() };
    this.#unknowns.set(daemon, unknowns);
    for (const book of this.#books.values()) {
      const { accountId, mirrorOf } = book.state.spec;
      if (book.isOver || mirrorOf !== undefined) continue;
      unknowns.accounts.set(accountId, [...(unknowns.accounts.get(accountId) ?? []), book]);
      const open = [...book.state.children.values()].flatMap((child) => {
        const what = withoutOutcome(child);
        return what === undefined ? [] : [[child.label, what] as const];
      });
      if (open.length > 0) unknowns.requests.set(book.id, new Map(open));
    }
  }

  /** The venue has told the daemon what is open of the account. */
  listed(daemon: number, account: AccountId): void {
    this.#unknowns.get(daemon)?.accounts.delete(account);
  }

  requested(daemon: number, { method, request }: Requested): void {
    const unknowns = this.#unknowns.get(daemon);
    if (unknowns === undefined || method === 'cancel' || method === 'create_rfq') return;
    const what = `${method} of ${request.account}`;
    // One that ended meanwhile may never have been taken up.
    const before = unknowns.accounts.get(request.account)?.find((book) => !book.isOver);
    if (before !== undefined) {
      this.#reportBreach(
        'I24',
        `${what} sent before what is open of portfolio ${before.id} was asked`,
      );
    }
    if (method === 'place') this.#judgePlace(unknowns, request.label);
  }

  #judgePlace({ requests }: Unknowns, label: string): void {
    const portfolio = parseChildLabel(label)?.portfolio;
    const open = portfolio && requests.get(portfolio);
    if (!portfolio || !open) return;
    const children = this.#books.get(portfolio)?.state.children;
    for (const [asked, what] of open) {
      const child = [...(children?.values() ?? [])].find((one) => one.label === asked);
      if (child !== undefined && withoutOutcome(child) === what) {
        this.#reportBreach('I24', `${label} sent before the outcome of ${asked} was known`);
      } else open.delete(asked);
    }
  }
}

function withoutOutcome({ state, edit }: ChildOrder): 'order' | number | undefined {
  if (state === 'sending' || state === 'unknown') return 'order';
  return state === 'live' ? edit?.number : undefined;
}
