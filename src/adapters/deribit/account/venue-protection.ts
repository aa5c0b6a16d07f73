// The venue's own market-maker protection of an account, and the locks of its currencies: configured where it differs, read
// at each login, received in between. What the venue would refuse is held back here, and may be sent later. While a freeze
// or a configuration is open it is read again, because nothing is published of a reset.
//
// To be measured (docs/deribit.md): `max_quote_quantity` is required; where none is configured it is what the venue has,
// else the limit of the quantity. Configuring ends a freeze, so that nothing is configured while it is frozen.
import { type Refused, refusal, unsent } from '../../../core/order/answer-class.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import { type Freeze, freezeIn } from '../../../ports/deribit-wire/protection-rows.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { NewOrder, OrderChange } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import { type Instant, isoText, SECOND_MS } from '../../../values/instant.ts';
import type { Instrument, TermsOf } from '../../../values/instrument.ts';
import { type Params, resultOf, type SendRequest, whyFailed } from '../outcome.ts';
import type { ReadResult } from '../session/questions.ts';
import { numberIf } from '../wire/amount-numbers.ts';
import { freezesIn, lockIn, locksIn, protectionsIn } from './protection-message.ts';
import {
  covers,
  type Freezes,
  freezeOf,
  inForce,
  isAsSetUp,
  listedFreezes,
  type ProtectionInForce,
  type ProtectionSetup,
  withFreeze,
} from './protection-state.ts';

export interface VenueProtectionOptions {
  readonly setups: readonly ProtectionSetup[];
  readonly termsOf: TermsOf;
  readonly venueNow: () => Instant;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

/** What is known of one account since its login. */
interface Kept {
  readonly account: AccountId;
  readonly request: SendRequest;
  freezes: Freezes;
  /** Notices since the last question. */
  noticed: readonly Freeze[];
  locked: ReadonlySet<string>;
  /** Why the protection of an index is not as it is meant to be. */
  readonly missing: Map<string, string>;
  isReading: boolean;
  readAt: Instant;
}

const TRIGGERS = 'user.mmp_trigger.';
const LOCKS = 'user.lock';
const ALL = 'ALL';
const READ_AGAIN_MS = 5 * SECOND_MS;
const MMP_TRIGGER = 13030;

export class VenueProtection {
  readonly #parts: VenueProtectionOptions;
  readonly #kept = new Map<AccountId, Kept>();

  constructor(parts: VenueProtectionOptions) {
    this.#parts = parts;
  }

  /** At each login, before the account is used. Rejects if the connection breaks. */
  async greet(account: AccountId, request: SendRequest): Promise<void> {
    const kept: Kept = {
      account,
      request,
      freezes: new Map(),
      noticed: [],
      locked: new Set(),
      missing: new Map(),
      isReading: false,
      readAt: this.#parts.venueNow(),
    };
    this.#kept.set(account, kept);
    await this.#subscribe(kept);
    const locks = await this.#read(kept, 'private/get_user_locks', locksIn, false);
    kept.locked = new Set(
      locks?.filter(({ isLocked }) => isLocked).map(({ currency }) => currency),
    );
    await this.#refresh(kept);
  }

  /** False for a channel of another subject. */
  receive(account: AccountId, channel: string, data: unknown): boolean {
    const isTrigger = channel.startsWith(TRIGGERS);
    if (!isTrigger && channel !== LOCKS) return false;
    const kept = this.#kept.get(account);
    if (kept === undefined) return true;
    try {
      const of = new Fields(`a message of ${channel}`, data, this.#parts.tally);
      if (isTrigger) this.#freeze(kept, freezeIn(of));
      else this.#lock(kept, of);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
      void this.#refresh(kept);
    }
    return true;
  }

  /** Which currencies of the account are locked; `undefined` if none is. */
  trouble(account: AccountId): string | undefined {
    const locked = this.#kept.get(account)?.locked ?? new Set();
    return locked.size === 0
      ? undefined
      : `the venue has locked ${[...locked].sort().join(', ')} of account ${account}`;
  }

  /** Why an order or a change is not sent now. */
  refusalOf(request: NewOrder | OrderChange): Refused | undefined {
    const kept = this.#kept.get(request.account);
    const instrument = 'instrument' in request ? request.instrument : request.of.instrument;
    const terms = instrument && this.#parts.termsOf(instrument);
    if (kept === undefined || terms === undefined) return undefined;
    if (isLockedIn(kept.locked, terms)) {
      return unsent(this.trouble(kept.account) ?? `${terms.name} is locked`);
    }
    return request.mmp === true ? this.#heldBack(kept, terms.indexName) : undefined;
  }

  #heldBack(kept: Kept, index: string): Refused | undefined {
    const now = this.#parts.venueNow();
    const freeze = freezeOf(kept.freezes, { index }, now);
    const missing = kept.missing.get(index);
    if (freeze === undefined && missing === undefined) return undefined;
    if (now - kept.readAt >= READ_AGAIN_MS) void this.#refresh(kept);
    if (freeze === undefined) return triggered(`${index} is not protected: ${missing}`);
    return freeze.until === 0
      ? triggered(`${index} is frozen until it is reset`)
      : triggered(
          `${index} is frozen until ${isoText(freeze.until)}`,
          Math.ceil((freeze.until - now) / SECOND_MS),
        );
  }

