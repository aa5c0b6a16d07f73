// Params from the query of an address, where everything is text. A list is a repeated name or its JSON; text that is
// refused as it stands is read again as JSON, and as a list of one.
import { MalformedJson, parseJsonText } from '../../wire/json.ts';
import type { DeribitMethod } from '../method/deribit-method.ts';
import type { DeribitParams } from './deribit-envelope.ts';

/** More names than any method has. */
const NAMES_MAX = 64;

export function queryParams(query: string): DeribitParams {
  const params: Record<string, unknown> = {};
  let names = 0;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === '__proto__') continue;
    const before = Object.hasOwn(params, name) ? params[name] : undefined;
    if (before === undefined) {
      names += 1;
      if (names > NAMES_MAX) break;
      params[name] = value;
    } else if (Array.isArray(before)) before.push(value);
    else params[name] = [before, value];
  }
  return params;
}

/** The params as the method reads them: text becomes a list or an object where only that is accepted. */
export function typedParams(method: DeribitMethod, params: DeribitParams): DeribitParams {
  let typed = params;
  for (const name of method.paramNames) {
    const value = typed[name];
    if (typeof value !== 'string') continue;
    if (!isRefused(method, typed, name)) continue;
    const other = [jsonOf(value), [value]].find(
      (one) => one !== undefined && !isRefused(method, { ...typed, [name]: one }, name),
    );
    if (other !== undefined) typed = { ...typed, [name]: other };
  }
  return typed;
}

function isRefused(method: DeribitMethod, params: DeribitParams, name: string): boolean {
  const read = method.read({ [name]: params[name] });
  if (!('refusal' in read)) return false;
  const param = read.refusal.details?.param ?? '';
  return param === name || param.startsWith(`${name}[`) || param.startsWith(`${name}.`);
}

function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof MalformedJson) return undefined;
    throw error;
  }
}
