// Implements the operations on market maker protection for gateways. Reads go to the ledger, so that every process
// returns the same.
import type { MmpKind } from '../../core/mmp/mmp-config.ts';
import { isFrozen, type MmpGroup, windowEnd } from '../../core/mmp/mmp-state.ts';
import { refusal } from '../../core/order/answer-class.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type {
  MmpCounters,
  MmpFilter,
  MmpFreezeStatus,
  MmpFrozen,
  MmpName,
  MmpOperations,
  MmpSetting,
  MmpSettingInForce,
} from '../interface/mmp-operations.ts';
import type { MmpGuard } from './mmp-guard.ts';
import type { MmpOutcome } from './mmp-protection.ts';

const KINDS: readonly MmpKind[] = ['order', 'blockRfq'];

export class MmpDesk implements MmpOperations {
  readonly #guard: MmpGuard;
  readonly #clock: Clock;

  constructor(guard: MmpGuard, clock: Clock) {
    this.#guard = guard;
    this.#clock = clock;
  }

  async configure(
    account: AccountId,
    { kind, by, ...config }: MmpSetting & { readonly by: string },
  ): Promise<Reply<MmpSetting>> {
    const now = this.#clock.now();
    const protection = this.#guard.protectionOf({ account, kind });
    const asked = await protection.request({ kind: 'configure', now, config, by });
    return replyOf(asked, { ...config, kind });
  }

  async reset({ account, kind, by, ...place }: MmpName & { readonly by: string }) {
    const now = this.#clock.now();
    const protection = this.#guard.protectionOf({ account, kind });
    return replyOf(await protection.request({ kind: 'reset', now, ...place, by }), null);
  }

  configs(filter: MmpFilter): Promise<Reply<readonly MmpSettingInForce[]>> {
    const now = this.#clock.now();
    return this.#found(filter, (kind, group) => [
      { ...group.config, kind, used: countersOf(group, now) },
    ]);
  }

  frozen(filter: MmpFilter): Promise<Reply<readonly MmpFreezeStatus[]>> {
    const now = this.#clock.now();
    const { account } = filter;
    return this.#found(filter, (kind, group) => {
      const { config, freeze } = group;
      if (freeze === undefined || !isFrozen(group, now)) return [];
      const { until, overshoot } = freeze;
      return [{ account, kind, index: config.index, group: config.group, until, overshoot }];
    });
  }

  listen(listener: (trip: MmpFrozen) => void): () => void {
    return this.#guard.onTrip(listener);
  }

  async #found<T>(
    { account, kind, index, group }: MmpFilter,
    view: (kind: MmpKind, group: MmpGroup) => readonly T[],
  ): Promise<Reply<readonly T[]>> {
    const value: T[] = [];
    for (const each of kind === undefined ? KINDS : [kind]) {
      const state = await this.#guard.stored({ account, kind: each });
      if (state === undefined) return NOT_READABLE;
      for (const found of state.groups.values()) {
        const { config } = found;
        if (index !== undefined && config.index !== index) continue;
        if (group !== undefined && config.group !== group) continue;
        value.push(...view(each, found));
      }
    }
    return { kind: 'done', value };
  }
}

const NOT_READABLE = refusal(10040, {
  param: '',
  reason: 'the ledger is unavailable; accepted: the same request later',
});

function countersOf(group: MmpGroup, now: Instant): MmpCounters | undefined {
  const until = windowEnd(group, now);
  if (group.window === undefined || until === undefined) return undefined;
  const { quantity, delta, vega, trades } = group.window;
  return { quantity, delta, vega, trades, until };
}

function replyOf<T>(asked: MmpOutcome, value: T): Reply<T> {
  switch (asked.kind) {
    case 'done':
      return { kind: 'done', value };
    case 'unanswered':
      return { kind: 'unknown', reason: asked.why };
    case 'refused': {
      const { code, param, reason } = asked.fault;
      return refusal(code, { param, reason });
    }
  }
}
