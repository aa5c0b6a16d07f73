// Audits continuously, alongside the normal work: the ledger against itself, and our record against the venues'. Of
// the data the engine works with, it trusts only the ledger. A breach is reported at once and halts its portfolio
// or account; a position that does not come to agree reduces its account.

import type { VenueTrade } from '../../core/order/venue-report.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Replay } from '../../core/portfolio/aggregate/replay.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { Delays } from '../../lifetime/delays.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { AuditBaselines, AuditReads, ChainWitness } from '../../ports/audit-reads.ts';
import type { AuditSeals, ChainHash } from '../../ports/audit-seals.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { FollowStates, Observer, StateChange } from '../../ports/observer.ts';
import type { StateSnapshots } from '../../ports/snapshots/state-snapshots.ts';
import type { VenueNotice } from '../../ports/trading-desk.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';
import type { TradingSwitches } from '../kill-switch/trading-switches.ts';
import type { Yielding } from '../overload/overload-deferral.ts';
import { type Ownership, ownsAccount, SOLE_OWNER } from '../ownership/ownership.ts';
import { checkState, type Finding, type Findings } from './audit-portfolio.ts';
import { PositionAudit } from './audit-positions.ts';
import { ReplayAudit } from './audit-replay.ts';
import { GRACE_MS, portfolioOf, VenueAudit } from './audit-venue.ts';

export interface AuditorOptions {
  readonly clock: Clock;
  readonly venues: VenueDirectory;
  readonly observer: Observer;
  readonly settings: Pick<Settings, 'deployment' | 'readLagMs'>;
  readonly switches: Pick<TradingSwitches, 'set' | 'settings'>;
  readonly reads: AuditReads;
  readonly seals: AuditSeals;
  readonly witness: ChainWitness;
  readonly baselines: AuditBaselines;
  readonly hash: ChainHash;
  /** Snapshots that do not say what the events give are reported and deleted. */
  readonly snapshots: Pick<StateSnapshots, 'of' | 'delete'>;
  /** Reports the active portfolios of this process, as committed, and how they change. */
  readonly follow: FollowStates;
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
  /** Has the next turn of the portfolio start from what is stored. */
  readonly refresh: (portfolio: PortfolioId) => void;
  /** The stored history of a portfolio, folded, whatever this process has in memory. */
  readonly replayed: (portfolio: PortfolioId) => Promise<Replay | undefined>;
  /**
   * Everything this process received for the portfolio before the returned instant is stored; later reports may
   * wait for the ledger.
   */
  readonly durableTo: (portfolio: PortfolioId) => Instant;
  /** Records a trade whose notice did not arrive, as if it had just arrived. */
  readonly recordMissed: (trade: VenueTrade) => void;
  /** Whether the ledger is known not to have the order, which is then no finding. */
  readonly isUnaccounted: (label: string) => boolean;
  /** Accounts of other daemons are audited by them. */
  readonly ownership: Pick<Ownership, 'owns'>;
  /** Whether a round is left out because the process is overloaded. */
  readonly yielding: Pick<Yielding, 'leavesOut'>;
  /** The delay between two rounds. */
  readonly everyMs: number;
}

const STATES_AT_ONCE = 25;
/** Longer than an account may be without a daemon that works it, and longer than a round. */
const LOOK_BACK_MS = 60_000;
/** A venue may list a trade a little late, even if it claims not to. */
const OVERLAP_MS_MIN = 1_000;
/** The maximum number of distinct breaches reported; more than can realistically occur together. */
const TOLD_MAX = 10_000;
/** A breach that persists is reported again at this interval. */
const TOLD_AGAIN_MS = 60_000;

interface Broken extends Finding {
  readonly account?: AccountId | undefined;
  readonly portfolio?: PortfolioId | undefined;
}

interface CheckResult {
  readonly found: readonly Broken[];
  /** Accounts whose venue did not answer. */
  readonly unanswered: number;
}

/** The audits of one account against its venue. */
interface AccountAudit {
  readonly venue: VenueAudit;
  readonly position: PositionAudit;
}

