// A strategy runner on a virtual clock, with a desk that counts submits and can refuse, delay or lose them.
import { type RejectionKind, reject } from '../../../src/core/rejection.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Actor } from '../../../src/core/terms/spec.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import type { Strategy } from '../../../src/main/strategy/strategy.ts';
import { StrategyRunner } from '../../../src/main/strategy/strategy-runner.ts';
import type { Schedule } from '../../../src/main/strategy/strategy-schedule.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { observing } from '../../../src/ports/observer.ts';
import { accountId, type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import {
  HOUR_MS,
  type Instant,
  instant,
  isoText,
  later,
  MINUTE_MS,
} from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';

export const START = instant(Date.UTC(2026, 10, 20, 12));
const EVERY_HOUR: Schedule = { kind: 'cron', cron: '0 * * * *', zone: 'Etc/UTC' };

export const FORM: PortfolioForm = {
  accountId: accountId('10001'),
  portfolioType: 'TWAP',
  strategy: 'one',
  customizedNote: '',
  twapTrade: { durationSec: 60, frequencySec: 10 },
  dummyAccounts: [],
  execution: {},
  legs: [],
};

export const strategy = (changes: Partial<Strategy> = {}): Strategy => ({
  name: 'one',
  description: '',
  enabled: true,
  schedule: EVERY_HOUR,
  missedWithinMs: 5 * MINUTE_MS,
  form: FORM,
  body: {},
  faultOf: (field, message) => ({ source: 'one.yaml', line: 7, column: 3, field, message }),
  path: 'one.yaml',
  ...changes,
});

/** Submits that count, store their keys, and can be refused. */
class Desk implements Pick<Operations, 'submit' | 'page'> {
  readonly created: string[] = [];
  readonly asked: string[] = [];
  active = 0;
  refuses: RejectionKind | undefined;
  /** The outcome of a submit is unknown: it creates its portfolio, or nothing, and fails. */
  losesAnswers: 'written' | 'not written' | undefined;
  /** Answers of strategies that wait for a quote, by name. */
  readonly waits = new Map<string, Promise<void>>();
  readonly #keys = new Map<string, PortfolioId>();

  async submit({ strategy: name = '' }: PortfolioForm, _by: Actor, key = '') {
    this.asked.push(key);
    await this.waits.get(name);
    if (this.losesAnswers === 'not written') throw new LedgerFailure('no answer', true);
    if (this.refuses !== undefined) {
      const rejections = [reject(this.refuses, 'legs[0].quantity', 'is too large')];
      return { kind: 'refused' as const, rejections };
    }
    const before = this.#keys.get(key);
    const portfolio = before ?? portfolioId(String(this.#keys.size + 1));
    if (before === undefined) this.created.push(key);
    this.#keys.set(key, portfolio);
    if (this.losesAnswers === 'written') throw new LedgerFailure('no answer', true);
    const value = { portfolio, mirrors: [], created: before === undefined };
    return { kind: 'done' as const, value };
  }

  findByKey(key: string): Promise<PortfolioId | undefined> {
    return Promise.resolve(this.#keys.get(key));
  }

  page() {
    return Promise.resolve({ total: this.active, rows: [] });
  }
}

export class World {
  readonly clock = new VirtualClock(START);
  readonly ledger = new MemoryLedger({ now: () => this.clock.now() });
  readonly desk = new Desk();
  readonly fired: string[] = [];
  readonly failed: string[] = [];
  readonly failures: unknown[] = [];
  /** The write of the cursor is lost with the process. */
  losesMarks = false;
  #starts = 0;

  start(): StrategyRunner {
    this.#starts += 1;
    const observer = observing({
      strategy_fired: ({ dueAt }) => this.fired.push(isoText(dueAt)),
      strategy_failed: ({ why }) => this.failed.push(why),
      failed: ({ error }) => this.failures.push(error),
    });
    const ledger = Object.assign(Object.create(this.ledger) as MemoryLedger, {
      getMetadata: (name: string) => this.ledger.getMetadata(name),
      findByKey: (key: string) => this.desk.findByKey(key),
      setMetadata: (name: string, value: string) =>
        this.losesMarks
          ? Promise.reject(new Error('killed'))
          : this.ledger.setMetadata(name, value),
    });
    return new StrategyRunner({
      operations: this.desk as unknown as Operations,
      ledger,
      clock: this.clock,
      observer,
      start: this.#starts,
    });
  }

  run(until: Instant): Promise<void> {
    return this.clock.run(until, settle);
  }
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

export const setOf = (...strategies: Strategy[]) => ({
  inForce: new Map(strategies.map((each) => [each.name, each])),
  faults: [],
});
export const hours = (count: number): Instant => later(START, count * HOUR_MS);
