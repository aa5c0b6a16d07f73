// At a start, finds what the venues have of this deployment since the ledger's last event and the ledger does not know. The
// account is halted then until somebody activates it: its portfolios would order again what they have already traded.
import type { VenueOrder, VenueTrade } from '../../core/order/venue-report.ts';
import type { Replay } from '../../core/portfolio/aggregate/replay.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { EventsArchived } from '../../ports/archive/archived-reads.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import { labelledTradesSince } from '../../ports/trades-since.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { type AccountId, labelPrefix, type PortfolioId, parseRfqLabel } from '../../values/ids.ts';
import { earliest, type Instant, instant, isoText, later } from '../../values/instant.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { TradingSwitches } from '../kill-switch/trading-switches.ts';
import type { UnaccountedOrders } from '../orders/execution-reports.ts';
import { type Ownership, ownsAccount } from '../ownership/ownership.ts';
import {
  CHOICE_MARK,
  type ChosenOrders,
  merged,
  parsedMark,
  portfolioOfLabel,
  RESTORED_MARK,
  type RestoredMark,
  sumByLeg,
  type Unaccounted,
  unaccountedMark,
} from './unaccounted.ts';

export interface FindUnaccountedOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'getMetadata' | 'setMetadata' | 'changedAt' | 'row'>;
  readonly observer: Observer;
  readonly settings: Pick<Settings, 'deployment' | 'readLagMs'>;
  readonly venues: Pick<VenueDirectory, 'accounts'>;
  readonly ownership: Pick<Ownership, 'owns'>;
  readonly switches: Pick<TradingSwitches, 'set'>;
  /** The stored history of a portfolio. */
  readonly replayed: (
    portfolio: PortfolioId,
  ) => Promise<Pick<Replay, 'child' | 'state'> | undefined>;
}

/** `undefined`: the ledger does not know the portfolio. */
type History = Pick<Replay, 'child' | 'state'> | 'archived' | undefined;

/** A row may be stored a second after its turn, and the venue's clock may differ by as much as is allowed. */
const OVERLAP_MS = 5_000;
const BY = { uid: 'recovery', nickname: 'recovery' };

export class FindUnaccounted implements EngineComponent, UnaccountedOrders {
  readonly #options: FindUnaccountedOptions;
  /** Accounts that are still to be compared, with the instant from which trades may be missing. */
  readonly #pending = new Map<AccountId, Instant>();
  readonly #known = new Map<AccountId, Unaccounted>();
  readonly #labels = new Set<string>();
  #choice: ChosenOrders | undefined;
  /** Settled once it is known how old the ledger is. */
  readonly #started = Promise.withResolvers<void>();

  constructor(options: FindUnaccountedOptions) {
    this.#options = options;
    // Unexamined: `start` rejects with the same error, and so does every later wait for it.
    this.#started.promise.catch(() => undefined);
  }

  /** Reads how old the ledger is, before anything of this start is written to it. Rejects if the ledger does. */
  async start(): Promise<void> {
    try {
      await this.#readAge();
    } catch (error) {
      this.#started.reject(error);
      throw error;
    }
    this.#started.resolve();
  }

