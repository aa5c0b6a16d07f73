// Block RFQs and quotes on Deribit's wire. Ids of both are integers. They are read tolerantly: a word that is not known never makes
// one look closed.
//
// Decisions. Written: an RFQ has one of the four documented states, so that one in its first seconds is `open`, one that other
// makers filled is `filled`, and one that failed is `cancelled`; `trade_trigger` is the latest accept that waits; a ratio is an
// integer if it is whole; a taker's rating is the text of its band.
//
// Read, where the documents are silent. The wire has no state for the first five seconds, in which a taker neither sees
// quotes nor can trade: an open RFQ of that age without a level is `created`. It has one state for a filled RFQ: a maker
// without a fill of its own reads `traded`. It states no reason of an end, and no time of the last change: the reason is
// that of the state, the time the latest in the record.
import { ratio, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import type {
  PricedRfqLeg,
  RfqFill,
  RfqHedge,
  RfqLeg,
  RfqLevel,
  RfqQuoteRecord,
  RfqRecord,
  RfqRole,
  RfqStatus,
  RfqTrigger,
} from '../../values/block-rfq-record.ts';
import type { Currency, InstrumentName } from '../../values/ids.ts';
import { type Instant, later, latest, SECOND_MS } from '../../values/instant.ts';
import { parseExact } from './exact-json.ts';
import {
  FLAG,
  FLAG_IF,
  INSTANT,
  INSTANT_IF,
  INSTRUMENT,
  NUMBER_ID,
  PRICE,
  PRICE_IF,
  QUANTITY,
  QUANTITY_IF,
  SIDE,
  TEXT_IF,
  wordOf,
} from './field-forms.ts';
import { decimalNumber, integerOfText, numberOfText } from './json-number.ts';
import { Fields } from './message-fields.ts';
import { type Form, type JsonObject, listOf, recordTable } from './record-table.ts';
import { ALLOCATIONS } from './trade-rows.ts';

const ROLES = ['taker', 'maker'] as const;
const READ_STATES = [
  'created',
  'open',
  'filled',
  'traded',
  'cancelled',
  'expired',
  'closed',
  'failed',
] as const;
const WRITTEN_STATES: Readonly<Record<RfqStatus, string>> = {
  created: 'open',
  open: 'open',
  filled: 'filled',
  traded: 'filled',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: 'cancelled',
  failed: 'cancelled',
};
const REASONS: Readonly<Partial<Record<RfqStatus, string>>> = {
  filled: 'filled',
  traded: 'traded_away',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: 'closed',
  failed: 'execution_failed',
};
const QUOTE_STATES = ['open', 'filled', 'cancelled', 'expired'] as const;
const TRIGGER_STATES = ['untriggered', 'triggered', 'cancelled'] as const;
const INSTRUCTIONS = ['any_part_of', 'all_or_none'] as const;
const GRACE_MS = 5 * SECOND_MS;

export type CurrencyOf = (legs: readonly { readonly instrument: InstrumentName }[]) => Currency;

export interface RfqContext {
  readonly currencyOf: CurrencyOf;
  /** The alias of the account as a maker. */
  readonly alias?: string | undefined;
  /** The role that the channel implies, for a record without one. */
  readonly role?: RfqRole | undefined;
  readonly venueNow: Instant;
}

/** Empty text is none. */
const NAMED_IF: Form<string | undefined> = { read: (of, name) => of.textIf(name) || undefined };
const INSTRUCTION = wordOf(INSTRUCTIONS, 'any_part_of');

const leg = recordTable<RfqLeg>();
const LEG_ROWS = [
  leg.field('ratio', 'ratio', {
    write: (of) => integerOfText(text(of)),
    read: (of, name) => ratio(of.digitsIf(name) ?? '1'),
  }),
  leg.field('instrument_name', 'instrument', INSTRUMENT),
  leg.field('direction', 'side', SIDE),
];
const LEGS = listOf(LEG_ROWS);

const priced = recordTable<PricedRfqLeg>();
export const PRICED_LEGS = listOf<PricedRfqLeg, keyof PricedRfqLeg, unknown>([
  ...LEG_ROWS,
  priced.field('price', 'price', PRICE),
]);

const hedge = recordTable<RfqHedge>();
const HEDGE_ROWS = [
  hedge.field('instrument_name', 'instrument', INSTRUMENT),
  hedge.field('amount', 'quantity', QUANTITY),
  hedge.field('direction', 'side', SIDE),
  hedge.field('price', 'price', PRICE),
];
const writeHedge = hedge.writer(HEDGE_ROWS);
const readHedge = hedge.reader(HEDGE_ROWS);

export const hedgeJson = (found: RfqHedge | undefined): JsonObject | undefined =>
  found && writeHedge(found, undefined);

/** An object; the published schema calls it text, which may hold one. */
export function hedgeIn(of: Fields, name: string): RfqHedge | undefined {
  const raw = of.raw(name);
  if (raw === undefined || raw === '') return undefined;
  return readHedge(new Fields(`${name} of ${of.what}`, objectOf(raw), of.tally), undefined);
}
const HEDGE: Form<RfqHedge | undefined> = { write: hedgeJson, read: hedgeIn };

const fill = recordTable<RfqFill>();
export const FILLS = listOf([
  fill.field('direction', 'side', SIDE),
  fill.field('price', 'price', PRICE),
  fill.field('amount', 'quantity', QUANTITY),
  fill.field('maker', 'maker', TEXT_IF),
  fill.field('hedge_amount', 'hedgeQuantity', QUANTITY_IF),
]);

const MAKERS: Form<readonly string[]> = { read: (of, name) => of.textsIf(name) ?? [] };

const level = recordTable<RfqLevel, unknown, Instant>();
const LEVELS = listOf([
  level.field('makers', 'makers', MAKERS),
  level.field('price', 'price', PRICE),
  level.field('amount', 'quantity', QUANTITY),
  level.field('execution_instruction', 'executionInstruction', INSTRUCTION),
  level.field('last_update_timestamp', 'lastUpdatedAt', {
    read: (of, name, createdAt) => of.instantIf(name) ?? createdAt,
  }),
  level.field('expires_at', 'expiresAt', INSTANT_IF),
]);

const trigger = recordTable<RfqTrigger>();
const TRIGGER_ROWS = [
  // Whether it still waits must not be lost to a word that is not known.
  trigger.field('state', 'state', wordOf(TRIGGER_STATES, 'untriggered')),
  trigger.field('direction', 'side', SIDE),
  trigger.field('price', 'price', PRICE),
  trigger.field('cancel_reason', 'cancelReason', TEXT_IF),
];
const writeTrigger = trigger.writer(TRIGGER_ROWS);
const readTrigger = trigger.reader(TRIGGER_ROWS);

export const triggerJson = (found: RfqTrigger | undefined): JsonObject | undefined =>
  found && writeTrigger(found, undefined);

/** @throws MalformedMessage */
export const triggerIn = (of: Fields): RfqTrigger => readTrigger(of, undefined);

function objectOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return parseExact(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return raw;
  }
}

