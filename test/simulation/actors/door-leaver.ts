// A client that sends a request at every beat: it reaches the rate limits of the gateways, and continues after its key is revoked.

import type { DoorPlan } from '../plan/plan.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { Doors, Reachable } from './door-client.ts';
import { keyIdOf, LEAVER } from './door-keys.ts';
import { PORTFOLIOS } from './front-door.ts';

const [FIRST = DUMMY] = ACCOUNTS;
/** The client stops this long after the revocation. */
const GOES_ON_MS = 4_000;

export class DoorLeaver {
  readonly #doors: Doors;
  readonly #keyId: string;
  /** From the start of the run. */
  readonly #untilMs: number;

  constructor(doors: Doors, { revokeAtMs, later }: DoorPlan) {
    this.#doors = doors;
    this.#keyId = revokeAtMs === undefined ? keyIdOf(FIRST) : LEAVER;
    const changeMs = Math.max(revokeAtMs ?? -GOES_ON_MS, later?.atMs ?? -GOES_ON_MS);
    this.#untilMs = changeMs + GOES_ON_MS;
  }

  act(nowMs: number, alive: readonly Reachable[]): void {
    const [served] = alive;
    if (served === undefined || nowMs >= this.#untilMs) return;
    const target = `${PORTFOLIOS}/page?accountId=${FIRST}&pageSize=50`;
    const asking = { keyId: this.#keyId, verb: 'GET', target } as const;
    void this.#doors.request(served, asking).then((answer) => {
      if (answer?.status === 401) this.#doors.parts.trouble.note('revoked key refused');
    });
  }
}
