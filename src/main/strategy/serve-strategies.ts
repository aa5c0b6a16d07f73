// Serves the strategies of this daemon to gateways: shows those in force, and switches them on and off.
import { basename } from 'node:path';
import { reject } from '../../core/rejection.ts';
import type { Outcome } from '../../engine/interface/change-operations.ts';
import type {
  StrategiesApi,
  StrategiesView,
  StrategyFault,
  StrategySwitch,
  StrategyView,
} from '../../engine/interface/strategies-api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fault } from '../fault.ts';
import type { Strategy } from './strategy.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import { nextDue, type Schedule } from './strategy-schedule.ts';
import type { StrategySet } from './strategy-set.ts';
import {
  isOn,
  readStrategySwitch,
  type SwitchLedger,
  writeStrategySwitch,
} from './strategy-switches.ts';

export interface ServedStrategiesOptions {
  readonly ledger: SwitchLedger;
  readonly clock: Pick<Clock, 'now'>;
}

export class ServedStrategies implements StrategiesApi {
  readonly #parts: ServedStrategiesOptions;
  #set: StrategySet | undefined;
  #runner: Pick<StrategyRunner, 'recheck'> | undefined;

  constructor(parts: ServedStrategiesOptions) {
    this.#parts = parts;
  }

  /** Shows these from now on; `runner` follows them. */
  follow(set: StrategySet, runner: Pick<StrategyRunner, 'recheck'>): void {
    this.#set = set;
    this.#runner = runner;
  }

  async view(): Promise<StrategiesView> {
    if (this.#set === undefined) return { areRead: false, strategies: [], faults: [] };
    const { inForce, faults } = this.#set;
    const strategies = await Promise.all([...inForce.values()].map((one) => this.#viewOf(one)));
    return {
      areRead: true,
      strategies: strategies.sort((a, b) => (a.name < b.name ? -1 : 1)),
      faults: faults.map(faultView),
    };
  }

  async setSwitch(name: string, setting: StrategySwitch): Promise<Outcome<null>> {
    if (this.#set?.inForce.has(name) !== true) {
      const message = 'is not a strategy in force; accepted: the name of a listed one';
      return { kind: 'refused', rejections: [reject('not_found', 'strategy', message)] };
    }
    await writeStrategySwitch(this.#parts.ledger, name, setting);
    this.#runner?.recheck(name);
    return { kind: 'done', value: null };
  }

  async #viewOf(strategy: Strategy): Promise<StrategyView> {
    const { ledger, clock } = this.#parts;
    const { name, description, schedule, form, body } = strategy;
    const set = await readStrategySwitch(ledger, name);
    const isFollowed = isOn(strategy, set);
    return {
      name,
      description,
      file: basename(strategy.path),
      account: form.accountId,
      label: form.strategy ?? name,
      body,
      schedule: schedule && scheduleText(schedule),
      isEnabledInFile: strategy.enabled,
      isOn: isFollowed,
      switch: set,
      nextDueAt: isFollowed && schedule ? nextDue(schedule, clock.now()) : undefined,
    };
  }
}

function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'start':
      return 'at every start of the daemon';
    case 'once':
      return `once, ${new Date(schedule.wall).toISOString().slice(0, 16)} ${schedule.zone}`;
    case 'cron':
      return `${schedule.cron} ${schedule.zone}`;
  }
}

const faultView = ({ source, line, column, field, message }: Fault): StrategyFault => ({
  file: basename(source),
  line,
  column,
  field,
  message,
});
