// The keys a gateway accepts: configured keys, and keys of the store, which is polled several times a second.
// While the store is unavailable the keys last read stay in force: revocations are then delayed, but a trader
// who cannot cancel is worse off.

import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { KeyRecord, KeyRecords } from '../../ports/key-records.ts';
import {
  isProgrammingError,
  throwProgrammingError,
} from '../../values/errors/programming-error.ts';
import type { Instant } from '../../values/instant.ts';
import { addressList } from '../limits/address-list.ts';
import { bindsGrant, type KeySeal } from './key-seal.ts';
import type { ApiKey, KeyStore } from './key-store.ts';

export interface KeysInForceOptions {
  /** Default: only configured keys are accepted. */
  readonly records?: Pick<KeyRecords, 'changedSince'> | undefined;
  /** Decrypts stored secrets; absent: stored keys cannot be used, which is reported. */
  readonly seal?: Pick<KeySeal, 'open'> | undefined;
  /** Keys of the configuration; they take precedence over a stored key of the same id. */
  readonly given: readonly GivenKey[];
  readonly now: () => Instant;
  /** Receives unusable keys and store failures, each reported once. */
  readonly report: (error: unknown) => void;
  /** Called with each stored secret before it is used, so that it can be redacted from logs. */
  readonly hide?: (secret: string) => void;
  readonly pollMs?: number;
  /**
   * Calls `then` once after the delay; the result cancels it. Absent: a timer that does not keep the process
   * alive.
   */
  readonly wait?: (delayMs: number, then: () => void) => () => void;
}

/** A key with the address list that `admits` was made from. */
export type GivenKey = ApiKey & {
  readonly addresses?: readonly string[] | undefined;
};

/** A change is noticed within this interval plus the time of one query. */
const POLL_MS = 250;

export class KeysInForce implements KeyStore, Lifetime {
  readonly #parts: KeysInForceOptions;
  #given: ReadonlyMap<string, GivenKey>;
  readonly #listeners = new Set<() => void>();
  /** The records as last read from the store. */
  #records: readonly KeyRecord[] = [];
  #stored: ReadonlyMap<string, GivenKey> = new Map();
  #version = 0;
  /** When the next key or secret expires. */
  #nextEndAt: number;
  #stopTimer: () => void = () => undefined;
  readonly #reads = new InFlight();
  readonly #told = new Set<string>();
  #refreshing: Promise<void> | undefined;
  #isAway = false;
  #isStopped = false;

  private constructor(parts: KeysInForceOptions) {
    this.#parts = parts;
    this.#given = new Map(parts.given.map((key) => [key.id, key]));
    this.#nextEndAt = this.#findNextEnd();
  }

  /** Started: the keys have been read. */
  static async open(parts: KeysInForceOptions): Promise<KeysInForce> {
    const keys = new KeysInForce(parts);
    await keys.start();
    return keys;
  }

  /** Resolves once the keys have been read; rejects if the store cannot be read. */
  async start(): Promise<void> {
    await this.#read();
    this.#schedule();
  }

