// PT-17: an override lets one order past one control: requested with one key, granted with another, used once, and
// short-lived. Controls that keep an order from being sent twice, or larger than requested, cannot be overridden.
import { isMore, type Quantity } from '../../../values/amounts.ts';
import { type Instant, later, MINUTE_MS } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { GateOrder } from './gate-order.ts';
import type { GateControl } from './judge-order.ts';

export const OVERRIDE_MS_MAX = 5 * MINUTE_MS;

/** Controls that can be overridden. */
export const OVERRIDABLE = [
  'price_collar',
  'order_value',
  'order_volume',
  'position',
  'gross',
  'market_unrest',
  'self_match',
] as const satisfies readonly GateControl[];

export type OverridableControl = (typeof OVERRIDABLE)[number];

export interface OverrideWish {
  readonly control: OverridableControl;
  readonly account: string;
  readonly instrument: string;
  readonly side: Side;
  /** Orders up to this size. */
  readonly quantity: Quantity;
  readonly reason: string;
}

export interface Override extends OverrideWish {
  readonly id: string;
  readonly askedBy: string;
  readonly askedAt: Instant;
  readonly expiresAt: Instant;
  readonly grantedBy?: string | undefined;
  readonly usedAt?: Instant | undefined;
}

export type Granted =
  | { readonly kind: 'granted'; readonly override: Override }
  | { readonly kind: 'refused'; readonly why: string };

export class Overrides {
  readonly #byId = new Map<string, Override>();

  /** `lifeMs` counts from now, five minutes at most. */
  request(
    wish: OverrideWish,
    asked: {
      readonly id: string;
      readonly by: string;
      readonly at: Instant;
      readonly lifeMs: number;
    },
  ): Override {
    this.#forget(asked.at);
    const expiresAt = later(asked.at, Math.min(Math.max(asked.lifeMs, 0), OVERRIDE_MS_MAX));
    const override = { ...wish, id: asked.id, askedBy: asked.by, askedAt: asked.at, expiresAt };
    this.#byId.set(override.id, override);
    return override;
  }

  /** Must use a different key than the request. */
  grant(id: string, by: string, now: Instant): Granted {
    this.#forget(now);
    const override = this.#byId.get(id);
    if (override === undefined) return { kind: 'refused', why: 'is not known, or has expired' };
    if (override.askedBy === by) {
      return { kind: 'refused', why: 'was requested with the same key; accepted: a different key' };
    }
    if (override.usedAt !== undefined) return { kind: 'refused', why: 'has been used' };
    const granted = { ...override, grantedBy: override.grantedBy ?? by };
    this.#byId.set(id, granted);
    return { kind: 'granted', override: granted };
  }

  /** The grant that lets the order past the control at this moment. */
  find(order: GateOrder, control: GateControl, now: Instant): Override | undefined {
    return this.#byId.size === 0
      ? undefined
      : overrideFor(this.#byId.values(), { order, control, now });
  }

  /** Those of the account, whatever their state. */
  of(account: string, now: Instant): readonly Override[] {
    return this.all(now).filter((override) => override.account === account);
  }

  /** Replaces those of the account. */
  replace(account: string, overrides: readonly Override[]): void {
    for (const [id, override] of this.#byId) {
      if (override.account === account) this.#byId.delete(id);
    }
    for (const override of overrides) this.#byId.set(override.id, override);
  }

  /** The grants of the account that can still be used. */
  inForce(account: string, now: Instant): readonly Override[] {
    if (this.#byId.size === 0) return NONE;
    return [...this.#byId.values()].filter(
      (override) => override.account === account && isInForce(override, now),
    );
  }

  /** Marks an override as used: it let one order past and lets no other. */
  use({ id }: Override, at: Instant): void {
    const override = this.#byId.get(id);
    if (override !== undefined) this.#byId.set(id, { ...override, usedAt: at });
  }

  all(now: Instant): readonly Override[] {
    this.#forget(now);
    return [...this.#byId.values()];
  }

  #forget(now: Instant): void {
    for (const [id, { expiresAt }] of this.#byId) if (now >= expiresAt) this.#byId.delete(id);
  }
}

const NONE: readonly Override[] = [];

const isInForce = ({ grantedBy, usedAt, expiresAt }: Override, now: Instant): boolean =>
  grantedBy !== undefined && usedAt === undefined && now < expiresAt;

/** What an override names of an order. */
type OverriddenOrder = Pick<GateOrder, 'account' | 'instrument' | 'side' | 'quantity'>;

/** The first of them that lets the order past the control at `now`. */
export function overrideFor(
  overrides: Iterable<Override>,
  { order, control, now }: { order: OverriddenOrder; control: GateControl; now: Instant },
): Override | undefined {
  for (const override of overrides) {
    if (override.control !== control || !isInForce(override, now)) continue;
    if (isFor(override, order)) return override;
  }
  return undefined;
}

const isFor = (override: Override, order: OverriddenOrder): boolean =>
  override.account === order.account &&
  override.instrument === order.instrument.name &&
  override.side === order.side &&
  !isMore(order.quantity, override.quantity);
