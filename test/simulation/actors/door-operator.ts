// An operator at a gateway: sets trading switches and checks that they are in force, and grants single orders
// an override of a control that another person requested.
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

/** A setting that was acknowledged is in force at that daemon. */
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
  const listed = await doors.ask(at, { keyId: OPERATOR, verb: 'GET', target });
  if (listed === undefined || !isDone(listed.body)) return;
  const { value } = JSON.parse(listed.body) as { readonly value: readonly SwitchWish[] };
  if (value.some((one) => one.scope === scope && one.of === of)) return;
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
): Promise<Told> => doors.ask(at, { keyId, verb: 'POST', target: `${TRADING}/${name}`, body });
