// The controls of one run: the limits in force, the overrides granted at the gates, and the oracles that check them.
import type { Override } from '../../../src/core/risk/gate/overrides.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { Turn } from '../../../src/ports/ledger.ts';
import { quantity, toNumber } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { ControlsOracle, type ControlsOracleOptions } from '../oracles/controls.oracle.ts';
import { ControlsInForce } from '../oracles/controls-in-force.ts';
import { PortfolioLimitsOracle } from '../oracles/portfolio-limits.oracle.ts';
import type { ControlsPlan, OverridePlan } from '../plan/controls-plan.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import type { Doors } from './door-client.ts';
import { letPastByDoor } from './door-operator.ts';

export interface ControlRunParts extends Omit<ControlsOracleOptions, 'inForce'> {
  readonly clock: VirtualClock;
  readonly isReadable: boolean;
  readonly daemons: readonly SimulatedDaemon[];
  /** Absent: overrides are granted directly at the gates. */
  readonly doors: Doors | undefined;
}

const LIFE_MS = 60_000;

export class ControlRun {
  readonly inForce: ControlsInForce;
  readonly orders: ControlsOracle;
  readonly begun: PortfolioLimitsOracle;
  readonly #parts: ControlRunParts;
  readonly #overrides: OverridePlan[];

  constructor(parts: ControlRunParts, plan: ControlsPlan) {
    this.#parts = parts;
    const { clock, daemons } = parts;
    this.inForce = new ControlsInForce(clock, plan);
    this.orders = new ControlsOracle({ ...parts, inForce: this.inForce });
    this.begun = new PortfolioLimitsOracle({
      ...parts,
      inForce: this.inForce,
      nowMs: () => clock.now(),
      upSinceMs: () => daemons[0]?.bornAtMs ?? 0,
      isPrompt: parts.isReadable && this.orders.isHeard,
    });
    this.#overrides = [...plan.overrides];
  }

  heard(event: ExchangeEvent): void {
    if (event.kind === 'trade') this.begun.traded(event.trade);
  }

  /** The turns are durable. */
  written(turns: readonly Turn[]): void {
    for (const { portfolio, fromVersion, events } of turns) {
      const book = this.#parts.books.get(portfolio);
      if (fromVersion === 0 && book !== undefined) this.begun.begun(book);
      for (const event of events) this.begun.happened(portfolio, event);
    }
  }

  /** An order may pass a control: an override was granted at the daemon's gateway. */
  letPast(daemon: SimulatedDaemon, { control, account, side, quantity: most }: Override): void {
    const plan = { control, side, usd: toNumber(most), daemon: daemon.index, atMs: 0 };
    this.orders.left(daemon, accountId(account), { ...plan, isBySame: false });
  }

  /** Grants the overrides that are due. */
  act(nowMs: number): void {
    for (const plan of this.#overrides.filter(({ atMs }) => atMs <= nowMs)) {
      this.#overrides.splice(this.#overrides.indexOf(plan), 1);
      this.#letPast(plan);
    }
  }

  #letPast(plan: OverridePlan): void {
    const daemon = this.#parts.daemons[plan.daemon];
    const gate = daemon?.isAlive ? daemon.assembled.gate : undefined;
    if (daemon === undefined || gate === undefined) return;
    const [account = DUMMY] = ACCOUNTS;
    const { control, side, usd, isBySame } = plan;
    const { doors } = this.#parts;
    if (doors !== undefined) {
      const instrumentName = INSTRUMENTS.perpetual.name;
      const wish = { control, accountId: account, instrumentName, side, quantity: String(usd) };
      void letPastByDoor(doors, daemon, { ...wish, isBySame });
      return;
    }
    const wish = { control, account, side, instrument: INSTRUMENTS.perpetual.name };
    const id = `${control} ${plan.atMs}`;
    const at = daemon.now();
    const asked = { id, by: 'key-1', at, lifeMs: LIFE_MS };
    gate.overrides.request(
      { ...wish, quantity: quantity(String(usd)), reason: 'simulated' },
      asked,
    );
    gate.overrides.grant(id, isBySame ? 'key-1' : 'key-2', at);
    this.orders.left(daemon, account, plan);
  }
}
