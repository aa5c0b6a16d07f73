// Block RFQs and quotes as Deribit reports them, read tolerantly: a word that is not known never makes one look closed.
//
// Decided where the documents are silent. The wire has no state for the first five seconds, in which a taker neither sees
// quotes nor can trade: an open RFQ of that age without a level is `created`. It has one state for a filled RFQ: a maker
// without a fill of its own reads `traded`. It states no reason of an end, and no time of the last change: the reason is
// that of the state, the time the latest in the record.
import { type Quantity, ratio, ZERO_QUANTITY } from '../../../values/amounts.ts';
import type {
  ExecutionInstruction,
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
  TradeAllocation,
} from '../../../values/block-rfq-record.ts';
import { instrumentName } from '../../../values/ids.ts';
import { type Instant, later, latest, SECOND_MS } from '../../../values/instant.ts';
import { sideIn } from '../orders/order-message.ts';
import { parseExact } from '../wire/exact-json.ts';
import { Fields } from '../wire/message-fields.ts';
import type { CurrencyOf } from './structure-currency.ts';

const ROLES = ['taker', 'maker'] as const;
const STATES = [
  'created',
  'open',
  'filled',
  'traded',
  'cancelled',
  'expired',
  'closed',
  'failed',
] as const;
const QUOTE_STATES = ['open', 'filled', 'cancelled', 'expired'] as const;
const TRIGGER_STATES = ['untriggered', 'triggered', 'cancelled'] as const;
const INSTRUCTIONS = ['any_part_of', 'all_or_none'] as const;
const GRACE_MS = 5 * SECOND_MS;

export interface RfqContext {
  readonly currencyOf: CurrencyOf;
  /** The alias of the account as a maker. */
  readonly alias?: string | undefined;
  /** The role that the channel implies, for a record without one. */
  readonly role?: RfqRole | undefined;
  readonly venueNow: Instant;
}

/** @throws MalformedMessage */
export function rfqIn(of: Fields, context: RfqContext): RfqRecord {
  const role = of.word('role', ROLES, context.role ?? 'taker');
  const legs = of.each('legs').map(legIn);
  const [bids, asks] = [levelsIn(of, 'bids'), levelsIn(of, 'asks')];
  const fills = eachIf(of, 'trades').map(fillIn);
  const createdAt = of.instant('creation_timestamp');
  const looks = { role, createdAt, fills, isQuoted: bids.length + asks.length > 0 };
  const status = statusIn(of, looks, context);
  const quoted = [...bids, ...asks].map(({ lastUpdatedAt }) => lastUpdatedAt);
  const stated = of.instantIf('last_update_timestamp');
  return {
    id: of.text('block_rfq_id'),
    role,
    status,
    closedReason: REASONS[status],
    currency: context.currencyOf(legs),
    quantity: of.quantity('amount'),
    legs,
    hedge: hedgeIn(of),
    comboId: of.textIf('combo_id') || undefined,
    createdAt,
    expiresAt: of.instant('expiration_timestamp'),
    lastUpdatedAt: stated ?? quoted.reduce(latest, createdAt),
    makers: of.textsIf('makers') ?? [],
    taker: of.textIf('taker'),
    disclosed: of.flag('disclosed', true),
    label: of.textIf('label') || undefined,
    minTradeQuantity: of.quantityIf('min_trade_amount') ?? ZERO_QUANTITY,
    bids,
    asks,
    fills,
    allocations: eachIf(of, 'trade_allocations').map(allocationIn),
    triggers: of.has('trade_trigger') ? [triggerIn(of.in('trade_trigger'))] : [],
    markPrice: of.priceIf('mark_price'),
    indexPrices: pricesIn(of.inIf('index_prices')),
    includedInTakerRating: of.flagIf('included_in_taker_rating'),
    takerRating: of.textIf('taker_rating'),
  };
}

const REASONS: Readonly<Partial<Record<RfqStatus, string>>> = {
  filled: 'filled',
  traded: 'traded_away',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: 'closed',
  failed: 'execution_failed',
};

interface Looks {
  readonly role: RfqRole;
  readonly createdAt: Instant;
  readonly fills: readonly RfqFill[];
  readonly isQuoted: boolean;
}

