// Plain data as text between two engines. Decimals and big integers keep every digit; a failure that callers tell apart
// arrives as what it was.
import { PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import { LedgerFailure } from '../../ports/ledger.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import { Decimal, formatDecimal, writtenDecimal } from '../../values/decimal.ts';

const DECIMAL = '$decimal';
const WHOLE = '$bigint';
const NOTHING = '$nothing';

/** What JSON can carry. The interface of the engine takes and gives nothing else (`plain-interface.ts`). */
function plain(value: unknown): unknown {
  if (value === undefined) return { [NOTHING]: true };
  if (typeof value === 'bigint') return { [WHOLE]: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return { [DECIMAL]: formatDecimal(value) };
  if (Array.isArray(value)) return value.map(plain);
  // Loops instead of lists of entries here and in `read`: each order is written and read twice, and that halves the
  // time of it (`npm run bench parts`, pipelined orders).
  const made: Fields = {};
  const fields = value as Fields;
  for (const name of Object.keys(fields)) {
    // An absent field and an undefined one are the same to a reader.
    if (fields[name] !== undefined) setField(made, escaped(name), plain(fields[name]));
  }
  return made;
}

/** Reads what JSON gave, in its place. */
function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) value[index] = read(element);
    return value;
  }
  if (NOTHING in value) return undefined;
  if (WHOLE in value) return BigInt(String(value[WHOLE]));
  if (DECIMAL in value) return writtenDecimal(String(value[DECIMAL]));
  const names = Object.keys(value);
  const isEscaped = names.some((name) => name.startsWith('$'));
  const made: Fields = isEscaped ? {} : (value as Fields);
  for (const name of names) setField(made, unescaped(name), read((value as Fields)[name]));
  return made;
}

type Fields = Record<string, unknown>;

/** Of any name: `__proto__` is a field like any other here. */
function setField(fields: Fields, name: string, value: unknown): void {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, writable: true });
}

/** Clients name fields as they like: none may pass for a mark of ours. */
const escaped = (name: string): string => (name.startsWith('$') ? `$${name}` : name);
const unescaped = (name: string): string => (name.startsWith('$$') ? name.slice(1) : name);

export const argsText = (args: readonly unknown[]): string => JSON.stringify(args.map(plain));

/** @throws SyntaxError if the text is not one that {@link argsText} writes. */
export function argsOf(text: string): readonly unknown[] {
  const value = read(JSON.parse(text));
  if (!Array.isArray(value)) throw new SyntaxError('arguments are a list');
  return value;
}

/** A notice of a subscription. */
export const noticeText = (notice: unknown): string => JSON.stringify(plain(notice));

/** @throws SyntaxError if the text is not one that {@link noticeText} writes. */
export const noticeOf = (text: string): unknown => read(JSON.parse(text));

export const resultText = (result: unknown): string => JSON.stringify({ result: plain(result) });

/** A failure is passed on with its message and kind, without its stack. */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof LedgerFailure) {
    return JSON.stringify({ failure: 'ledger', message, maybe: error.maybe });
  }
  return JSON.stringify({ failure: kindOf(error), message });
}

function kindOf(error: unknown): 'market' | 'unreached' | 'other' {
  if (error instanceof MarketUnanswered) return 'market';
  return error instanceof PeerUnreached ? 'unreached' : 'other';
}

/** The result, or throws the failure that the text is about. */
export function resultOf(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new SyntaxError('an answer is a record');
  if ('result' in value) return read(value.result);
  const { failure, message, maybe }: { readonly [name: string]: unknown } = { ...value };
  if (failure === undefined) throw new SyntaxError('an answer has a result or a failure');
  if (failure === 'ledger') throw new LedgerFailure(String(message), maybe === true);
  if (failure === 'market') throw new MarketUnanswered(String(message));
  if (failure === 'unreached') throw new PeerUnreached(String(message));
  throw new Error(String(message));
}
