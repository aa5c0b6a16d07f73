// The source of a paper exchange's prices: generated from a seed, or replayed from a recording.
import { z } from 'zod';
import { REGIMES, USUAL_REGIME } from '../../../exchange/market/regimes.ts';
import { deribitAddress, deribitEnvironment } from './venue-address.ts';

const seeded = z
  .strictObject({
    kind: z.literal('seeded').describe('Generated from the seed of the venue.'),
    regime: z
      .enum(REGIMES)
      .default(USUAL_REGIME)
      .describe(
        'The days of 2026 Q1 whose minutes it reproduces: the quietest quarter, all, the busiest quarter, the wildest twentieth. wild-days to try limits and controls.',
      ),
  })
  .describe('A market generated from a seed.');

const text = z.string().min(1);

const recorded = z
  .strictObject({
    kind: z.literal('recorded').describe('Replayed from recordings in the columns of tardis.dev.'),
    folder: text.describe(
      'Folder of the recordings, `<exchange>_<type>_<date>_<SYMBOL>.csv.gz`; the first row is replayed when the exchange first starts.',
    ),
    exchange: text
      .optional()
      .describe('Exchange whose recordings are replayed; needed where the folder has several.'),
    symbols: z
      .array(text)
      .min(1)
      .optional()
      .describe(
        'Recorded symbols to trade, such as BTC-PERPETUAL; without it all of the exchange.',
      ),
    instruments: text
      .optional()
      .describe(
        'CSV file with the terms of the instruments; without it instruments.csv in the folder, and where that has none they are inferred.',
      ),
    speed: z
      .number()
      .min(0.01)
      .max(1_000)
      .default(1)
      .describe('Recorded seconds that pass per second; more to see a day in an hour.'),
    atEnd: z
      .enum(['loop', 'stop'])
      .default('loop')
      .describe(
        'After the last row: loop begins again, with a jump of the prices; stop leaves the books empty. Expired instruments do not come back.',
      ),
    maxGapSec: z
      .number()
      .min(0.1)
      .max(86_400)
      .default(10)
      .describe(
        'Silence after which a book is removed, in elapsed seconds; longer for options that are quoted seldom.',
      ),
  })
  .describe('A market replayed from recordings.');

const live = z
  .strictObject({
    kind: z
      .literal('live')
      .optional()
      .describe('The public prices of a live venue; may be left out beside `from`.'),
    from: z.literal('deribit').describe('Whose prices; needs no key.'),
    environment: deribitEnvironment
      .optional()
      .describe('Which Deribit; default production, whose prices cost nothing to read.'),
    url: deribitAddress
      .optional()
      .describe(
        'Address of the WebSocket in place of an environment, as that of an exchange of this machine.',
      ),
    maxGapSec: z
      .number()
      .min(1)
      .max(86_400)
      .default(15)
      .describe(
        'Silence after which a book is removed, in elapsed seconds; longer for options that are quoted seldom.',
      ),
  })
  .describe('Live prices, on which nothing is really traded.');

/** Of the kinds only live may be left out, and only alongside `from`: any other block without a kind lacks that. */
const withKind = (input: unknown): unknown =>
  isBlock(input) && input['kind'] === undefined && input['from'] === undefined
    ? { ...input, kind: null }
    : input;

const isBlock = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

const SEEDED = { kind: 'seeded', regime: USUAL_REGIME } as const;

export const marketSection = z
  .preprocess(withKind, z.discriminatedUnion('kind', [seeded, recorded, live]))
  .default(SEEDED)
  .meta({ default: SEEDED })
  .describe('Where prices come from.');

export type RecordedMarketSection = z.output<typeof recorded>;
export type LiveMarketSection = z.output<typeof live>;
