// An action as a line of text and back: plain JSON, so that whoever has to look at it needs no tool of ours.
import type { Action } from '../../ports/action-log.ts';
import { accountId } from '../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../values/instant.ts';

/** With its end; a break inside a value is written as an escape. */
export const actionLine = (action: Action): string => `${JSON.stringify(action)}\n`;

/** `undefined` for what is no action, such as a line that a crash cut short. Fields it does not know are left out. */
export function readActionLine(line: string): Action | undefined {
  const fields = objectIn(line);
  if (fields === undefined) return undefined;
  const { at, keyId, uid, nickname, address, method, account, outcome } = fields;
  if (!isInstant(at) || !isText(account)) return undefined;
  if (!isText(keyId) || !isText(uid) || !isText(nickname) || !isText(address)) return undefined;
  if (!isText(method) || !isText(outcome)) return undefined;
  const { instrument, label, orderId } = fields;
  return {
    ...{ at: instant(at), keyId, uid, nickname, address, method, account: accountId(account) },
    instrument: isText(instrument) ? instrument : undefined,
    label: isText(label) ? label : undefined,
    orderId: isText(orderId) ? orderId : undefined,
    outcome,
  };
}

type Fields = Readonly<Partial<Record<keyof Action, unknown>>>;

function objectIn(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isInstant = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= INSTANT_MAX;
