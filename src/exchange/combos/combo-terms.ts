// The terms of a combo's instrument, made from those of its legs.
//
// Source: the venue's combo specifications: a book of its own per structure, no fee in its own terms because the legs
// are charged, the sizes of its legs; a spread of inverse BTC futures trades in ticks of 0.5, as the perpetual. The
// tick of other futures is a choice of ours: the smallest of the legs.
import { larger, type Price, price, ratio, smaller } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { instrumentName } from '../../values/ids.ts';
import { earliest, type Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { NamedLeg } from '../structures/combo-name.ts';

const FREE = ratio('0');

/** Spreads of inverse futures, by coin. */
const FUTURE_TICKS: ReadonlyMap<string, Price> = new Map([
  ['BTC', price('0.5')],
  ['ETH', price('0.05')],
]);

/** The legs from the buyer's side; they share currencies and units. */
export function comboInstrument(name: string, legs: readonly NamedLeg[]): Instrument {
  const all = legs.map(({ of }) => of);
  const first = must(all[0], 'a combo has legs');
  const { base, quote, settlement, marginKind, amountUnit, indexName } = first;
  const isOfOptions = first.kind === 'option';
  return {
    name: instrumentName(name),
    kind: isOfOptions ? 'option_combo' : 'future_combo',
    base,
    quote,
    settlement,
    marginKind,
    amountUnit,
    contractSize: all.map(({ contractSize }) => contractSize).reduce(larger),
    amountStep: all.map(({ amountStep }) => amountStep).reduce(larger),
    minAmount: all.map(({ minAmount }) => minAmount).reduce(larger),
    tickSize: tickOf(all, first),
    tickSteps: [],
    expiresAt: firstExpiry(all),
    indexName,
    makerFee: FREE,
    takerFee: FREE,
    legs: legs.map(({ of, ratio: times }) => ({ instrument: of.name, ratio: times })),
  };
}

function tickOf(all: readonly Instrument[], { kind, amountUnit, base }: Instrument): Price {
  const least = all.map(({ tickSize }) => tickSize).reduce(smaller);
  const published = FUTURE_TICKS.get(base);
  const isInverseSpread = kind !== 'option' && amountUnit === 'usd';
  return isInverseSpread && published !== undefined ? smaller(published, least) : least;
}

const firstExpiry = (all: readonly Instrument[]): Instant | undefined =>
  all
    .flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]))
    .reduce<Instant | undefined>((a, b) => (a === undefined ? b : earliest(a, b)), undefined);
