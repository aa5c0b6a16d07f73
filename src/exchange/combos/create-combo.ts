// Creates a combo, or finds the one that already trades the legs. A combo that nobody uses gives way to a new one when
// the number of active combos is at its limit.
//
// Source: the venue's combo books: two to four legs of one currency, futures or options, ratios in lowest terms; the
// same legs are the same combo; low-volume books are deactivated above a soft limit and refused above a hard one. The
// limit and the hour without use are choices of ours, because the venue does not publish its own.
import { isMultiple, toNumber } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { HOUR_MS, type Instant, latest, MINUTE_MS } from '../../values/instant.ts';
import { type Instrument, signOf } from '../../values/instrument.ts';
import { hash32 } from '../../values/rng.ts';
import type { ComboAnswer, CreateComboCommand, RefusedAnswer } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { ComboRecord } from '../model/combo-registry.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { legSizes } from '../rfq/leg-sizes.ts';
import * as legRefusal from '../rfq/rfq-refusal.ts';
import { type LegSize, structureOf } from '../rfq/structure.ts';
import {
  expiryOf,
  inVenueOrder,
  type NamedLeg,
  namedStructure,
  pairOf,
} from '../structures/combo-name.ts';
import { changeCombo } from './combo-record.ts';
import { comboInstrument } from './combo-terms.ts';

const LEG_RULES = {
  param: 'trades',
  least: 2,
  most: 4,
  lifeMs: MINUTE_MS,
  life: 'a minute',
} as const;
const RATIO_MAX = 100;
/** A combo without an open order that was neither traded nor requested for this long may give way to another. */
const IDLE_MS = HOUR_MS;

export function createCombo(
  state: ExchangeState,
  command: CreateComboCommand,
): ComboAnswer | RefusedAnswer {
  if (!state.accounts.has(command.account)) return refusal.unauthorized();
  const sizes = legSizes(state, command.trades, LEG_RULES);
  if ('code' in sizes) return sizes;
  const unlike = checkAlike(sizes.map(({ listing }) => listing.instrument));
  if (unlike !== undefined) return unlike;
  const legs = ratiosOf(sizes);
  if ('code' in legs) return legs;
  const unfit = checkFit(legs);
  if (unfit !== undefined) return unfit;
  const named = namedStructure(legs);
  const instrument = named
    ? comboInstrument(named.name, named.legs)
    : customCombo(state, boughtFirst(inVenueOrder(legs)));
  const known = state.combos.find(instrument.legs ?? []);
  if (known?.state === 'active') return { kind: 'combo', combo: known };
  const full = makeRoom(state);
  if (full !== undefined) return full;
  return {
    kind: 'combo',
    combo: known ? activated(state, known) : createdCombo(state, instrument),
  };
}

/** From the side of the request. */
function ratiosOf(sizes: readonly LegSize[]): readonly NamedLeg[] | Refusal {
  const structure = structureOf(sizes);
  const ratios = structure?.legs.map(({ ratio }) => toNumber(ratio)) ?? [];
  const isWhole = ratios.length > 0 && ratios.every((one) => Number.isInteger(one));
  if (!isWhole || ratios.some((one) => one > RATIO_MAX)) {
    return legRefusal.invalidAmount(
      'trades',
      `sizes have no common ratio; accepted: whole multiples of one size up to ${RATIO_MAX}`,
    );
  }
  return sizes.map(({ listing, side }, at) => ({
    of: listing.instrument,
    ratio: signOf(side) * (ratios[at] as number),
  }));
}

const KINDS: Readonly<Record<Instrument['kind'], 'futures' | 'options' | undefined>> = {
  future: 'futures',
  perpetual: 'futures',
  option: 'options',
  spot: undefined,
  future_combo: undefined,
  option_combo: undefined,
};