/** What is read first, because other fields follow from it. */
interface RfqReading extends Pick<RfqRecord, 'role' | 'legs' | 'bids' | 'asks' | 'fills'> {
  readonly createdAt: Instant;
  readonly status: RfqStatus;
  readonly currency: Currency;
}

const { field, derived, writer, reader } = recordTable<RfqRecord, unknown, RfqReading>();

/** A member that only a taker sees. */
const ofTaker = <T>(
  write: (value: T) => unknown,
  read: Form<T, RfqRecord, unknown, RfqReading>['read'],
): Form<T, RfqRecord, unknown, RfqReading> => ({
  write: (value, { role }) => (role === 'taker' ? write(value) : undefined),
  read,
});

const sameValue = <T>(value: T): T => value;

const RFQ_ROWS = [
  field('block_rfq_id', 'id', NUMBER_ID),
  field('creation_timestamp', 'createdAt', { read: (_, _name, { createdAt }) => createdAt }),
  field('expiration_timestamp', 'expiresAt', INSTANT),
  field('role', 'role', { read: (_, _name, { role }) => role }),
  field('state', 'status', {
    write: (status) => WRITTEN_STATES[status],
    read: (_, _name, { status }) => status,
  }),
  derived('closedReason', (_, { status }) => REASONS[status]),
  derived('currency', (_, { currency }) => currency),
  derived('lastUpdatedAt', (of, { createdAt, bids, asks }) => {
    const quoted = [...bids, ...asks].map(({ lastUpdatedAt }) => lastUpdatedAt);
    return of.instantIf('last_update_timestamp') ?? quoted.reduce(latest, createdAt);
  }),
  field('amount', 'quantity', QUANTITY),
  field('min_trade_amount', 'minTradeQuantity', {
    write: decimalNumber,
    read: (of, name) => of.quantityIf(name) ?? ZERO_QUANTITY,
  }),
  field('combo_id', 'comboId', { write: (id) => id ?? null, read: NAMED_IF.read }),
  field('legs', 'legs', { write: LEGS.write, read: (_, _name, { legs }) => legs }),
  field('hedge', 'hedge', HEDGE),
  field('disclosed', 'disclosed', { read: (of, name) => of.flag(name, true) }),
  field('taker', 'taker', TEXT_IF),
  field('taker_rating', 'takerRating', TEXT_IF),
  field('included_in_taker_rating', 'includedInTakerRating', FLAG_IF),
  field('mark_price', 'markPrice', PRICE_IF),
  field('index_prices', 'indexPrices', { write: numbersOf, read: digitsIn }),
  field('trades', 'fills', {
    write: (fills) => (fills.length === 0 ? undefined : FILLS.write(fills)),
    read: (_, _name, { fills }) => fills,
  }),
  field('makers', 'makers', ofTaker(sameValue, MAKERS.read)),
  field(
    'bids',
    'bids',
    ofTaker(LEVELS.write, (_, _name, { bids }) => bids),
  ),
  field(
    'asks',
    'asks',
    ofTaker(LEVELS.write, (_, _name, { asks }) => asks),
  ),
  field('label', 'label', ofTaker(sameValue, NAMED_IF.read)),
  field(
    'trade_trigger',
    'triggers',
    ofTaker(
      (triggers) => triggerJson(triggers.at(-1)),
      (of, name) => (of.has(name) ? [triggerIn(of.in(name))] : []),
    ),
  ),
  field(
    'trade_allocations',
    'allocations',
    ofTaker(ALLOCATIONS.write, (of, name) => ALLOCATIONS.readOrEmpty(of, name, undefined)),
  ),
];

