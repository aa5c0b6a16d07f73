// Creates an RFQ for a taker: runs the checks in the order of precedence of the venue's error codes, then
// assigns seats to the makers that may quote.
//
// Source: the venue's rules for Block RFQs (2026): at most 20 legs of one quote currency, one hedge in a
// future, a grace period of 5 s, a lifetime of 300 s, at least five makers for an anonymous request.
import { text, toNumber } from '../../../values/amounts.ts';
import type { ClientLink } from '../../../values/block-rfq-record.ts';
import { later, MINUTE_MS, SECOND_MS } from '../../../values/instant.ts';
import { type Instrument, signOf } from '../../../values/instrument.ts';
import { checkLabel } from '../../checks/order-checks.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Refusal } from '../../model/refusal.ts';
import { namedStructure } from '../../structures/combo-name.ts';
import { hedgeOf } from '../blocks/rfq-hedge.ts';
import { legSizes } from '../leg-sizes.ts';
import type { Rfq, RfqAllocation, RfqHedge, RfqLeg, RfqSeat } from '../rfq.ts';
import { SEATS_MAX, scattered } from '../rfq-book.ts';
import type { CreateRfqCommand } from '../rfq-command.ts';
import * as refusal from '../rfq-refusal.ts';
import { type LegSize, leastUnits, type Structure, structureOf } from '../structure.ts';
import { takerRating } from '../taker-rating.ts';

const GRACE_MS = 5 * SECOND_MS;
const LIFE_MS = 5 * MINUTE_MS;
const LEGS_MAX = 20;
/** A choice of ours: the venue has such a limit but does not publish it. */
const OPEN_MAX = 20;
const ANONYMOUS_MAKERS_MIN = 5;
/** All legs must trade for as long as the RFQ may live. */
const LEG_RULES = {
  param: 'legs',
  least: 1,
  most: LEGS_MAX,
  lifeMs: LIFE_MS,
  life: 'the life of the RFQ',
} as const;

/** Returns the new RFQ, to be published and returned to the taker. */
export function createRfq(state: ExchangeState, command: CreateRfqCommand): Rfq | Refusal {
  if (!state.accounts.has(command.account)) {
    return refusal.invalid('accountId', 'is not an account of this exchange');
  }
  const label = checkLabel(command.label);
  if (label !== undefined) return label;
  const sizes = legSizes(state, command.legs, LEG_RULES);
  if ('code' in sizes) return sizes;
  const structure = structureOf(sizes);
  if (structure === undefined) {
    const accepted = 'accepted: sizes that are ratios of two decimals of one of them';
    return refusal.invalidAmount('legs', `sizes have no common ratio; ${accepted}`);
  }
  const rest = requestOf(state, command, { sizes, structure });
  if ('code' in rest) return rest;
  const rfq = recordOf(state, command, {
    ...structure,
    ...rest,
    comboId: comboOf(sizes, structure),
  });
  state.rfqs.change(rfq);
  return rfq;
}

interface Shape {
  readonly sizes: readonly LegSize[];
  readonly structure: Structure;
}

type Requested = Pick<Rfq, 'minUnits' | 'hedge' | 'allocations' | 'seats'>;

function requestOf(
  state: ExchangeState,
  command: CreateRfqCommand,
  { sizes, structure }: Shape,
): Requested | Refusal {
  const listings = sizes.map(({ listing }) => listing);
  const [first, ...others] = listings.map(({ instrument }) => instrument);
  const minUnits = leastUnits(structure.legs, listings);
  if (minUnits === undefined) {
    return refusal.otherReject('legs', 'the market has no mark price yet');
  }
  if (structure.units < minUnits) {
    const least = text(structure.unit.mul(minUnits) as typeof structure.unit);
    return refusal.qtyTooLow('legs', `below the smallest block, a quantity of ${least}`);
  }
  if (others.some(({ quote }) => quote !== first?.quote)) {
    return refusal.unsupported('legs', 'accepted: legs of one quote currency');
  }
  const hedge = command.hedge && hedgeOf(state, command.hedge, listings);
  if (hedge !== undefined && 'code' in hedge) return hedge;
  const seats = seatsOf(state, command);
  if ('code' in seats) return seats;
  const allocations = allocationsOf(command, structure);
  return 'code' in allocations
    ? allocations
    : { minUnits, seats, allocations, ...(hedge !== undefined && { hedge }) };
}

