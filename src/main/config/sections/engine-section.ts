// How the engine wakes, places and resolves orders. The margins turn a missing order into evidence that it
// never existed: they must exceed the venue's real delays, and across a network 5 s is the minimum.
import { z } from 'zod';
import { DEFAULT_SETTINGS } from '../../../core/terms/settings.ts';

/** Minimum of `skewMs` and `readLagMs` if an order travels over a network. */
export const LIVE_MARGIN_MS_MIN = 5_000;

const ms = (min: number, max: number, byDefault: number) =>
  z.int().min(min).max(max).default(byDefault);

const waking = {
  leadMs: ms(0, 10_000, 300).describe(
    'How long before a due time the queue wakes the engine, in milliseconds; it then waits to the exact instant.',
  ),
  armMs: ms(0, 1_000, 25).describe(
    'How long before its due time a slice is priced and made durable, in milliseconds; the order leaves at the due time; up to 250 ms more where many are due together. 0 decides at the due time and sends after the commit.',
  ),
  sweepMs: ms(100, 60_000, 1_000).describe(
    'Interval of the overdue sweeper, which runs due work the queue did not wake, in milliseconds.',
  ),
  auditMs: ms(500, 600_000, 2_000).describe(
    'Pause between two rounds of the auditor, which checks the ledger against itself and the venues, in milliseconds.',
  ),
};

const placing = {
  validForMs: ms(200, 60_000, DEFAULT_SETTINGS.validForMs).describe(
    'How long the venue may still accept an order after it was sent, in milliseconds.',
  ),
  skewMs: ms(0, 60_000, DEFAULT_SETTINGS.skewMs).describe(
    'Largest trusted difference between our clock and the venue clock, in milliseconds; at least 5000 unless every venue is a paper exchange of this machine.',
  ),
  readLagMs: ms(0, 60_000, DEFAULT_SETTINGS.readLagMs).describe(
    'Longest trusted delay until the venue shows an order it accepted, in milliseconds; at least 5000 unless every venue is a paper exchange of this machine.',
  ),
  quoteAgeMaxMs: ms(100, 600_000, DEFAULT_SETTINGS.quoteAgeMaxMs).describe(
    'Oldest quote that still prices an order, in milliseconds; an older one counts as none.',
  ),
};

const working = {
  retryMs: ms(50, 60_000, DEFAULT_SETTINGS.retryMs).describe(
    'Cool-down after a refused or unfilled order before the slice retries, in milliseconds.',
  ),
  cancelRetryMs: ms(100, 60_000, DEFAULT_SETTINGS.cancelRetryMs).describe(
    'How long a cancel may stay without effect before it is sent again, in milliseconds.',
  ),
  attemptsMax: z
    .int()
    .min(1)
    .max(1_000)
    .default(DEFAULT_SETTINGS.attemptsMax)
    .describe('Most child orders one slice may try.'),
  guardShare: z
    .number()
    .min(0)
    .max(0.5)
    .default(DEFAULT_SETTINGS.guardShare)
    .describe('Share of the slice before its end at which resting orders are cancelled.'),
  guardMaxMs: ms(0, 60_000, DEFAULT_SETTINGS.guardMaxMs).describe(
    'Upper bound of that share, in milliseconds.',
  ),
  endGraceMs: ms(0, 600_000, DEFAULT_SETTINGS.endGraceMs).describe(
    'How long the end action may take after the end time, in milliseconds.',
  ),
  endLateMaxMs: ms(0, 86_400_000, DEFAULT_SETTINGS.endLateMaxMs).describe(
    'After downtime across the end of a portfolio, how late its end action is still followed, in milliseconds.',
  ),
};

const memory = {
  stateMemoryMb: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(128)
    .describe(
      'Estimated memory of the states of portfolios, in megabytes; beyond it those that only wait leave memory, and are loaded again a minute before they are due.',
    ),
};

export const engineSection = z
  .strictObject({ ...waking, ...placing, ...working, ...memory })
  .describe('How the engine wakes, places and resolves orders.');