  async #readAge(): Promise<void> {
    const { ledger, venues, ownership } = this.#options;
    await this.#readChoice();
    const restored = parsedMark<RestoredMark>(await ledger.getMetadata(RESTORED_MARK));
    for (const account of venues.accounts?.() ?? []) {
      const known = parsedMark<Unaccounted>(await ledger.getMetadata(unaccountedMark(account)));
      if (known !== undefined) this.#note(known);
      if (!ownsAccount(ownership, account)) continue;
      const last = await ledger.changedAt(account);
      const takenAt = restored && instant(Date.parse(restored.takenAt));
      const isChecked = known !== undefined && takenAt !== undefined && known.checkedAt > takenAt;
      const since = takenAt === undefined || isChecked ? last : earliest(last ?? takenAt, takenAt);
      if (since !== undefined) this.#pending.set(account, later(since, -OVERLAP_MS));
    }
  }

  /** Whether the label is of an order that the ledger does not know and that was found at a start. */
  isUnaccounted(label: string): boolean {
    return this.#labels.has(label);
  }

  /** Whether the order stays open: of a portfolio that the ledger does not know, if that was chosen. */
  async leaves({ label }: Pick<VenueOrder, 'label'>): Promise<boolean> {
    if (!this.#labels.has(label)) return false;
    await this.#readChoice();
    if (this.#choice?.orders !== 'leave') return false;
    const portfolio = portfolioOfLabel(label);
    return ![...this.#known.values()].some(({ legs }) =>
      legs.some((leg) => leg.isInLedger && leg.portfolio === portfolio),
    );
  }

  /** Whether the halt cancels no orders at the venue: it is of the recovery, or older than the choice to leave them. */
  spares({ by, at }: Pick<SwitchSetting, 'by' | 'at'>): boolean {
    if (this.#choice?.orders !== 'leave') return false;
    return by.uid === BY.uid || at <= this.#choice.at;
  }

  /**
   * Compares the venue with the ledger once after a start; `open` are its open orders that no portfolio has. Returns
   * false if the venue does not list its trades: nothing may be placed for the account before. An account may be connected,
   * and compared, before the start is over: then it waits for that.
   */
  async check(venue: Venue, account: AccountId, open: readonly VenueOrder[]): Promise<boolean> {
    await this.#started.promise;
    const since = this.#pending.get(account);
    if (since === undefined) return true;
    const { clock, settings, observer } = this.#options;
    const prefix = labelPrefix(settings.deployment);
    const told = await labelledTradesSince(venue, account, since);
    if (told.kind !== 'done') {
      const why = told.kind === 'refused' ? told.message : told.reason;
      observer.observe({ event: 'failed', where: 'unaccounted', error: new Error(why) });
      return false;
    }
    const histories = new Map<PortfolioId, History>();
    const isMissing = async ({ label }: { readonly label: string }): Promise<boolean> => {
      const portfolio = label.startsWith(prefix) ? portfolioOfLabel(label) : undefined;
      if (portfolio === undefined) return false;
      if (!histories.has(portfolio)) histories.set(portfolio, await this.#historyOf(portfolio));
      const history = histories.get(portfolio);
      if (history === 'archived') return false;
      // The legs of a block are booked by their RFQ, which the portfolio asks the venue for.
      if (parseRfqLabel(label) !== undefined) return history === undefined;
      return history?.child(label) === undefined;
    };
    const orders = await filtered(open, isMissing);
    const trades = await filtered<VenueTrade>(told.value, isMissing);
    const isInLedger = (portfolio: PortfolioId): boolean => histories.get(portfolio) !== undefined;
    const labels = [...new Set([...orders, ...trades].map(({ label }) => label))];
    const found = { account, since, checkedAt: clock.now(), labels };
    await this.#found({ ...found, legs: sumByLeg(orders, trades, isInLedger) });
    this.#pending.delete(account);
    return true;
  }

  /** A portfolio whose day was archived has ended, and its row stays. */
  async #historyOf(portfolio: PortfolioId): Promise<History> {
    const { ledger, replayed } = this.#options;
    try {
      const history = await replayed(portfolio);
      if (history !== undefined) return history;
    } catch (error) {
      if (error instanceof EventsArchived) return 'archived';
      throw error;
    }
    return (await ledger.row(portfolio)) === undefined ? undefined : 'archived';
  }

  async #found(found: Unaccounted): Promise<void> {
    const { ledger, observer, switches } = this.#options;
    const { account, since, checkedAt, legs } = found;
    const before = this.#known.get(account);
    const isNew = found.labels.some((label) => !this.#labels.has(label));
    if (!isNew && before !== undefined) return;
    const now = merged(before, found);
    if (isNew) {
      const orders = legs.reduce((sum, leg) => sum + leg.orders, 0);
      const trades = legs.reduce((sum, leg) => sum + leg.trades, 0);
      const portfolios = new Set(legs.map(({ portfolio }) => portfolio)).size;
      observer.observe({
        event: 'ledger_behind',
        account,
        since: isoText(instant(since)),
        orders,
        trades,
        portfolios,
      });
      const reason =
        `the ledger does not know ${orders} open orders and ${trades} trades of ${portfolios} portfolios at the venue ` +
        `since ${isoText(instant(since))}: see twapd ledger unaccounted`;
      await switches.set({
        scope: 'account',
        of: account,
        state: 'halted',
        by: BY,
        reason,
        at: instant(checkedAt),
      });
    }
    await ledger.setMetadata(unaccountedMark(account), JSON.stringify(now));
    this.#note(now);
  }

  #note(found: Unaccounted): void {
    this.#known.set(found.account, found);
    for (const label of found.labels) this.#labels.add(label);
  }

  async #readChoice(): Promise<void> {
    this.#choice = parsedMark(await this.#options.ledger.getMetadata(CHOICE_MARK));
  }
}

async function filtered<T>(
  all: readonly T[],
  isWanted: (one: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const wanted: T[] = [];
  for (const one of all) if (await isWanted(one)) wanted.push(one);
  return wanted;
}