const write = writer(RFQ_ROWS);
const read = reader(RFQ_ROWS);

export const rfqJson = (found: RfqRecord): JsonObject => write(found, undefined);

/** @throws MalformedMessage */
export function rfqIn(of: Fields, context: RfqContext): RfqRecord {
  const role = of.word('role', ROLES, context.role ?? 'taker');
  const createdAt = of.instant('creation_timestamp');
  const legs = LEGS.read(of, 'legs', undefined);
  const bids = LEVELS.readOrEmpty(of, 'bids', createdAt);
  const asks = LEVELS.readOrEmpty(of, 'asks', createdAt);
  const fills = FILLS.readOrEmpty(of, 'trades', undefined);
  const seen = { role, createdAt, fills, isQuoted: bids.length + asks.length > 0 };
  const status = statusIn(of, seen, context);
  const currency = context.currencyOf(legs);
  return read(of, { role, createdAt, legs, bids, asks, fills, status, currency });
}

interface Seen extends Pick<RfqReading, 'role' | 'createdAt' | 'fills'> {
  readonly isQuoted: boolean;
}

function statusIn(of: Fields, seen: Seen, { alias, venueNow }: RfqContext): RfqStatus {
  const state = of.word('state', READ_STATES, 'open' as const);
  const { role, createdAt, fills, isQuoted } = seen;
  if (state === 'open' && role === 'taker' && !isQuoted) {
    return venueNow < later(createdAt, GRACE_MS) ? 'created' : 'open';
  }
  if (state !== 'filled' || role === 'taker') return state;
  // Makers see every fill, but their names only on their own.
  const isOwn = fills.some(({ maker }) => maker !== undefined && maker === (alias ?? maker));
  return isOwn ? 'filled' : 'traded';
}

function numbersOf(prices: RfqRecord['indexPrices']): JsonObject | undefined {
  if (prices === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(prices).map(([name, value]) => [name, numberOfText(value)]),
  );
}

function digitsIn(of: Fields, name: string): RfqRecord['indexPrices'] {
  const prices = of.inIf(name);
  return prices && Object.fromEntries(prices.names().map((one) => [one, prices.digits(one)]));
}

interface QuoteReading {
  readonly legs: readonly PricedRfqLeg[];
  readonly currency: Currency;
}

const quote = recordTable<RfqQuoteRecord, unknown, QuoteReading>();
const QUOTE_ROWS = [
  quote.field('block_rfq_id', 'rfqId', NUMBER_ID),
  quote.field('block_rfq_quote_id', 'id', NUMBER_ID),
  quote.derived('currency', (_, { currency }) => currency),
  quote.field('creation_timestamp', 'createdAt', INSTANT),
  quote.field('last_update_timestamp', 'lastUpdatedAt', {
    read: (of, name) => of.instantIf(name) ?? of.instant('creation_timestamp'),
  }),
  quote.field('expires_at', 'expiresAt', INSTANT_IF),
  quote.field('quote_state', 'status', wordOf(QUOTE_STATES, 'open')),
  quote.field('quote_state_reason', 'statusReason', TEXT_IF),
  quote.field('execution_instruction', 'executionInstruction', INSTRUCTION),
  quote.field('price', 'price', PRICE),
  quote.field('amount', 'quantity', QUANTITY),
  quote.field('filled_amount', 'filledQuantity', {
    write: decimalNumber,
    read: (of, name) => of.quantityIf(name) ?? ZERO_QUANTITY,
  }),
  quote.field('direction', 'side', SIDE),
  quote.field('legs', 'legs', { write: PRICED_LEGS.write, read: (_, _name, { legs }) => legs }),
  quote.field('hedge', 'hedge', HEDGE),
  quote.field('replaced', 'replaced', FLAG),
  quote.field('label', 'label', NAMED_IF),
];
const writeQuote = quote.writer(QUOTE_ROWS);
const readQuote = quote.reader(QUOTE_ROWS);

export const quoteJson = (found: RfqQuoteRecord): JsonObject => writeQuote(found, undefined);

/** @throws MalformedMessage */
export function quoteIn(
  of: Fields,
  { currencyOf }: Pick<RfqContext, 'currencyOf'>,
): RfqQuoteRecord {
  const legs = PRICED_LEGS.read(of, 'legs', undefined);
  return readQuote(of, { legs, currency: currencyOf(legs) });
}
