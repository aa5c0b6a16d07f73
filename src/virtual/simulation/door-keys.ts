// The keys of a run: one per account that trades, one that only reads, one that nobody knows. A secret may
// be changed while the run lasts; the one before is good for a moment longer.
import { type Instant, later } from '../../values/instant.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { DoorKey } from './front-door.ts';
import type { DoorPlan } from './plan.ts';
import { ACCOUNTS, DUMMY } from './simulated-accounts.ts';

/** How long the secret before is accepted. */
const OVERLAP_MS = 800;
/** No clock of a daemon is further off. */
const SKEW_MS_MAX = 400;
/** By then every holder has the new one. */
const LEARNT_MS = 600;

const secretOf = (name: string): string =>
  `${name}${'A'.repeat(40)}`.replaceAll('-', '').slice(0, 40);

export class DoorKeys {
  readonly #clock: VirtualClock;
  readonly #bound: boolean;
  readonly #rotatedAt: Instant | undefined;

  constructor(clock: VirtualClock, { isBound, rotateAtMs }: DoorPlan) {
    this.#clock = clock;
    this.#bound = isBound;
    this.#rotatedAt = rotateAtMs === undefined ? undefined : later(clock.now(), rotateAtMs);
  }

  /** As the daemons know it at this moment. */
  find(id: string): DoorKey | undefined {
    const account = ACCOUNTS.find((one) => id === `key-${one}`);
    if (account === undefined) return id === READER.id ? READER : undefined;
    const key = this.#first(id, [account, DUMMY]);
    const at = this.#rotatedAt;
    if (at === undefined || this.#clock.now() < at) return key;
    const previous = { secret: key.secret, until: later(at, OVERLAP_MS) };
    return { ...key, secret: secretOf(`new-${id}`), previous };
  }

  /** As its holder signs at this moment: he learns of a new secret a little later. */
  held(id: string): DoorKey {
    const key = this.find(id) ?? STRANGER;
    const isLearnt =
      this.#rotatedAt !== undefined && this.#clock.now() >= later(this.#rotatedAt, LEARNT_MS);
    return key.previous === undefined || isLearnt ? key : { ...key, secret: key.previous.secret };
  }

  /** A secret of the key that is good no more; absent while there is none. */
  endedSecret(id: string): string | undefined {
    const secret = this.find(id)?.previous?.secret;
    return secret !== undefined && this.isEnded(id, secret) ? secret : undefined;
  }

  /** Whether what this secret signs may have no effect any more, by every clock there is. */
  isEnded(id: string, secret: string): boolean {
    const key = this.find(id);
    if (key === undefined || key.secret === secret) return key === undefined;
    const until = key.previous?.until;
    return until === undefined || this.#clock.now() >= later(until, SKEW_MS_MAX);
  }

  #first(id: string, accounts: DoorKey['accounts']): DoorKey {
    return {
      id,
      secret: secretOf(id),
      uid: '7',
      nickname: 'simulated',
      accounts,
      scopes: ['trade', 'blockRfq'],
      bindBody: this.#bound,
      ...(id === keyIdOf(ACCOUNTS.at(-1) ?? DUMMY) && { makerAlias: 'MAKER' }),
    };
  }
}

export const keyIdOf = (account: string): string => `key-${account}`;

/** May look at the first account, and do nothing. */
export const READER: DoorKey = {
  id: 'key-reader',
  secret: secretOf('reader'),
  uid: '8',
  nickname: 'reader',
  accounts: ACCOUNTS.slice(0, 1),
  scopes: ['read'],
};

/** No door knows it. */
const STRANGER: DoorKey = { ...READER, id: 'key-nobody', secret: secretOf('nobody') };
