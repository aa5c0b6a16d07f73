// Everything about controls that one run has: the limits in force, the gates' leave, and who judges them.
import type { ExchangeEvent } from '../../exchange/event.ts';
import type { Turn } from '../../ports/ledger.ts';
import { quantity } from '../../values/amounts.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { BegunTruth } from './begun-truth.ts';
import { ControlTruth, type ControlTruthParts } from './control-truth.ts';
import { ControlsInForce } from './controls-in-force.ts';
import type { ControlsPlan, OverridePlan } from './controls-plan.ts';
import { ACCOUNTS, DUMMY } from './simulated-accounts.ts';
import type { SimulatedDaemon } from './simulated-daemon.ts';
import { INSTRUMENTS } from './simulated-market.ts';

export interface ControlRunParts extends Omit<ControlTruthParts, 'inForce'> {
  readonly clock: VirtualClock;
  readonly isReadable: boolean;
  readonly daemons: readonly SimulatedDaemon[];
}

const LIFE_MS = 60_000;

export class ControlRun {
  readonly inForce: ControlsInForce;
  readonly orders: ControlTruth;
  readonly begun: BegunTruth;
  readonly #parts: ControlRunParts;
  readonly #overrides: OverridePlan[];

  constructor(parts: ControlRunParts, plan: ControlsPlan) {
    this.#parts = parts;
    const { clock, daemons } = parts;
    this.inForce = new ControlsInForce(clock, plan);
    this.orders = new ControlTruth({ ...parts, inForce: this.inForce });
    this.begun = new BegunTruth({
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

  /** People let orders past whose time has come. */
  act(nowMs: number): void {
    for (const plan of this.#overrides.filter(({ atMs }) => atMs <= nowMs)) {
      this.#overrides.splice(this.#overrides.indexOf(plan), 1);
      this.#letPast(plan);
    }
  }

  #letPast(plan: OverridePlan): void {
    const daemon = this.#parts.daemons[plan.daemon];
    const gate = daemon?.isAlive ? daemon.engine.gate : undefined;
    if (daemon === undefined || gate === undefined) return;
    const [account = DUMMY] = ACCOUNTS;
    const { control, side, usd } = plan;
    const wish = { control, account, side, instrument: INSTRUMENTS.perpetual.name };
    const id = `${control} ${plan.atMs}`;
    const at = daemon.now();
    const asked = { id, by: 'key-1', at, lifeMs: LIFE_MS };
    gate.overrides.ask({ ...wish, quantity: quantity(String(usd)), reason: 'simulated' }, asked);
    gate.overrides.grant(id, plan.isBySame ? 'key-1' : 'key-2', at);
    this.orders.left(daemon, account, plan);
  }
}
