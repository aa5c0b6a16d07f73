// Plain data as text between two engines. Decimals and big integers keep every digit; a failure that callers tell apart
// arrives as what it was.

import { PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import { LedgerFailure } from '../../ports/ledger.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import { formatDecimal, writtenDecimal } from '../../values/decimal.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import { jsonWriter, quoted } from '../../values/text/plain-json.ts';
import { cutText } from '../../values/text/text-length.ts';

const MARK = '$';
const MARK_CODE = MARK.charCodeAt(0);

/**
 * What JSON has no word for is text that begins with a mark and a letter; any other text that begins with the mark has it
 * twice. The interface of the engine takes and gives nothing else (`plain-interface.ts`).
 */
const write = jsonWriter({
  text: (value) => quoted(value.charCodeAt(0) === MARK_CODE ? MARK + value : value),
  decimal: (value) => `"$d${formatDecimal(value)}"`,
  whole: (value) => `"$n${value}"`,
  nothing: '"$u"',
});

/** Reads what JSON gave, in its place. */
function read(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.charCodeAt(0) === MARK_CODE ? unmarked(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = read(value[at]);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (typeof field === 'string') {
      if (field.charCodeAt(0) === MARK_CODE) fields[name] = unmarked(field);
    } else read(field);
  }
  return fields;
}

function unmarked(text: string): unknown {
  switch (text[1]) {
    case 'd':
      return writtenDecimal(text.slice(2));
    case 'n':
      return BigInt(text.slice(2));
    case 'u':
      return undefined;
    case MARK:
      return text.slice(1);
    default:
      throw new SyntaxError(`${JSON.stringify(cutText(text, 24))} has an unknown mark`);
  }
}

export const argsText = (args: readonly unknown[]): string => write(args);

/** @throws SyntaxError if the text is not one that {@link argsText} writes. */
export function argsOf(text: string): readonly unknown[] {
  const value = read(JSON.parse(text));
  if (!Array.isArray(value)) throw new SyntaxError('arguments are a list');
  return value;
}

/** A notice of a subscription. */
export const noticeText = (notice: unknown): string => write(notice);

/** @throws SyntaxError if the text is not one that {@link noticeText} writes. */
export const noticeOf = (text: string): unknown => read(JSON.parse(text));

export const resultText = (result: unknown): string => `{"result":${write(result)}}`;

/** A failure is passed on with its message and kind, without its stack. One that hides a mistake has no kind. */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (isProgrammingError(error)) return JSON.stringify({ failure: 'other', message });
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