function statusIn(of: Fields, looks: Looks, { alias, venueNow }: RfqContext): RfqStatus {
  const state = of.word('state', STATES, 'open' as const);
  const { role, createdAt, fills, isQuoted } = looks;
  if (state === 'open' && role === 'taker' && !isQuoted) {
    return venueNow < later(createdAt, GRACE_MS) ? 'created' : 'open';
  }
  if (state !== 'filled' || role === 'taker') return state;
  // Makers see every fill, but their names only on their own.
  const isOwn = fills.some(({ maker }) => maker !== undefined && maker === (alias ?? maker));
  return isOwn ? 'filled' : 'traded';
}

const eachIf = (of: Fields, name: string): readonly Fields[] => (of.has(name) ? of.each(name) : []);

const legIn = (of: Fields): RfqLeg => ({
  instrument: instrumentName(of.text('instrument_name')),
  ratio: ratio(of.digitsIf('ratio') ?? '1'),
  side: sideIn(of),
});

const pricedLegIn = (of: Fields): PricedRfqLeg => ({ ...legIn(of), price: of.price('price') });

/** An object; the published schema calls it text, which may hold one. */
export function hedgeIn(of: Fields): RfqHedge | undefined {
  const raw = of.raw('hedge');
  if (raw === undefined || raw === '') return undefined;
  const hedge = new Fields(`hedge of ${of.what}`, objectOf(raw), of.tally);
  return {
    instrument: instrumentName(hedge.text('instrument_name')),
    quantity: hedge.quantity('amount'),
    side: sideIn(hedge),
    price: hedge.price('price'),
  };
}

function objectOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return parseExact(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return raw;
  }
}

const instructionIn = (of: Fields): ExecutionInstruction =>
  of.word('execution_instruction', INSTRUCTIONS, 'any_part_of' as const);

const levelsIn = (of: Fields, name: string): readonly RfqLevel[] =>
  eachIf(of, name).map((level) => ({
    quantity: level.quantity('amount'),
    executionInstruction: instructionIn(level),
    price: level.price('price'),
    makers: level.textsIf('makers') ?? [],
    lastUpdatedAt: level.instantIf('last_update_timestamp') ?? of.instant('creation_timestamp'),
    expiresAt: level.instantIf('expires_at'),
  }));

export const fillIn = (of: Fields): RfqFill => ({
  side: sideIn(of),
  price: of.price('price'),
  quantity: of.quantity('amount'),
  maker: of.textIf('maker'),
  hedgeQuantity: of.quantityIf('hedge_amount'),
});

/** @throws MalformedMessage */
export const triggerIn = (of: Fields): RfqTrigger => ({
  // Whether it still waits must not be lost to a word that is not known.
  state: of.word('state', TRIGGER_STATES, 'untriggered' as const),
  side: sideIn(of),
  price: of.price('price'),
  cancelReason: of.textIf('cancel_reason'),
});

function allocationIn(of: Fields): TradeAllocation {
  const client = of.inIf('client_info');
  return {
    quantity: of.quantity('amount'),
    userId: of.wholeIf('user_id'),
    client: client && {
      clientId: client.whole('client_id'),
      clientLinkId: client.wholeIf('client_link_id'),
      name: client.textIf('name'),
    },
  };
}

const pricesIn = (of: Fields | undefined): RfqRecord['indexPrices'] =>
  of && Object.fromEntries(of.names().map((name) => [name, of.digits(name)]));

/** @throws MalformedMessage */
export function quoteIn(
  of: Fields,
  { currencyOf }: Pick<RfqContext, 'currencyOf'>,
): RfqQuoteRecord {
  const legs = of.each('legs').map(pricedLegIn);
  const createdAt = of.instant('creation_timestamp');
  const filled: Quantity = of.quantityIf('filled_amount') ?? ZERO_QUANTITY;
  return {
    id: of.text('block_rfq_quote_id'),
    rfqId: of.text('block_rfq_id'),
    currency: currencyOf(legs),
    label: of.textIf('label') || undefined,
    quantity: of.quantity('amount'),
    filledQuantity: filled,
    side: sideIn(of),
    price: of.price('price'),
    executionInstruction: instructionIn(of),
    legs,
    hedge: hedgeIn(of),
    status: of.word('quote_state', QUOTE_STATES, 'open' as const),
    statusReason: of.textIf('quote_state_reason'),
    replaced: of.flag('replaced'),
    createdAt,
    lastUpdatedAt: of.instantIf('last_update_timestamp') ?? createdAt,
    expiresAt: of.instantIf('expires_at'),
  };
}
