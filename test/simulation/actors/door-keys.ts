// The keys of a run: one per account that trades, an operator's, a read-only one, one that is revoked, and an
// unknown one. Secrets may change during the run; the previous one stays valid for a short overlap.
import type { KeyGrant, KeyRecords, Scope } from '../../../src/ports/key-records.ts';
import { must } from '../../../src/values/assert.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryKeyRecords } from '../../doubles/memory/memory-key-records.ts';
import type { DoorPlan } from '../plan/plan.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { Gateway } from './front-door.ts';

/** How long the previous secret is accepted. */
const OVERLAP_MS = 800;
/** Largest clock offset of a daemon. */
const SKEW_MS_MAX = 400;
/** Delay after which every holder has the new secret. */
const LEARNT_MS = 600;
/** Delay after which a gateway that can read knows of a change. */
const KNOWN_AFTER_MS = 1_000;

/** The secret that a holder signs with. */
export interface HeldKey {
  readonly id: string;
  readonly secret: string;
  readonly isBound: boolean;
}

/** The keys as a gateway has read them so far. */
export interface KeysSeen {
  version: number;
}

/** A change of the keys, and its number in the records that gateways read. */
interface Change {
  readonly at: Instant;
  readonly version: number;
}

export interface DoorKeysParts {
  readonly clock: VirtualClock;
  readonly gateway: Gateway;
  /** No fault keeps a gateway from reading in time. */
  readonly isReadable: boolean;
}

export class DoorKeys {
  readonly records: KeyRecords = new MemoryKeyRecords();
  readonly #parts: DoorKeysParts;
  readonly #isBound: boolean;
  readonly #grants: ReadonlyMap<string, KeyGrant>;
  #version: number;
  #rotated: Change | undefined;
  #revoked: Change | undefined;

  constructor(parts: DoorKeysParts, { isBound, rotateAtMs, revokeAtMs }: DoorPlan) {
    this.#parts = parts;
    this.#isBound = isBound;
    const grants = [
      ...ACCOUNTS.map((one) => this.#traders(one)),
      this.#operators(),
      this.#readers(),
    ];
    if (revokeAtMs !== undefined) grants.push(this.#leavers());
    this.#grants = new Map(grants.map((grant) => [grant.id, grant]));
    for (const grant of grants) void this.records.add(grant, this.#sealed(grant.id, 1));
    // The records count from 1, and every change once.
    this.#version = 1 + grants.length;
    const { clock } = parts;
    if (rotateAtMs !== undefined) clock.at(later(clock.now(), rotateAtMs), () => this.#rotate());
    if (revokeAtMs !== undefined) clock.at(later(clock.now(), revokeAtMs), () => this.#revoke());
  }

  /** The key as its holder signs now: holders learn of a new secret a little later. */
  held(id: string): HeldKey {
    const change = isRotated(id) ? this.#rotated : undefined;
    const isLearnt = change !== undefined && this.#parts.clock.now() >= later(change.at, LEARNT_MS);
    return { id, secret: secretOf(id, isLearnt ? 2 : 1), isBound: isRotated(id) && this.#isBound };
  }

  /** A secret of the key that no gateway accepts any more; absent while none is certainly invalid. */
  endedSecret(id: string): string | undefined {
    const isSure = isRotated(id) && this.#parts.isReadable;
    const isEnded = isSure && this.#rotated !== undefined && this.#isPast(this.#rotated);
    return isEnded ? secretOf(id, 1) : undefined;
  }

  /** Whether requests signed with this secret must have no effect at a gateway that has read that far. */
  isEnded(id: string, secret: string, seen: KeysSeen | undefined): boolean {
    if (id === LEAVER) return this.#revoked !== undefined && this.#isKnown(this.#revoked, seen);
    if (id === STRANGER) return true;
    if (secret !== secretOf(id, 1)) return secret !== secretOf(id, 2);
    const change = isRotated(id) ? this.#rotated : undefined;
    return change !== undefined && this.#isKnown(change, seen) && this.#isPast(change);
  }

  #isPast({ at }: Change): boolean {
    return this.#parts.clock.now() >= later(at, OVERLAP_MS + SKEW_MS_MAX);
  }

  #isKnown({ at, version }: Change, seen: KeysSeen | undefined): boolean {
    if (seen !== undefined && seen.version >= version) return true;
    const { isReadable, clock } = this.#parts;
    return isReadable && clock.now() >= later(at, KNOWN_AFTER_MS);
  }

  #rotate(): void {
    const at = this.#parts.clock.now();
    for (const account of ACCOUNTS) {
      const id = keyIdOf(account);
      const overlapUntil = later(at, OVERLAP_MS);
      void this.records.rotate(id, { from: 1, sealed: this.#sealed(id, 2), overlapUntil });
      this.#version += 1;
    }
    this.#rotated = { at, version: this.#version };
  }

  #revoke(): void {
    const at = this.#parts.clock.now();
    void this.records.revoke(LEAVER, at);
    this.#version += 1;
    this.#revoked = { at, version: this.#version };
  }

  #sealed(keyId: string, generation: number): string {
    const grant = must(this.#grants.get(keyId), keyId);
    return this.#parts.gateway.seal({ grant, generation, secret: secretOf(keyId, generation) });
  }

  #traders(account: AccountId): KeyGrant {
    const alias = account === ACCOUNTS.at(-1) ? { makerAlias: 'MAKER' } : {};
    const own = { bindBody: this.#isBound, accounts: [account, DUMMY], ...alias };
    return { ...this.#granted(keyIdOf(account), '7', ['trade', 'blockRfq']), ...own };
  }

  #operators(): KeyGrant {
    return { ...this.#granted(OPERATOR, '9', ['trade', 'admin']), accounts: ACCOUNTS };
  }

  #readers(): KeyGrant {
    return this.#granted(READER, '8', ['read']);
  }

  #leavers(): KeyGrant {
    return this.#granted(LEAVER, '6', ['trade']);
  }

  /** For the first account. */
  #granted(id: string, uid: string, scopes: readonly Scope[]): KeyGrant {
    const accounts = ACCOUNTS.slice(0, 1);
    const createdAt = this.#parts.clock.now();
    return { id, uid, scopes, accounts, createdAt, nickname: id, bindBody: false, addresses: [] };
  }
}

export const keyIdOf = (account: string): string => `key-${account}`;

/** May do what a trader may, and set trading switches. */
export const OPERATOR = 'key-operator';
/** May read the first account, and change nothing. */
export const READER = 'key-reader';
/** Is revoked during the run. */
export const LEAVER = 'key-leaver';
/** Unknown to every gateway. */
const STRANGER = 'key-nobody';

const isRotated = (id: string): boolean => ACCOUNTS.some((account) => id === keyIdOf(account));

const secretOf = (id: string, generation: number): string =>
  `${generation}${id}${'A'.repeat(40)}`.replaceAll('-', '').slice(0, 40);
