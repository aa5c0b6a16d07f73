// A client of the gateways of a run: signs, sends over a network that loses, delays and repeats messages, and waits for an
// answer up to a limit. Checks that no request takes effect twice, and that forbidden ones never do.
import { later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { Trouble } from '../world/trouble.ts';
import type { DoorKeys, HeldKey, KeysSeen } from './door-keys.ts';
import type { RateTruth } from './door-rates.ts';
import type { FrontDoor, Gateway, WireAnswer, WireRequest } from './front-door.ts';

/** A client gives up on an answer after this. */
const PATIENCE_MS = 2_500;

/** A daemon as far as clients reach it. */
export interface Reachable {
  readonly isAlive: boolean;
  readonly door: FrontDoor | undefined;
}

export interface DoorsParts {
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  readonly keys: DoorKeys;
  readonly gateway: Gateway;
  readonly rates: RateTruth;
  /** The keys as each gateway has read them. */
  readonly seen: WeakMap<FrontDoor, KeysSeen>;
  readonly reportBreach: ReportBreach;
}

export interface Asking {
  readonly keyId: string;
  readonly verb: 'GET' | 'POST';
  readonly target: string;
  readonly body?: unknown;
  readonly onceKey?: string | undefined;
  /** Signed without the secret, or with one that is no longer valid. */
  readonly isForged?: boolean | undefined;
  /** Age of the signature. */
  readonly ageMs?: number | undefined;
}

/** `undefined`: no answer arrived in time, and the outcome of the request is unknown. */
export type Told = WireAnswer | undefined;

/** One request in flight, perhaps several times. */
interface Sent {
  readonly request: WireRequest;
  readonly keyId: string;
  /** The secret that signs it. */
  readonly secret: string;
  effects: number;
}

export class Doors {
  readonly parts: DoorsParts;
  #count = 0;

  constructor(parts: DoorsParts) {
    this.parts = parts;
  }

  /** Sends a request to one daemon; repeated copies may reach `others`. */
  async request(at: Reachable, asking: Asking, others: readonly Reachable[] = [at]): Promise<Told> {
    const { keys, trouble } = this.parts;
    const { keyId } = asking;
    const key = keys.held(keyId);
    const secret = asking.isForged ? (keys.endedSecret(keyId) ?? FORGED) : key.secret;
    const request = this.#signed(asking, { ...key, secret });
    const sent: Sent = { request, keyId, secret, effects: 0 };
    trouble.note('asked at a door');
    const answer = await this.#answered(at, sent);
    if (answer !== undefined) trouble.note(`door ${answer.status}`);
    const isDecided = answer === undefined || answer.status === 200;
    if (isDecided && trouble.strikes('door_repeated')) this.#repeat(others, sent);
    return answer;
  }

  /** Replays the same bytes. */
  #repeat(others: readonly Reachable[], sent: Sent): void {
    const { clock, trouble } = this.parts;
    const at = others[trouble.pick('door_repeated', Math.max(1, others.length))];
    if (at === undefined) return;
    const afterMs = 1 + trouble.pick('door_repeated', 3_000);
    clock.at(later(clock.now(), afterMs), () => {
      void this.#answered(at, sent).then((answer) => {
        if (answer?.status === 401) trouble.note('repeated request refused');
      });
    });
  }

  /** Resolves with the answer, or with nothing after the time limit. */
  #answered(at: Reachable, sent: Sent): Promise<Told> {
    const { clock, trouble } = this.parts;
    return new Promise((settle) => {
      const giveUp = clock.at(later(clock.now(), PATIENCE_MS), () => settle(undefined));
      if (trouble.strikes('door_lost')) return;
      const back = (answer: WireAnswer): void => {
        if (trouble.strikes('door_answer_lost')) return;
        this.#after(trouble.spellMs('door_late'), () => {
          giveUp();
          settle(answer);
        });
      };
      this.#after(trouble.spellMs('door_late'), () => this.#deliver(at, sent, back));
    });
  }

  #deliver(at: Reachable, sent: Sent, back: (answer: WireAnswer) => void): void {
    const { door, isAlive } = at;
    if (door === undefined || !isAlive) return;
    const { keys, rates, seen } = this.parts;
    // Each delivery of the same bytes is judged by when it arrived, whichever is answered first.
    const isEnded = keys.isEnded(sent.keyId, sent.secret, seen.get(door));
    const passage = rates.arrived(door, sent.keyId, sent.request);
    void door.request(sent.request).then((answer) => {
      this.#judge(sent, answer, isEnded);
      if (answer.status === 200) passage?.wasLet();
      back(answer);
    });
  }

  /** I14 and I16: one effect, and only for an authorised key. */
  #judge(sent: Sent, { status, body }: WireAnswer, isEnded: boolean): void {
    const { reportBreach } = this.parts;
    const { request } = sent;
    if (status >= 500 && status !== 503)
      reportBreach('crash', `${request.target} answered ${status}`);
    if (status !== 200 || !isDone(body)) return;
    sent.effects += 1;
    if (sent.effects > 1) reportBreach('I14', `${request.target} took effect twice with one nonce`);
    if (isEnded) reportBreach('I16', `${request.target} took effect by a secret that had ended`);
  }

  #after(ms: number | undefined, then: () => void): void {
    const { clock } = this.parts;
    if (ms === undefined) then();
    else clock.at(later(clock.now(), ms), then);
  }

  #signed(asking: Asking, key: HeldKey): WireRequest {
    const { verb, target, body, onceKey, ageMs = 0 } = asking;
    this.#count += 1;
    const { gateway, clock } = this.parts;
    const stamp = { timestamp: String(clock.now() - ageMs), nonce: `n-${this.#count}` };
    const wire = { verb, target, body: textOf(body) };
    const signature = gateway.sign(key.secret, stamp, key.isBound ? wire : undefined);
    const headers = [
      'Authorization',
      `Bearer ${key.id}`,
      'Service-API-Timestamp',
      stamp.timestamp,
      'Service-API-Nonce',
      stamp.nonce,
      'Service-API-Signature',
      signature,
      ...(onceKey === undefined ? [] : ['Idempotency-Key', onceKey]),
    ];
    return { ...wire, headers };
  }
}

const FORGED = 'Zm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2Vk';

/** Values other than JSON are sent unchanged. */
const textOf = (body: unknown): string => {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
};

/** Either envelope of success. */
export const isDone = (body: string): boolean =>
  body.startsWith('{"succ":true') || body.includes('"result":');