export class Auditor implements Lifetime {
  readonly #parts: AuditorOptions;
  readonly #audits = new Map<AccountId, AccountAudit>();
  readonly #replays: ReplayAudit;
  /** Committed states that are still to be checked. One that breaks an invariant is checked again while it lasts. */
  readonly #unchecked = new Map<PortfolioId, PortfolioState>();
  /** Accounts that had an active portfolio since the start. */
  readonly #accounts = new Set<AccountId>();
  /** When each breach was last reported, on the monotonic clock. */
  readonly #told = new Map<string, number>();
  readonly #delays: Delays;
  readonly #rounds = new InFlight();
  #stopTimer: StopTimer = () => undefined;
  #unfollow = (): void => undefined;
  #unsubscribe: readonly (() => void)[] = [];
  #isStopped = false;

  constructor(parts: AuditorOptions) {
    this.#parts = parts;
    this.#delays = new Delays(parts.clock);
    this.#replays = new ReplayAudit({ ...parts, breathe: () => this.#breathe() });
  }

  /** The first round begins after the usual delay. */
  start(): Promise<void> {
    this.#unfollow = this.#parts.follow((change) => this.#changed(change));
    this.#unsubscribe = this.#parts.venues
      .all()
      .map((venue) => venue.subscribe((notice) => this.#noticed(notice)));
    this.#replays.started();
    this.#again();
    return Promise.resolve();
  }

  /** Completes the round in progress, without its pauses. */
  drain(): Promise<void> {
    this.stop();
    return this.#rounds.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
    this.#unfollow();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#delays.end();
  }

  /** Runs one round of every check; never rejects. */
  async round(): Promise<void> {
    await this.#check('state', async () => ({ found: await this.#states(), unanswered: 0 }));
    await this.#check('ledger', async () => ({
      found: await this.#replays.check(),
      unanswered: 0,
    }));
    const accounts = this.#audited();
    await this.#check('venue', () => this.#each(accounts, ({ venue }) => venue.check()));
    await this.#check('position', () => this.#each(accounts, ({ position }) => position.check()));
  }

  #changed(change: StateChange): void {
    const { before, after, resting } = change;
    this.#replays.changed(change);
    if (resting !== undefined) this.#accounts.add(resting.account);
    else if (after !== undefined) {
      this.#unchecked.set(after.id, after);
      if (after.spec.mirrorOf === undefined) this.#accounts.add(after.spec.accountId);
    } else if (before !== undefined) this.#unchecked.delete(before.id);
  }

  /** A liquidation moves positions without orders: the account is compared at once. */
  #noticed(notice: VenueNotice): void {
    if (notice.kind !== 'account' || notice.liquidation === undefined) return;
    const { account, liquidation } = notice;
    if (!ownsAccount(this.#parts.ownership, account)) return;
    const audit = this.#auditOf(account);
    if (audit === undefined) return;
    audit.position.noteLiquidation(liquidation);
    void this.#rounds.track(this.#compareNow(account));
  }

  /** Not a run of the check, which covers every account. */
  async #compareNow(account: AccountId): Promise<void> {
    const { observer } = this.#parts;
    try {
      const { found } = await this.#each(new Set([account]), ({ position }) => position.check());
      for (const breach of found) this.#report(breach);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'audit.liquidation', error });
    }
  }

  #again(): void {
    const { clock, everyMs, yielding } = this.#parts;
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), everyMs), () => {
      if (yielding.leavesOut()) return this.#again();
      void this.#rounds.track(this.round()).then(() => this.#again());
    });
  }

  /** Checks what has changed since the last round, in batches, and yields to other work between them. */
  async #states(): Promise<readonly Broken[]> {
    const states = [...this.#unchecked.values()];
    const found: Broken[] = [];
    for (const [index, state] of states.entries()) {
      if (index > 0 && index % STATES_AT_ONCE === 0) await this.#breathe();
      const findings = checkState(state);
      if (findings.length === 0 && this.#unchecked.get(state.id) === state) {
        this.#unchecked.delete(state.id);
      }
      found.push(...findings.map((finding) => ({ ...finding, ...namesOf(state) })));
    }
    return found;
  }

  #breathe(): Promise<void> {
    return this.#delays.wait(1);
  }

  #audited(): ReadonlySet<AccountId> {
    const { venues, ownership } = this.#parts;
    const known = new Set([
      ...(venues.accounts?.() ?? []),
      ...this.#audits.keys(),
      ...this.#accounts,
    ]);
    // What an audit remembers of an account is as old as the account was of another daemon.
    for (const account of known) {
      if (ownsAccount(ownership, account)) continue;
      known.delete(account);
      this.#audits.delete(account);
    }
    return known;
  }

  /** Checks all accounts in parallel. */
  async #each(
    accounts: ReadonlySet<AccountId>,
    find: (audit: AccountAudit) => Promise<Findings<Broken>>,
  ): Promise<CheckResult> {
    const all = await Promise.all(
      [...accounts].map(async (account): Promise<Findings<Broken>> => {
        const audit = this.#auditOf(account);
        // No venue is configured for it any more: there is nobody to ask.
        if (audit === undefined) return { found: [], isAnswered: true };
        const { found, isAnswered } = await find(audit);
        return { found: found.map((finding) => ({ ...finding, account })), isAnswered };
      }),
    );
    return {
      found: all.flatMap(({ found }) => found),
      unanswered: all.filter(({ isAnswered }) => !isAnswered).length,
    };
  }

  #auditOf(account: AccountId): AccountAudit | undefined {
    const { venues, settings, clock, peek, replayed, durableTo, baselines, isUnaccounted } =
      this.#parts;
    const { ownership } = this.#parts;
    const known = this.#audits.get(account);
    const venue = venues.forAccount(account);
    if (known !== undefined || venue === undefined) return known;
    const overlapMs = Math.max(OVERLAP_MS_MIN, settings.readLagMs);
    const audit = {
      venue: new VenueAudit(venue, account, {
        deployment: settings.deployment,
        storedOf: replayed,
        durableTo,
        overlapMs,
        lookBackMs: ownership === SOLE_OWNER ? 0 : LOOK_BACK_MS,
        isUnaccounted,
        stateOf: async (portfolio) => peek(portfolio) ?? (await replayed(portfolio))?.state,
        handOver: (trade) => this.#handOver(account, trade),
        now: () => clock.now(),
      }),
      position: new PositionAudit(venue, account, {
        baselines,
        overlapMs,
        graceMs: Math.max(GRACE_MS, overlapMs),
      }),
    };
    this.#audits.set(account, audit);
    return audit;
  }

  #handOver(account: AccountId, trade: VenueTrade): void {
    const { observer, recordMissed } = this.#parts;
    const { label, tradeId } = trade;
    observer.observe({
      event: 'trade_handed_over',
      account,
      portfolio: portfolioOf(label),
      label,
      tradeId,
    });
    recordMissed(trade);
  }

  async #check(check: string, find: () => Promise<CheckResult>): Promise<void> {
    const { clock, observer } = this.#parts;
    const fromMs = clock.monotonicMs();
    try {
      const { found, unanswered } = await find();
      for (const breach of found) this.#report(breach);
      const elapsedMs = clock.monotonicMs() - fromMs;
      const breaches = found.length;
      observer.observe({ event: 'audit_ran', check, breaches, unanswered, elapsedMs });
    } catch (error) {
      observer.observe({ event: 'failed', where: `audit.${check}`, error });
    }
  }

  #report(breach: Broken): void {
    const { observer, switches, clock } = this.#parts;
    const { invariant, detail, account, portfolio } = breach;
    const name = `${invariant} ${portfolio ?? account ?? ''} ${detail}`;
    const toldMs = this.#told.get(name);
    const nowMs = clock.monotonicMs();
    if (toldMs === undefined ? this.#told.size >= TOLD_MAX : nowMs < toldMs + TOLD_AGAIN_MS) return;
    this.#told.set(name, nowMs);
    observer.observe({ event: 'audit_breached', invariant, detail, account, portfolio });
    // An operator who lifts the halt of a reported breach has the last word: it is not set again.
    if (toldMs !== undefined || breach.only === 'report') return;
    const over =
      portfolio === undefined
        ? ({ scope: 'account', of: account ?? '' } as const)
        : ({ scope: 'portfolio', of: portfolio } as const);
    const state = breach.only === 'reduce' ? 'reducing' : 'halted';
    // An existing halt, whatever its reason, is not weakened.
    const isThere = switches.settings().some((one) => isSame(one, over) && one.state === 'halted');
    if (state === 'reducing' && isThere) return;
    const by = { uid: '', nickname: 'auditor' };
    const reason = cutText(`${invariant}: ${detail}`, 200);
    switches
      .set({ ...over, state, by, reason, at: clock.now() })
      .catch((error: unknown) => observer.observe({ event: 'failed', where: 'audit.halt', error }));
  }
}

type Over = Pick<SwitchSetting, 'scope' | 'of'>;

const isSame = (one: Over, other: Over): boolean =>
  one.scope === other.scope && one.of === other.of;

const namesOf = ({ id, spec }: PortfolioState) => ({ portfolio: id, account: spec.accountId });
