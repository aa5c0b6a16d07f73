// How the engine places and resolves orders. The margins turn a missing order into evidence that it
// never existed: they must exceed the venue's real delays, and across a network 5 s is the minimum.
import { z } from 'zod';
import { DEFAULT_SETTINGS } from '../../../core/terms/settings.ts';

/** Minimum of `skewMs` and `readLagMs` if an order travels over a network. */
export const LIVE_MARGIN_MS_MIN = 5_000;

const ms = (min: number, max: number, byDefault: number) =>
  z.int().min(min).max(max).default(byDefault);

const margins = {
  skewMs: ms(0, 60_000, DEFAULT_SETTINGS.skewMs).describe(
    'Largest trusted difference between our clock and the venue clock, in milliseconds, as `twapd doctor` measures it; at least 5000 unless every venue is a paper exchange of this machine.',
  ),
  readLagMs: ms(0, 60_000, DEFAULT_SETTINGS.readLagMs).describe(
    'Longest trusted delay until the venue shows an order it accepted, in milliseconds, as `twapd doctor` measures it; at least 5000 unless every venue is a paper exchange of this machine.',
  ),
};

const working = {
  validForMs: ms(200, 60_000, DEFAULT_SETTINGS.validForMs).describe(
    'How long the venue may still accept an order after it was sent, in milliseconds; longer for a venue that answers slowly, shorter to resolve lost orders sooner.',
  ),
  quoteAgeMaxMs: ms(100, 600_000, DEFAULT_SETTINGS.quoteAgeMaxMs).describe(
    'Oldest quote that still prices an order, in milliseconds; longer for markets whose quotes change seldom.',
  ),
  attemptsMax: z
    .int()
    .min(1)
    .max(1_000)
    .default(DEFAULT_SETTINGS.attemptsMax)
    .describe('Most child orders one slice may try; fewer to bound what one slice sends (PT-6).'),
  endGraceMs: ms(0, 600_000, DEFAULT_SETTINGS.endGraceMs).describe(
    'How long the end action may take after the end time, in milliseconds; longer in markets that fill slowly.',
  ),
  endLateMaxMs: ms(0, 86_400_000, DEFAULT_SETTINGS.endLateMaxMs).describe(
    'How late the end action of a portfolio is still followed after downtime across its end, in milliseconds; 0 for a desk that decides each time.',
  ),
  stateMemoryMb: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(128)
    .describe(
      'Estimated memory of the states of portfolios, in megabytes; beyond it those that only wait leave memory, and are loaded again a minute before they are due. More for thousands that are active at once.',
    ),
};

export const engineSection = z
  .strictObject({ ...margins, ...working })
  .describe('How the engine places and resolves orders.');
