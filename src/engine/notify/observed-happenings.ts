// What only the process that sees it can report: breaches, protection, foreign orders, strategies, venues that are away,
// outcomes that stay unknown. It is kept in memory until it is recorded, so that no observation waits.
import { isAtLeast, spaceText } from '../../core/disk/disk-space.ts';
import type { Happening } from '../../core/notify/happening.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NoticeOutbox } from '../../ports/notify/notice-outbox.ts';
import { type Observation, type Observer, observing } from '../../ports/observer.ts';
import { text } from '../../values/amounts.ts';
import { HOUR_MS, MINUTE_MS } from '../../values/instant.ts';
import { addressed, type NoticeRoute } from './notice-routes.ts';

export interface ObservedOptions {
  readonly clock: Clock;
  readonly routes: readonly NoticeRoute[];
  /** The name of this one. */
  readonly machine: string;
}

/** Beyond this the oldest are lost: while the database is away, or something repeats itself without end. */
const KEPT_MAX = 1_000;
const AT_ONCE = 100;

export class ObservedHappenings implements Observer {
  readonly #options: ObservedOptions;
  #kept: Happening[] = [];
  readonly #recorders = observing({
    audit_breached: (seen) => this.#auditBreached(seen),
    disk_space_changed: (seen) => this.#diskSpaceChanged(seen),
    foreign_order: (seen) => this.#foreignOrder(seen),
    mmp_set: (seen) => this.#mmpSet(seen),
    position_liquidated: (seen) => this.#positionLiquidated(seen),
    strategy_failed: (seen) => this.#strategyFailed(seen),
  });

  constructor(options: ObservedOptions) {
    this.#options = options;
  }

  observe(seen: Observation): void {
    this.#recorders.observe(seen);
  }

  /** How many wait to be recorded. */
  get kept(): number {
    return this.#kept.length;
  }

  note(happening: Omit<Happening, 'at'>): void {
    this.#kept.push({ ...happening, at: this.#options.clock.now() });
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
  }

  /** Records what is kept; what fails is kept for the next time. */
  async record(outbox: NoticeOutbox): Promise<void> {
    while (this.#kept.length > 0) {
      const some = this.#kept.slice(0, AT_ONCE);
      const { routes } = this.#options;
      await outbox.add({ happenings: some.map((one) => addressed(one, routes)) });
      const recorded = new Set(some);
      this.#kept = this.#kept.filter((one) => !recorded.has(one));
    }
  }

  #auditBreached(breach: Observation<'audit_breached'>): void {
    const { invariant, detail, account, portfolio } = breach;
    this.note({
      kind: 'breach',
      key: `breach/${invariant}/${portfolio ?? account ?? ''}`,
      title: `the auditor found ${invariant} broken`,
      detail: [...placeOf(breach), detail].join('; '),
      againAfterMs: HOUR_MS,
      account,
      portfolio,
    });
  }

  #foreignOrder({ venue, label, orderId }: Observation<'foreign_order'>): void {
    this.note({
      kind: 'foreign_order',
      key: `foreign/${venue}/${orderId}`,
      title: `an order at ${venue} has a label of ours and belongs to no portfolio`,
      detail: `order ${orderId}, label ${label}; it is cancelled`,
    });
  }

  #positionLiquidated(trade: Observation<'position_liquidated'>): void {
    const { venue, account, instrument, side, quantity, price, tradeId } = trade;
    this.note({
      kind: 'liquidated',
      key: `liquidated/${venue}/${account}/${instrument}`,
      title: `${venue} is liquidating account ${account}: it closes a part of its position in ${instrument}`,
      detail: `${side} ${text(quantity)} at ${text(price)}, trade ${tradeId}; further trades of it are in the log`,
      againAfterMs: MINUTE_MS,
      account,
    });
  }

  #mmpSet({ account, index, kind, group, status, by }: Observation<'mmp_set'>): void {
    if (status === 'ready' || by === undefined) return;
    const ends = status === 'frozen' ? 'it ends by itself' : 'it ends with a manual reset';
    this.note({
      kind: 'mmp_tripped',
      key: `mmp/${account}/${kind}/${index}/${group}`,
      title: `market-maker protection of account ${account} has tripped`,
      detail: `${kind} ${index} ${group}, limit ${by}; ${ends}`,
      againAfterMs: MINUTE_MS,
      account,
    });
  }

  #diskSpaceChanged({ paths, space, before, level }: Observation<'disk_space_changed'>): void {
    if (level === 'ample' || isAtLeast(before, level)) return;
    const { machine } = this.#options;
    this.note({
      kind: level === 'low' ? 'disk_low' : 'disk_full',
      key: `disk/${level}/${machine}/${paths[0]}`,
      title: `the disk of ${paths[0]} on ${machine} has ${spaceText(space)}`,
      detail: `${DISK_DETAILS[level]}; folders: ${paths.join(', ')}`,
      againAfterMs: MINUTE_MS,
    });
  }

  #strategyFailed({ strategy, why }: Observation<'strategy_failed'>): void {
    this.note({
      kind: 'strategy_failed',
      key: `strategy/${strategy}`,
      title: `strategy ${strategy} came due and its portfolio was refused`,
      detail: why,
      againAfterMs: MINUTE_MS,
    });
  }
}

const DISK_DETAILS = {
  low: 'the daemon is not affected yet; free some, or enlarge the disk',
  critical: 'the daemon counts as not ready; free some, or enlarge the disk',
  exhausted: 'new portfolios are refused, cancels are not; free some, or enlarge the disk',
} as const;

const placeOf = (of: Pick<Happening, 'account' | 'portfolio'>): readonly string[] => [
  ...(of.account === undefined ? [] : [`account ${of.account}`]),
  ...(of.portfolio === undefined ? [] : [`portfolio ${of.portfolio}`]),
];