/** Futures do not mix with options, nor one currency or unit with another. */
function checkAlike(all: readonly Instrument[]): Refusal | undefined {
  const spot = all.find(({ kind }) => KINDS[kind] === undefined);
  if (spot !== undefined) {
    return legRefusal.unknownInstrument('trades', `${spot.name} is neither a future nor an option`);
  }
  const unlike = (['base', 'quote', 'settlement', 'amountUnit'] as const).some(
    (field) => new Set(all.map((of) => of[field])).size > 1,
  );
  return unlike || new Set(all.map(({ kind }) => KINDS[kind])).size > 1
    ? legRefusal.unsupported('trades', 'accepted: only futures or only options of one currency')
    : undefined;
}

/** Leg prices must add up to any price of the combo, and leg sizes be on their lots for any size of it. */
function checkFit(legs: readonly NamedLeg[]): Refusal | undefined {
  const { amountStep } = comboInstrument('', legs);
  if (!legs.every(({ of }) => isMultiple(amountStep, of.amountStep))) {
    return legRefusal.unsupported(
      'trades',
      'accepted: legs whose lots are multiples of each other',
    );
  }
  const hasSingle = legs.some(({ ratio }) => Math.abs(ratio) === 1);
  const isOneSided = new Set(legs.map(({ ratio }) => Math.sign(ratio))).size === 1;
  return hasSingle || (legs.length === 2 && !isOneSided)
    ? undefined
    : legRefusal.unsupported('trades', 'accepted: one leg with a ratio of 1');
}

/** A custom structure is seen from the side that buys its first leg. */
const boughtFirst = (legs: readonly NamedLeg[]): readonly NamedLeg[] =>
  (legs[0]?.ratio ?? 0) > 0 ? legs : legs.map(({ of, ratio }) => ({ of, ratio: -ratio }));

/** `BASE-CC-EXPIRY-` and eight digits made from the legs. */
function customCombo(state: ExchangeState, legs: readonly NamedLeg[]): Instrument {
  const first = must(legs[0], 'a combo has legs');
  const words = legs.map(({ of, ratio }) => `${ratio}*${of.name}`).join(' ');
  for (let salt = 0; ; salt += 1) {
    const digits = hash32(words, salt).toString(16).padStart(8, '0').toUpperCase();
    const combo = comboInstrument(`${pairOf(first)}-CC-${expiryOf(first)}-${digits}`, legs);
    const other = state.combos.get(combo.name);
    if (other === undefined || other === state.combos.find(combo.legs ?? [])) return combo;
  }
}

/** Deactivates the combo that has been idle for longest, if there are too many. */
function makeRoom(state: ExchangeState): Refusal | undefined {
  const { combosMax } = state.settings;
  const active = [...state.combos.all()].filter((combo) => combo.state === 'active');
  if (active.length < combosMax) return undefined;
  const [idlest] = active
    .map((combo) => ({ combo, usedAt: usedAt(state, combo) }))
    .filter((one) => state.now - one.usedAt >= IDLE_MS)
    .sort((a, b) => a.usedAt - b.usedAt);
  if (idlest === undefined) return refusal.comboLimitReached(combosMax);
  changeCombo(state, { ...idlest.combo, state: 'inactive', changedAt: state.now });
  return undefined;
}

/** Now if it has an open order, otherwise when it was activated or last traded. */
function usedAt(state: ExchangeState, { instrument: { name }, changedAt }: ComboRecord): Instant {
  for (const account of state.accounts.values()) {
    if ((account.known(name)?.openOrders.size ?? 0) > 0) return state.now;
  }
  return latest(changedAt, state.listings.get(name)?.last?.at ?? changedAt);
}

const activated = (state: ExchangeState, combo: ComboRecord): ComboRecord =>
  changeCombo(state, { ...combo, state: 'active', changedAt: state.now });

/** A new combo. Its legs are listed. */
export function createdCombo(state: ExchangeState, instrument: Instrument): ComboRecord {
  const { now } = state;
  return changeCombo(state, {
    number: state.combos.nextNumber(),
    instrument,
    state: 'active',
    createdAt: now,
    changedAt: now,
    isEnded: false,
  });
}
