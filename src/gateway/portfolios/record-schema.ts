// The portfolio record as clients see it. 64-bit values and decimals are text.
import { z } from 'zod';
import { residualRfqRecord } from './residual-rfq-view.ts';

const text = (description: string) => z.string().describe(description);
const decimal = text;
const int64 = text;
const status = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
  .describe('1 PENDING/ACTIVE, 2 FILLED, 3 CANCELLED, 4 CANCELLING');

const legRecord = z
  .object({
    legId: int64('Leg id: the portfolio id and the leg number in two digits'),
    side: z.union([z.literal(1), z.literal(2)]).describe('1 BUY, 2 SELL'),
    instrument: text('Instrument name'),
    instrumentType: z
      .enum(['OPTION', 'PERPETUAL', 'DELIVERY_FUTURES', 'SPOT', 'FUTURE_COMBO', 'OPTION_COMBO'])
      .describe('Kind of the instrument'),
    legStatus: status,
    placeQuantity: decimal('Requested quantity'),
    quantityIn: text('Unit of the quantities'),
    filledAvgPrice: decimal('Average price of the fills; 0 without fills'),
    filledQuantity: decimal('Quantity filled'),
    remainingQuantity: decimal('Quantity not filled'),
    fee: decimal('Fees paid in defaultPvCcy'),
    forCcy: text('Base currency of the exposure'),
    domCcy: text('Currency the exposure is priced against'),
    markCcy: text('Currency of the mark price'),
    notionalCcy: text('Currency of the notional'),
    defaultPvCcy: text('Currency of premium, result and fees'),
    hedge: z.boolean().describe('Sized by the fills of the other legs'),
    fees: z
      .array(z.object({ fee: decimal('Amount'), currency: text('Currency') }))
      .describe('Fees of every currency'),
    outstandingQuantity: decimal('Open at the venue, or possibly open; not filled'),
    scheduledQuantity: decimal('Quantity scheduled to be filled by updateTimestamp'),
    slicesPlanned: z
      .int()
      .describe(
        'Planned slices (BALANCE: parts); for a hedge leg, which has no plan, the slices started so far; 0 for a mirror',
      ),
    slicesPlaced: z
      .int()
      .describe(
        'Planned slices that sent at least one order; slices of the end action do not count',
      ),
    slicesMissed: z
      .int()
      .describe(
        'Planned slices that ended without sending an order. At the end slicesPlaced + slicesMissed = slicesPlanned',
      ),
    nextSlice: z.int().describe('Index of the next slice, from 0'),
    reprices: z.int().describe('Edits of resting children'),
    waiting: text('Why the current slice places no orders').optional(),
    refusal: z
      .object({
        code: z.int().describe('Code of the venue; 0: not sent'),
        message: text('Why'),
        timestamp: int64('When, Unix milliseconds'),
      })
      .describe('Refusal of the latest child order, until one is accepted')
      .optional(),
    priority: z.boolean().describe('BALANCE: whether this leg leads').optional(),
    unhedgedQuantity: decimal(
      'Of a hedge: what the fills of the other legs require and it has not filled; absent: nothing',
    ).optional(),
    aheadQuantity: decimal(
      'BALANCE: filled beyond the proportion of the least filled leg',
    ).optional(),
    aheadBound: decimal('BALANCE: the most it can be ahead during the part').optional(),
  })
  .describe('One leg');

const twapTrade = z
  .object({
    startTimestamp: int64('Start, Unix milliseconds'),
    endTimestamp: int64('End of the schedule, Unix milliseconds'),
    durationSec: int64('Duration in seconds, rounded up; endTimestamp is exact'),
    frequencySec: int64('Seconds between two slices'),
    totalMs: int64('Milliseconds from submit to the last update'),
    endAction: text('Treatment of the residual at the end'),
    fees: z
      .array(z.object({ fee: decimal('Amount'), defaultPvCcy: text('Currency') }))
      .describe('Fees of all legs by currency'),
  })
  .describe('The schedule');

const balanceTrade = z
  .object({
    parts: z.int().describe('Number of consecutive parts'),
    eachLimitMs: int64('Time limit of one part, milliseconds'),
    totalLimitMs: int64('Time limit of the portfolio, milliseconds; 0: no limit'),
    totalEndAction: z
      .union([z.literal(1), z.literal(2)])
      .describe('At the total limit: 1 CANCEL_REMAINING, 2 FILL_BY_MARKET'),
    totalMs: int64('Milliseconds from submit to the last update'),
    fees: z
      .array(z.object({ fee: decimal('Amount'), defaultPvCcy: text('Currency') }))
      .describe('Fees of all legs by currency'),
    partsDone: z.int().describe('Completed parts'),
    stage: text('Stage of the current part: work, chase or sweep').optional(),
    partTimeout: text('Treatment of a part that exceeds its time: chase or keep'),
  })
  .describe('The parts');

const mirrorRecord = z
  .object({
    portfolioId: int64('Portfolio id of the mirror'),
    accountId: int64('Account id'),
    accountName: text('Account name'),
    scale: decimal("Its quantities as a multiple of this portfolio's"),
    portfolioStatus: status,
    reason: text('Why it ended or is being cancelled').optional(),
    legs: z
      .array(
        z.object({
          placeQuantity: decimal('Its total'),
          filledQuantity: decimal('Its share of the fills'),
          filledAvgPrice: decimal('Average price of its fills; 0 without fills'),
          remainingQuantity: decimal('Not filled'),
        }),
      )
      .describe('In the order of the legs'),
  })
  .describe('A mirror of the portfolio in a dummy account');

export const portfolioRecordSchema = z
  .object({
    uid: text('User who submitted it'),
    nickname: text('Name of that user'),
    accountId: int64('Account id'),
    accountName: text('Account name'),
    exchange: text('Exchange the account belongs to'),
    portfolioId: int64('Portfolio id'),
    submitTimestamp: int64('Submit time, Unix milliseconds'),
    updateTimestamp: int64('Last update, Unix milliseconds'),
    portfolioStatus: status,
    portfolioType: text('TWAP or BALANCE'),
    twapTrade: twapTrade.optional(),
    balanceTrade: balanceTrade.optional(),
    strategy: text('Label of the strategy').optional(),
    customizedNote: text('Note of the submitter'),
    lastEditedUid: text('User of the last change'),
    reason: text('Why it ended or is being cancelled').optional(),
    paused: z
      .object({ byUid: text('User who paused it'), timestamp: int64('Since, Unix milliseconds') })
      .describe('Paused by an operator: no orders are placed')
      .optional(),
    mirrorOf: int64('Portfolio whose fills this one mirrors').optional(),
    scale: decimal(
      "Of a mirror: its quantities as a multiple of the mirrored portfolio's",
    ).optional(),
    mirrors: z
      .array(mirrorRecord)
      .describe('State of each mirror, in the order of mirrorPortfolioIds; info only')
      .optional(),
    mirrorPortfolioIds: z.array(int64('Portfolio id')).describe('Portfolios that mirror this one'),
    endRfq: residualRfqRecord.optional(),
    legs: z.array(legRecord).describe('The legs, in the order they were submitted'),
  })
  .describe('A portfolio');

export type LegRecord = z.infer<typeof legRecord>;
export type PortfolioRecord = z.infer<typeof portfolioRecordSchema>;
