// What an error code of the venue means for a request: refused for good, refused for now, already
// done, or unknown. Anything not listed is unknown: a wrong "refused" would place an order twice.

/**
 * `final`   not accepted; sending the same again is pointless
 * `later`   not accepted; the same may be accepted later
 * `done`    the order is already closed (an answer to edit or cancel)
 * `unknown` may have been accepted: ask
 */
export type AnswerClass = 'final' | 'later' | 'done' | 'unknown';

const span = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const DONE = new Set([10004, 10010, 11008, 11044, 13777]);
const LATER = new Set([10028, 10040, 10041, 10047, 10066, 11051, 13025, 13503, 13666, 13888]);
const UNKNOWN = new Set([10001, 10050, 11030, 11031, 11094, 13008, 13028]);
const FINAL = new Set(
  [
    span(10002, 10003),
    span(10005, 10007),
    [10009],
    span(10011, 10027),
    [10029],
    span(10031, 10039),
    [10043, 10044],
    [11021],
    span(11029, 11050),
    [11054, 11055, 11059],
    [13004, 13009, 13019, 13020, 13021, 13030, 13032],
    [-32700, -32602, -32601, -32600, -32000],
  ].flat(),
);

/** Deribit's error numbers, which the paper exchange shares (venue's published code table, 2026). */
export function answerClass(code: number): AnswerClass {
  if (UNKNOWN.has(code)) return 'unknown';
  if (DONE.has(code)) return 'done';
  if (LATER.has(code)) return 'later';
  return FINAL.has(code) ? 'final' : 'unknown';
}
