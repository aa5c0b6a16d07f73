// The venues, by name. An account belongs to one of them.
import { z } from 'zod';
import { RFQ_DESKS_MAX } from '../../../exchange/market/block-makers/rfq-desks.ts';
import { isDecimalText } from '../../../values/decimal.ts';
import { quietWindows } from './blackout-window-section.ts';
import { deribitVenue } from './deribit-section.ts';
import { marketSection } from './market-section.ts';
import { rulesSection } from './rules-section.ts';

const balances = z
  .record(
    z.string().regex(/^[A-Z0-9]{2,10}$/, 'is not a currency; accepted: a code such as BTC'),
    z.string().refine((text) => isDecimalText(text) && !text.startsWith('-'), {
      message: 'is not an amount; accepted: a decimal of 0 or more in quotes, such as "100"',
    }),
  )
  .default({ BTC: '100', ETH: '1000', USDC: '5000000' })
  .describe(
    'What every account starts with, as amounts by currency; that of the real accounts for a rehearsal.',
  );

const paperVenue = z
  .strictObject({
    kind: z.literal('paper').describe('The built-in paper exchange, in this process.'),
    seed: z
      .int()
      .min(0)
      .max(0xffff_ffff)
      .default(1)
      .describe('Seed of the simulated market, to repeat a run: the same seed moves the same way.'),
    market: marketSection,
    rfqMakers: z
      .int()
      .min(0)
      .max(RFQ_DESKS_MAX)
      .default(RFQ_DESKS_MAX)
      .describe(
        'Simulated market makers that answer Block RFQs; 0 leaves that to users, as where a desk tests its own maker.',
      ),
    rules: rulesSection,
    latencyMs: z
      .int()
      .min(0)
      .max(5_000)
      .default(5)
      .describe(
        'Time an order takes to reach the exchange and its answer to return, in milliseconds, as measured at the real venue.',
      ),
    quietWindows,
    journalSync: z
      .boolean()
      .default(false)
      .describe(
        'Whether an order is on the disk before it is answered, for an exchange others rely on: a power cut loses none, answers are slower. The end of the process loses none either way.',
      ),
    startingBalances: balances,
  })
  .describe('The built-in paper exchange.');

export const venuesSection = z
  .record(
    z
      .string()
      .regex(
        /^[a-z][a-z0-9-]{0,31}$/,
        'is not a venue name; accepted: lower-case letters, digits and dashes',
      ),
    z.discriminatedUnion('kind', [paperVenue, deribitVenue]),
  )
  .refine((venues) => Object.keys(venues).length > 0, {
    message: 'is empty; accepted: at least one venue',
  })
  .describe('The exchanges, by a name of your choice.');

export type PaperVenueSection = z.output<typeof paperVenue>;
