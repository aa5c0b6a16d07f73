// Classifies a venue's error code: refused for good, refused for now, already done, or unknown.
import { type AnswerClass, VENUE_CODES } from './venue-codes.ts';

/** Anything not listed is unknown: a wrong "refused" would place an order twice. */
export const answerClass = (code: number): AnswerClass =>
  VENUE_CODES.get(code)?.answer ?? 'unknown';
