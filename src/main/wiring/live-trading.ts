// Trading with real money: a ledger that never traded at such a venue starts with the deployment `reducing`, until an
// operator activates it, and accounts, limits and equity are written to the log when an account is first connected.
import {
  isStricter,
  NO_SWITCHES,
  type SwitchSetting,
  stateOf,
  withSetting,
} from '../../core/risk/trading-switch.ts';
import type { TradingSwitches } from '../../engine/kill-switch/trading-switches.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { type AccountId, accountId } from '../../values/ids.ts';
import { CLI_NAME } from '../cli-name.ts';
import type { Config } from '../config/config.ts';
import { equityOf, equityText } from './equity.ts';

interface LiveLog {
  warn(fields: object, message: string): void;
}

export interface LiveTradingOptions {
  readonly config: Pick<Config, 'accounts' | 'limits' | 'controls'>;
  readonly ledger: Pick<Ledger, 'getMetadata' | 'initMetadata'>;
  readonly switches: Pick<TradingSwitches, 'settings' | 'set'>;
  readonly clock: Clock;
  readonly log: LiveLog;
}

export class LiveTrading {
  readonly #parts: LiveTradingOptions;
  /** By venue at which real money is traded; resolved once it is certain that this ledger may trade there. */
  readonly #found = new Map<string, Promise<void>>();
  readonly #announced = new Set<AccountId>();

  constructor(parts: LiveTradingOptions) {
    this.#parts = parts;
  }

  /** Called before the login at each connection to such a venue; rejects if the ledger is unavailable. */
  found(venue: string): Promise<void> {
    const holding = this.#found.get(venue) ?? this.#hold(venue);
    this.#found.set(venue, holding);
    // The next connection tries again. Unexamined: the caller gets the same promise, and so its error.
    holding.catch(() => this.#found.delete(venue));
    return holding;
  }

  /** Writes a line for each account with real money, now or once it is connected. */
  announce(venues: VenueDirectory): void {
    for (const { id, dummy } of this.#parts.config.accounts) {
      if (dummy) continue;
      const account = accountId(id);
      const venue = venues.forAccount(account);
      if (venue === undefined) continue;
      const attempt = (): void => void this.#announce(venue, account);
      attempt();
      venue.subscribe((notice) => {
        if (notice.kind === 'reconnected' && notice.accounts.includes(account)) attempt();
      });
    }
  }

  async #hold(venue: string): Promise<void> {
    const { ledger, switches, clock, log } = this.#parts;
    const mark = `live-venue:${venue}`;
    if ((await ledger.getMetadata(mark)) !== undefined) return;
    const now = clock.now();
    const setting: SwitchSetting = {
      scope: 'deployment',
      of: '',
      state: 'reducing',
      by: { uid: '', nickname: 'first start' },
      reason: `venue ${venue} trades real money and this ledger never traded there`,
      at: now,
    };
    // Never loosens a halt.
    if (isStricter(setting.state, stateOf(settingsBy(switches), setting))) {
      await switches.set(setting);
    }
    // Only afterwards: a process killed in between must hold again.
    await ledger.initMetadata(mark, String(now));
    log.warn(
      { venue },
      `real money: this ledger never traded at ${venue}; only orders that reduce a position are sent until: ${CLI_NAME} switch activate --reason TEXT`,
    );
  }

  async #announce(venue: Venue, account: AccountId): Promise<void> {
    if (!this.#found.has(venue.name) || this.#announced.has(account)) return;
    this.#announced.add(account);
    const { config, log } = this.#parts;
    const equity = await equityOf(venue, account);
    if (equity.kind === 'unknown') this.#announced.delete(account);
    const { limits, controls } = config;
    log.warn(
      {
        venue: venue.name,
        account,
        name: config.accounts.find(({ id }) => accountId(id) === account)?.name,
        equity: equityText(equity),
        orderUsdMax: limits.orderUsdMax,
        legUsdMax: limits.legUsdMax,
        grossUsdMax: controls.grossUsdMax[account] ?? controls.grossUsdMax['*'],
        slippageUsdMax: controls.slippageUsdMax[account] ?? controls.slippageUsdMax['*'],
        positionMax: controls.positionMax,
      },
      `real money: account ${account} trades at ${venue.name}; equity ${equityText(equity)}`,
    );
  }
}

const settingsBy = (switches: Pick<TradingSwitches, 'settings'>) =>
  switches.settings().reduce(withSetting, NO_SWITCHES);
