// Books as Deribit publishes and answers them. A level is `[action, price, amount]` in the channel of all levels and
// `[price, amount]` elsewhere; the amount is the new total, so that the action says nothing more.

import { decimalDigits } from '../../../ports/deribit-wire/decimal-digits.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import { bookStateIn } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { BookView } from '../../../ports/market-reads.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { cutText } from '../../../values/text/text-length.ts';
import { type BookFrame, type Level, priceLevel } from './level-book.ts';

const KINDS = ['snapshot', 'change'] as const;
/** A message of more is not a book. */
const LEVELS_MAX = 200_000;

/** @throws MalformedMessage */
export function bookFrameIn(data: unknown, tally: WireTally): BookFrame {
  const book = new Fields('a message of a book', data, tally);
  const otherwise = book.has('prev_change_id') ? 'change' : 'snapshot';
  return {
    kind: book.word('type', KINDS, otherwise),
    at: book.instant('timestamp'),
    changeId: wholeDigits(book.text('change_id')),
    prevChangeId: book.has('prev_change_id') ? wholeDigits(book.text('prev_change_id')) : undefined,
    bids: levelsIn(book, 'bids'),
    asks: levelsIn(book, 'asks'),
  };
}

/** The answer to `public/get_order_book`. @throws MalformedMessage */
export function bookViewIn(
  value: unknown,
  { instrument, depth }: { readonly instrument: InstrumentName; readonly depth: number },
  tally: WireTally,
): BookView {
  const book = new Fields('a book', value, tally);
  const side = (name: string) => levelsIn(book, name).slice(0, depth).map(priceLevel);
  return {
    instrument,
    at: book.instant('timestamp'),
    state: bookStateIn(book),
    changeId: Number(book.digits('change_id')),
    bids: side('bids'),
    asks: side('asks'),
  };
}

/** As they are, because they may be longer than a float holds; `9001.0` is written for some. */
const wholeDigits = (text: string): string => text.replace(/\.0+$/, '');

function levelsIn(book: Fields, name: string): readonly Level[] {
  const levels = book.listIf(name) ?? [];
  if (levels.length > LEVELS_MAX) {
    throw new MalformedMessage(
      `${book.what}: ${name} has ${levels.length} levels; accepted: ${LEVELS_MAX}`,
    );
  }
  return levels.map((level) => levelIn(book.what, level));
}

function levelIn(what: string, level: unknown): Level {
  const parts: readonly unknown[] = Array.isArray(level) ? level : [];
  const [action, at, amount] = parts.length === 3 ? parts : [undefined, ...parts];
  const digits = digitsOf(at);
  const total = action === 'delete' ? '0' : digitsOf(amount);
  if (digits === undefined || total === undefined || parts.length < 2 || parts.length > 3) {
    const shown = cutText(JSON.stringify(level) ?? 'nothing', 60);
    throw new MalformedMessage(
      `${what}: a level is ${shown}; accepted: [action, price, amount] or [price, amount]`,
    );
  }
  return { at: Number(digits), price: digits, amount: total };
}

const digitsOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? decimalDigits(value) : undefined;