  #freeze(kept: Kept, freeze: Freeze): void {
    kept.noticed = [...kept.noticed, freeze];
    kept.freezes = withFreeze(kept.freezes, freeze);
  }

  #lock(kept: Kept, of: Fields): void {
    const { currency, isLocked } = lockIn(of);
    const others = [...kept.locked].filter((one) => one !== currency && currency !== ALL);
    kept.locked = new Set(isLocked ? [...others, currency] : others);
  }

  async #subscribe(kept: Kept): Promise<void> {
    const any = `${TRIGGERS}any`;
    const granted = await this.#granted(kept, [any, LOCKS]);
    if (granted.has(any)) return;
    const each = [...new Set(this.#parts.setups.map(({ index }) => `${TRIGGERS}${index}`))];
    if (each.length === 0) return;
    const single = await this.#granted(kept, each);
    const missing = each.filter((one) => !single.has(one));
    if (missing.length > 0) {
      this.#parts.onFault(
        new Error(`account ${kept.account} is not granted the channels ${missing.join(', ')}`),
      );
    }
  }

  async #granted({ request }: Kept, channels: readonly string[]): Promise<ReadonlySet<unknown>> {
    const method = 'private/subscribe';
    const outcome = await request(method, { channels });
    if (outcome.kind === 'error') return new Set();
    const granted = resultOf(outcome, method);
    return new Set(Array.isArray(granted) ? granted : []);
  }

  /** Reads what is frozen, and configures what differs and is not frozen. */
  async #refresh(kept: Kept): Promise<void> {
    if (kept.isReading) return;
    kept.isReading = true;
    kept.readAt = this.#parts.venueNow();
    kept.noticed = [];
    try {
      const isMeant = this.#parts.setups.length > 0;
      const listed = await this.#read(kept, 'private/get_mmp_status', freezesIn, isMeant);
      if (listed !== undefined) kept.freezes = listedFreezes(listed, kept.noticed);
      if (isMeant) await this.#configure(kept);
    } finally {
      kept.isReading = false;
    }
  }

  async #configure(kept: Kept): Promise<void> {
    const found = await this.#read(kept, 'private/get_mmp_config', protectionsIn, true);
    for (const setup of this.#parts.setups) {
      const why =
        found === undefined
          ? 'its configuration cannot be read'
          : await this.#setUp(kept, setup, inForce(setup, found));
      if (setup.group !== undefined) continue;
      if (why === undefined) kept.missing.delete(setup.index);
      else kept.missing.set(setup.index, why);
    }
  }

  /** Why it is not in force; `undefined` if it is. */
  async #setUp(
    kept: Kept,
    setup: ProtectionSetup,
    found: ProtectionInForce | undefined,
  ): Promise<string | undefined> {
    if (isAsSetUp(setup, found)) return undefined;
    if (freezeOf(kept.freezes, setup, this.#parts.venueNow()) !== undefined) {
      return 'it is frozen, and configured afterwards';
    }
    const method = 'private/set_mmp_config';
    const outcome = await kept.request(method, setupParams(setup, found));
    const why = outcome.kind === 'result' ? this.#whyNot(setup, outcome.value) : whyFailed(outcome);
    if (why !== undefined) {
      this.#parts.onFault(
        new Error(`protection of ${setup.index} of account ${kept.account}: ${why}`),
      );
    }
    return why;
  }

  #whyNot(setup: ProtectionSetup, value: unknown): string | undefined {
    try {
      const now = protectionsIn(value, 'the protection that was set', this.#parts.tally);
      const found = inForce(setup, now);
      return found !== undefined && covers(setup, found) ? undefined : 'the venue has another one';
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      return error.message;
    }
  }

  /** `undefined` without a usable answer, which is a fault only where it is needed. */
  async #read<T>(
    { account, request }: Kept,
    method: string,
    read: ReadResult<T>,
    isNeeded: boolean,
  ): Promise<T | undefined> {
    const { tally, onFault } = this.#parts;
    const outcome = await request(method, {});
    if (outcome.kind !== 'result') {
      if (isNeeded || outcome.kind !== 'error') {
        onFault(new Error(`${method} of account ${account}: ${whyFailed(outcome)}`));
      }
      return undefined;
    }
    try {
      return read(outcome.value, `the answer to ${method}`, tally);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      onFault(error);
      return undefined;
    }
  }
}

const triggered = (reason: string, retryAfterSec?: number): Refused => ({
  ...refusal(MMP_TRIGGER, { param: 'mmp', reason, retryAfterSec }),
  class: 'later',
});

/** Spot moves both of its currencies. */
const isLockedIn = (locked: ReadonlySet<string>, terms: Instrument): boolean =>
  locked.size > 0 &&
  [ALL, terms.settlement, ...(terms.kind === 'spot' ? [terms.base] : [])].some((one) =>
    locked.has(one),
  );

const setupParams = (setup: ProtectionSetup, found: ProtectionInForce | undefined): Params => ({
  index_name: setup.index,
  mmp_group: setup.group,
  interval: setup.intervalSec,
  frozen_time: setup.frozenTimeSec,
  quantity_limit: numberIf(setup.quantityLimit),
  delta_limit: numberIf(setup.deltaLimit),
  vega_limit: numberIf(setup.vegaLimit),
  max_quote_quantity: numberIf(
    setup.maxQuoteQuantity ?? found?.maxQuoteQuantity ?? setup.quantityLimit,
  ),
});