function seatsOf(
  state: ExchangeState,
  { account, makers: wanted, disclosed }: CreateRfqCommand,
): readonly RfqSeat[] | Refusal {
  const open = state.rfqs.live().filter(({ taker }) => taker === account);
  if (open.length >= OPEN_MAX) {
    return refusal.tooManyOpenRfqs('accountId', `has ${OPEN_MAX} open, which is the most`);
  }
  const all = [...state.rfqs.makers].filter(([maker]) => maker !== account);
  const targets = new Set(wanted);
  const unknown = wanted.find((alias) => !all.some(([, known]) => known === alias));
  if (unknown !== undefined) {
    return refusal.invalid('makers', `there is no maker ${JSON.stringify(unknown)} to ask`);
  }
  if (!disclosed && targets.size > 0 && targets.size < ANONYMOUS_MAKERS_MIN) {
    const accepted = `accepted: at least ${ANONYMOUS_MAKERS_MIN} makers, or none named`;
    return refusal.unsupported('disclosed', `false with few makers; ${accepted}`);
  }
  const number = state.rfqs.nextNumber();
  const taken = new Set([takersId(state, account)]);
  return all
    .filter(([, alias]) => targets.size === 0 || targets.has(alias))
    .slice(0, SEATS_MAX)
    .map(([maker, alias]) => {
      const id = scattered(number, maker, taken);
      taken.add(id);
      return { account: maker, alias, id };
    });
}

const takersId = (state: ExchangeState, taker: CreateRfqCommand['account']): string =>
  scattered(state.rfqs.nextNumber(), taker, new Set());

function allocationsOf(
  { allocations }: CreateRfqCommand,
  { unit, units }: Structure,
): readonly RfqAllocation[] | Refusal {
  const shares: RfqAllocation[] = [];
  for (const { quantity, ...whose } of allocations) {
    if ((whose.userId === undefined) === (whose.client === undefined)) {
      return refusal.invalid('tradeAllocations', 'accepted: either userId or clientInfo in each');
    }
    const share = quantity.div(unit).toNumber();
    if (!Number.isInteger(share) || share <= 0) {
      return refusal.invalidAmount('tradeAllocations', `accepted: multiples of ${text(unit)}`);
    }
    const client = whose.client && named(whose.client);
    shares.push({ units: share, ...whose, ...(client && { client }) });
  }
  const sum = shares.reduce((total, share) => total + share.units, 0);
  return shares.length > 0 && sum !== units
    ? refusal.invalidAmount('tradeAllocations', "accepted: amounts whose sum is the RFQ's quantity")
    : shares;
}

/** There is no register of brokers' clients: each is named by its number. */
const named = (client: ClientLink): ClientLink => ({
  ...client,
  name: `Client ${client.clientId}`,
});

const comboOf = (sizes: readonly LegSize[], { legs }: Structure): string | undefined =>
  comboIdOf(legs.map((leg, at) => ({ ...leg, of: (sizes[at] as LegSize).listing.instrument })));

function recordOf(
  state: ExchangeState,
  command: CreateRfqCommand,
  shape: Structure &
    Requested & { readonly comboId: string | undefined; readonly hedge?: RfqHedge | undefined },
): Rfq {
  const { now } = state;
  const { account: taker, label, disclosed, makers: targets } = command;
  const { comboId, ...rest } = shape;
  const first = state.listings.get(command.legs[0]?.instrument as never)?.instrument;
  const currency = first?.kind === 'spot' ? first.quote : first?.settlement;
  return {
    number: state.rfqs.nextNumber(),
    taker,
    takerAlias: state.rfqs.makers.get(taker) ?? `DESK-${taker}`,
    takerId: takersId(state, taker),
    label,
    status: 'created',
    currency: currency as Rfq['currency'],
    ...rest,
    ...(comboId !== undefined && { comboId }),
    disclosed,
    targets: [...new Set(targets)],
    createdAt: now,
    opensAt: later(now, GRACE_MS),
    expiresAt: later(now, LIFE_MS),
    updatedAt: now,
    triggers: [],
    fills: [],
    takerRating: takerRating(state.rfqs, taker),
  };
}

const CODES: ReadonlySet<string> = new Set(['FS', 'CS', 'PS', 'STRD', 'STRG']);

/**
 * The combo name of a Block RFQ, if it has one: single legs, future spreads, call and put spreads, straddles and
 * strangles, listed from the buyer's side. Any other structure is custom and has no name.
 */
function comboIdOf(
  legs: readonly (Pick<RfqLeg, 'side' | 'ratio'> & { readonly of: Instrument })[],
): string | undefined {
  const [first, ...others] = legs;
  if (first === undefined || legs.some(({ ratio }) => toNumber(ratio) !== 1)) return undefined;
  if (others.length === 0) return first.side === 'buy' ? first.of.name : undefined;
  const named = namedStructure(legs.map(({ of, side }) => ({ of, ratio: signOf(side) })));
  if (named === undefined || !CODES.has(named.code)) return undefined;
  const isBought = named.legs.some(
    ({ of, ratio }) => of === first.of && ratio === signOf(first.side),
  );
  return isBought ? named.name : undefined;
}
