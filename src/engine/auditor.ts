// Looks at what was done, all the time and beside the work: the ledger against itself, our record against
// the venues'. It trusts nothing the work goes by but the ledger. What it finds broken is told at once and
// halts what it concerns.
import type { Settings } from '../core/portfolio/settings.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/state.ts';
import type { AuditSeals, ChainHash } from '../ports/audit-seals.ts';
import type { Clock, StopTimer } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Observer } from '../ports/observer.ts';
import type { VenueDirectory } from '../ports/venue.ts';
import type { AccountId, PortfolioId } from '../values/ids.ts';
import { later } from '../values/instant.ts';
import { checkReplay, checkSeal, checkState, type Finding } from './audit-portfolio.ts';
import { VenueAudit } from './audit-venue.ts';
import type { TradingSwitches } from './trading-switches.ts';

export interface AuditorParts {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'load'>;
  readonly venues: VenueDirectory;
  readonly observer: Observer;
  readonly settings: Pick<Settings, 'deployment'>;
  readonly switches: Pick<TradingSwitches, 'set'>;
  readonly seals: AuditSeals;
  readonly hash: ChainHash;
  /** Portfolios at work in this process, as they are committed. */
  readonly states: () => Iterable<PortfolioState>;
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
  /** What is stored of a portfolio this process does not have. */
  readonly stored: (portfolio: PortfolioId) => Promise<PortfolioState | undefined>;
  /** Rest between two rounds. */
  readonly everyMs: number;
}

/** Portfolios read again from the ledger in one round; all of them in turn. */
const REPLAYS_A_ROUND = 5;
/** Folding more events in one go would hold up what is due meanwhile. */
const REPLAYED_EVENTS_MAX = 2_000;
const STATES_AT_ONCE = 25;
/** Breaches told once each; more than ever happen together. */
const TOLD_MAX = 10_000;

interface Broken extends Finding {
  readonly account?: AccountId | undefined;
  readonly portfolio?: PortfolioId | undefined;
}

export class Auditor {
  readonly #parts: AuditorParts;
  readonly #audits = new Map<AccountId, VenueAudit>();
  readonly #told = new Set<string>();
  #lastReplayed: PortfolioId | undefined;
  #stopTimer: StopTimer = () => undefined;
  #isStopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: AuditorParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#again();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#round;
  }

  /** One round of every check; never rejects. */
  async round(): Promise<void> {
    const states = [...this.#parts.states()].filter(({ status }) => !isTerminal(status));
    await this.#check('state', () => this.#states(states));
    await this.#check('ledger', () => this.#replays(states));
    await this.#check('venue', () => this.#venues(states));
  }

  #again(): void {
    const { clock, everyMs } = this.#parts;
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), everyMs), () => {
      this.#round = this.round().then(() => this.#again());
    });
  }

  /** Some at a time: between them the work goes on. */
  async #states(states: readonly PortfolioState[]): Promise<readonly Broken[]> {
    const found: Broken[] = [];
    for (const [index, state] of states.entries()) {
      if (index > 0 && index % STATES_AT_ONCE === 0) await this.#breathe();
      found.push(...checkState(state).map((finding) => ({ ...finding, ...namesOf(state) })));
    }
    return found;
  }

  #breathe(): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), 1), done));
  }

  /** A few of them, beginning behind the last of the round before. */
  async #replays(states: readonly PortfolioState[]): Promise<readonly Broken[]> {
    const { ledger, seals, hash, peek } = this.#parts;
    const short = states.filter(({ version }) => version <= REPLAYED_EVENTS_MAX);
    const sorted = short.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
    const from = sorted.findIndex((id) => Number(id) > Number(this.#lastReplayed ?? 0));
    const turn = [...sorted.slice(Math.max(from, 0)), ...sorted.slice(0, Math.max(from, 0))];
    const found: Broken[] = [];
    for (const id of turn.slice(0, REPLAYS_A_ROUND)) {
      await this.#breathe();
      // Taken before it is read: what is stored can only be further.
      const state = peek(id);
      const stored = await ledger.load(id);
      this.#lastReplayed = id;
      if (state === undefined || stored === undefined) continue;
      const findings = [
        ...checkReplay(stored, state),
        ...(await checkSeal(stored, { seals, hash })),
      ];
      found.push(...findings.map((finding) => ({ ...finding, ...namesOf(state) })));
    }
    return found;
  }

  async #venues(states: readonly PortfolioState[]): Promise<readonly Broken[]> {
    const { venues } = this.#parts;
    const accounts = new Set<AccountId>([...(venues.accounts?.() ?? []), ...this.#audits.keys()]);
    for (const { spec } of states) if (spec.mirrorOf === undefined) accounts.add(spec.accountId);
    const found = await Promise.all(
      [...accounts].map(async (account): Promise<readonly Broken[]> => {
        const audit = this.#auditOf(account);
        const findings = audit === undefined ? [] : await audit.look();
        return findings.map((finding) => ({ ...finding, account }));
      }),
    );
    return found.flat();
  }

  #auditOf(account: AccountId): VenueAudit | undefined {
    const { venues, settings, clock, peek, stored } = this.#parts;
    const known = this.#audits.get(account);
    const venue = venues.forAccount(account);
    if (known !== undefined || venue === undefined) return known;
    const audit = new VenueAudit(venue, account, {
      deployment: settings.deployment,
      stateOf: async (portfolio) => peek(portfolio) ?? (await stored(portfolio)),
      now: () => clock.now(),
    });
    this.#audits.set(account, audit);
    return audit;
  }

  async #check(check: string, look: () => Promise<readonly Broken[]>): Promise<void> {
    const { clock, observer } = this.#parts;
    const fromMs = clock.monotonicMs();
    try {
      const found = await look();
      for (const breach of found) this.#tell(breach);
      const elapsedMs = clock.monotonicMs() - fromMs;
      observer.auditRan({ check, breaches: found.length, elapsedMs });
    } catch (error) {
      observer.failed({ where: `audit.${check}`, error });
    }
  }

  #tell(breach: Broken): void {
    const { observer, switches, clock } = this.#parts;
    const { invariant, detail, account, portfolio } = breach;
    const name = `${invariant} ${portfolio ?? account ?? ''} ${detail}`;
    if (this.#told.has(name) || this.#told.size >= TOLD_MAX) return;
    this.#told.add(name);
    observer.auditBreached({ invariant, detail, account, portfolio });
    const over =
      portfolio === undefined
        ? ({ scope: 'account', of: account ?? '' } as const)
        : ({ scope: 'portfolio', of: portfolio } as const);
    const by = { uid: '', nickname: 'auditor' };
    const reason = `${invariant}: ${detail}`.slice(0, 200);
    switches
      .set({ ...over, state: 'halted', by, reason, at: clock.now() })
      .catch((error: unknown) => observer.failed({ where: 'audit.halt', error }));
  }
}

const namesOf = ({ id, spec }: PortfolioState) => ({ portfolio: id, account: spec.accountId });
