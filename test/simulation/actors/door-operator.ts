// An operator at a gateway: sets trading switches and checks that they are in force, and grants single orders
// an override of a control that another person requested.
import { later } from '../../../src/values/instant.ts';
import { type Doors, isDone, type Reachable, type Told } from './door-client.ts';
import { keyIdOf, OPERATOR } from './door-keys.ts';
import { TRADING } from './front-door.ts';

export interface SwitchWish {
  readonly scope: 'deployment' | 'account' | 'portfolio';
  readonly of: string;
  readonly state: 'active' | 'reducing' | 'halted';
}

export interface OverrideAsked {
  readonly control: string;
  readonly accountId: string;
  readonly instrumentName: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
}

const REASON = 'simulated';
/** A daemon polls the ledger several times a second; as many failed polls in a row are not drawn. */
const RELEASE_READINGS = 10;
const READ_AGAIN_MS = 1_000;

/** A restriction that was acknowledged is in force at that daemon at once; a release, when it has read the ledger again. */
export async function setSwitchByDoor(
  doors: Doors,
  at: Reachable,
  { scope, of, state }: SwitchWish,
): Promise<void> {
  const body = { scope, ...(of !== '' && { of }), state, reason: REASON };
  const told = await asked(doors, at, 'switch', body);
  if (told === undefined || !isDone(told.body)) return;
  doors.parts.trouble.note('switch set at a door');
  const target = `${TRADING}/switches`;
  const { clock } = doors.parts;
  for (let readings = state === 'active' ? RELEASE_READINGS : 1; readings > 0; readings -= 1) {
    const listed = await doors.request(at, { keyId: OPERATOR, verb: 'GET', target });
    if (listed === undefined || !isDone(listed.body)) return;
    const { value } = JSON.parse(listed.body) as { readonly value: readonly SwitchWish[] };
    if (value.some((one) => one.scope === scope && one.of === of)) return;
    await new Promise<void>((resolve) => {
      clock.at(later(clock.now(), READ_AGAIN_MS), resolve);
    });
  }
  doors.parts.reportBreach('I11', `the switch of the ${scope} ${of} was set and is not there`);
}

/** Requested under one key and granted under another; a grant under the same key has no effect. */
export async function letPastByDoor(
  doors: Doors,
  at: Reachable,
  { isBySame, ...wish }: OverrideAsked & { readonly isBySame: boolean },
): Promise<void> {
  const body = { ...wish, reason: REASON };
  const asker = isBySame ? OPERATOR : keyIdOf(wish.accountId);
  const told = await asked(doors, at, 'override', body, asker);
  if (told === undefined || !isDone(told.body)) return;
  const { value } = JSON.parse(told.body) as { readonly value: { readonly id: string } };
  const granted = await asked(doors, at, 'override-grant', { id: value.id });
  if (granted === undefined || !isDone(granted.body)) return;
  doors.parts.trouble.note('override granted at a door');
  if (isBySame) doors.parts.reportBreach('I16', `${value.id} was granted by its own requester`);
}

const asked = (
  doors: Doors,
  at: Reachable,
  name: string,
  body: object,
  keyId = OPERATOR,
): Promise<Told> => doors.request(at, { keyId, verb: 'POST', target: `${TRADING}/${name}`, body });