  /** Reads the keys now, if they have changed. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#reads.track(this.#refreshed());
    return this.#refreshing;
  }

  async #refreshed(): Promise<void> {
    try {
      if (await this.#read()) this.#notify();
    } finally {
      this.#refreshing = undefined;
    }
  }

  drain(): Promise<void> {
    this.stop();
    return this.#reads.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  find(keyId: string): ApiKey | undefined {
    const key = this.#given.get(keyId) ?? this.#stored.get(keyId);
    if (key?.expiresAt === undefined) return key;
    return this.#parts.now() < key.expiresAt ? key : undefined;
  }

  /** The keys in force at this moment. */
  all(): readonly ApiKey[] {
    const names = new Set([...this.#given.keys(), ...this.#stored.keys()]);
    return [...names].flatMap((name) => this.find(name) ?? []);
  }

  /**
   * Replaces the configured keys. Sessions of keys that are gone or changed end; unchanged keys are not
   * affected.
   */
  regive(given: readonly GivenKey[]): void {
    const next = given.map((key) => {
      const before = this.#given.get(key.id);
      if (before === undefined) return key;
      const { generation = 0 } = before;
      return isSameKey(before, key) ? before : { ...key, generation: generation + 1 };
    });
    this.#given = new Map(next.map((key) => [key.id, key]));
    // A configured key may stop or start overriding a stored one of the same id.
    this.#openStored();
    this.#notify();
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const { wait = idleTimer, pollMs = POLL_MS } = this.#parts;
    this.#stopTimer = wait(pollMs, () => void this.#reads.track(this.#poll()));
  }

  async #poll(): Promise<void> {
    try {
      const hasChanged = await this.#read();
      this.#isAway = false;
      if (hasChanged) this.#notify();
    } catch (error) {
      if (!this.#isAway || isProgrammingError(error)) this.#parts.report(error);
      this.#isAway = true;
    }
    if (this.#parts.now() >= this.#nextEndAt) this.#notify();
    this.#schedule();
  }

  async #read(): Promise<boolean> {
    const read = await this.#parts.records?.changedSince(this.#version);
    if (read === undefined) return false;
    this.#version = read.version;
    this.#records = read.keys;
    this.#openStored();
    return true;
  }

  #openStored(): void {
    const now = this.#parts.now();
    const keys = this.#records
      .filter((record) => isUsable(record, now))
      .flatMap((record) => this.#opened(record));
    this.#stored = new Map(keys.map((key) => [key.id, key]));
    this.#nextEndAt = this.#findNextEnd();
  }

  #opened(record: KeyRecord): readonly GivenKey[] {
    const { seal, hide } = this.#parts;
    const { id, generation, sealed, previous, addresses, ...grant } = record;
    if (this.#given.has(id)) {
      return this.#unusable(
        `the stored key ${id} is not used: the configuration has one of that id`,
      );
    }
    if (seal === undefined) {
      const accepted =
        'accepted: that which it was made with, in TWAPD_KEYS_SECRET or gateway.keysSecret';
      return this.#unusable(
        `the stored key ${id} is not used: no master secret is set; ${accepted}`,
      );
    }
    try {
      const secret = seal.open(sealed, { grant: record, generation });
      if (!bindsGrant(sealed)) this.#reportOnce(unbound(id));
      const before = previous && {
        secret: seal.open(previous.sealed, { grant: record, generation: generation - 1 }),
        until: previous.until,
      };
      for (const one of [secret, before?.secret]) if (one !== undefined) hide?.(one);
      const admits = addresses.length === 0 ? undefined : addressList(addresses);
      return [{ ...grant, id, generation, secret, previous: before, admits }];
    } catch (error) {
      throwProgrammingError(error);
      return this.#unusable((error as Error).message);
    }
  }

  #unusable(reason: string): readonly GivenKey[] {
    this.#reportOnce(reason);
    return [];
  }

  #reportOnce(reason: string): void {
    if (!this.#told.has(reason)) this.#parts.report(new Error(reason));
    this.#told.add(reason);
  }

  #notify(): void {
    this.#nextEndAt = this.#findNextEnd();
    for (const listener of this.#listeners) listener();
  }

  #findNextEnd(): number {
    const now = this.#parts.now();
    const ends = [...this.#given.values(), ...this.#stored.values()].flatMap((key) => [
      key.expiresAt ?? Infinity,
      key.previous?.until ?? Infinity,
    ]);
    return Math.min(Infinity, ...ends.filter((end) => end > now));
  }
}

const unbound = (id: string): string =>
  `the secret of the stored key ${id} was sealed by an earlier version, which does not bind what the key may do; rotate it: keys rotate ${id}`;

function idleTimer(delayMs: number, then: () => void): () => void {
  const timer = setTimeout(then, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

const isUsable = ({ revokedAt, expiresAt }: KeyRecord, now: Instant): boolean =>
  revokedAt === undefined && (expiresAt === undefined || now < expiresAt);

const isSameKey = (a: GivenKey, b: GivenKey): boolean => shapeOf(a) === shapeOf(b);

const shapeOf = ({ admits: _admits, generation: _generation, ...key }: GivenKey): string =>
  JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)));
