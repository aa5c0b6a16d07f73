// Encodes an action as a line of text and decodes it: plain JSON, readable without any tool of ours.
import type { Action } from '../../ports/action-log.ts';
import { accountId } from '../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../values/instant.ts';

/** With its line end; a line break inside a value is escaped. */
export const actionLine = (action: Action): string => `${JSON.stringify(action)}\n`;

/**
 * `undefined` for a line that is not an action, such as one that a crash cut short. Unknown fields are
 * dropped.
 */
export function readActionLine(line: string): Action | undefined {
  const fields = objectIn(line);
  if (fields === undefined) return undefined;
  const { at, keyId, uid, nickname, address, method, account, outcome } = fields;
  if (!isInstant(at) || !isText(account)) return undefined;
  if (!isText(keyId) || !isText(uid) || !isText(nickname) || !isText(address)) return undefined;
  if (!isText(method) || !isText(outcome)) return undefined;
  const { instrument, label, orderId } = fields;
  return {
    at: instant(at),
    keyId,
    uid,
    nickname,
    address,
    method,
    account: accountId(account),
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
