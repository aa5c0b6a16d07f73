// The hedge of the ticket: one leg in the perpetual on the same coin, sized by the delta of the others, which follows their fills.
import { computed, effect, signal } from '@preact/signals';
import { catalogueShown, instrumentOf } from '../instruments/listed-instruments.ts';
import { type Instrument, typeOf } from '../instruments/option-chain.ts';
import { tickers } from '../instruments/tickers.ts';
import type { WrittenObject } from './form-schema.ts';
import {
  type HedgedLeg,
  hedgeAgainst,
  hedgeInstrument,
  isFarFrom,
  isHedgeable,
  netDelta,
  type SizedHedge,
} from './hedge-size.ts';
import { priceOptionsOf, textAt } from './patience.ts';
import { draft, isHedge, legsOf, replaceHedges, sideOf, sideText, write } from './ticket-draft.ts';

type HedgeOffer =
  | { readonly kind: 'offered'; readonly instrument: Instrument }
  | { readonly kind: 'none'; readonly why: string };

const clockLegs = computed(() => legsOf(draft.value).filter((leg) => !isHedge(leg)));

/** Which instrument hedges the ticket, or why none does. */
export const hedgeOffer = computed((): HedgeOffer => {
  const none = (why: string): HedgeOffer => ({ kind: 'none', why });
  const legs = clockLegs.value.map((leg) => instrumentOf(textAt(leg, 'instrument')));
  const [first] = legs;
  if (first === undefined || legs.includes(undefined)) return none('Choose the instrument first.');
  if (!legs.every((leg) => leg !== undefined && isHedgeable(leg))) {
    return none('For options and spot.');
  }
  const shown = catalogueShown.value;
  const all = shown.kind === 'unread' ? [] : shown.value;
  const instrument = hedgeInstrument(all, first);
  return instrument === undefined
    ? none(`No perpetual on ${first.baseCurrency} is listed.`)
    : { kind: 'offered', instrument };
});

/** Of the legs once they are filled, in coins; `undefined` if it is not known. */
export const ticketDelta = computed(() => {
  const legs = clockLegs.value.flatMap((leg): HedgedLeg[] => {
    const instrument = instrumentOf(textAt(leg, 'instrument'));
    const side = sideOf(leg);
    if (instrument === undefined || side === undefined) return [];
    const ticker = tickers.value.get(instrument.instrumentName);
    return [{ instrument, ticker, quantity: textAt(leg, 'quantity').trim(), side }];
  });
  return legs.length === clockLegs.value.length ? netDelta(legs) : undefined;
});

/** What would hedge the ticket now; `undefined` if that is not known. */
export const hedgeNow = computed((): SizedHedge | undefined => {
  const [offer, delta] = [hedgeOffer.value, ticketDelta.value];
  if (offer.kind === 'none' || delta === undefined) return undefined;
  return hedgeAgainst(delta, offer.instrument, tickers.value.get(offer.instrument.instrumentName));
});

export const isHedgeOn = computed(() => legsOf(draft.value).some(isHedge));

/** The hedge that the delta now calls for, if the one on the ticket is far from it. */
export const otherHedge = computed((): SizedHedge | undefined => {
  const [own, ...more] = legsOf(draft.value).filter(isHedge);
  const now = hedgeNow.value;
  if (own === undefined || more.length > 0 || now === undefined) return undefined;
  const written = { side: sideOf(own) ?? '', quantity: textAt(own, 'quantity').trim() };
  return isFarFrom(written, now) ? now : undefined;
});

/** Whether the size of the hedge follows the other legs: until somebody writes one, and not after a reload. */
const isSizedByPage = signal(false);

export const sizeByHand = (): void => {
  isSizedByPage.value = false;
};

export function switchHedge(isOn: boolean): void {
  const offer = hedgeOffer.value;
  isSizedByPage.value = isOn;
  if (!isOn) return replaceHedges([]);
  if (offer.kind === 'none') return;
  const own = legsOf(draft.value).find(isHedge);
  replaceHedges([hedgeLeg(offer.instrument, hedgeNow.value, own)]);
}

const hedgeLeg = (
  instrument: Instrument,
  sized: SizedHedge | undefined,
  before: WrittenObject = { priceOptions: { priceType: 'MARKET' } },
): WrittenObject => ({
  ...before,
  instrument: instrument.instrumentName,
  instrumentType: typeOf(instrument),
  side: sized === undefined ? '' : sideText(sized.side),
  quantity: sized?.quantity ?? '',
  hedge: 'true',
});

/**
 * Fills in what follows from the rest of the ticket while it is shown: the size of the hedge once the legs change or a price
 * becomes known, and the price without effect that a DYNAMIC leg has to have. Returns how to end that.
 */
export function followLegs(): () => void {
  let sizedFor = '';
  return effect(() => {
    const legs = legsOf(draft.value);
    const of = JSON.stringify(
      clockLegs.value.map((leg) =>
        ['instrument', 'side', 'quantity'].map((name) => textAt(leg, name)),
      ),
    );
    const own = legs.find(isHedge);
    const [offer, sized] = [hedgeOffer.value, hedgeNow.value];
    const isDue = of !== sizedFor || own === undefined || textAt(own, 'quantity') === '';
    if (own !== undefined && isSizedByPage.value && offer.kind === 'offered' && isDue) {
      const next = hedgeLeg(offer.instrument, sized, own);
      if (sized !== undefined) sizedFor = of;
      if (JSON.stringify(next) !== JSON.stringify(own)) return replaceHedges([next]);
    }
    for (const [at, leg] of legs.entries()) {
      const options = priceOptionsOf(leg);
      const mark = tickers.value.get(textAt(leg, 'instrument'))?.markPrice;
      const isMissing =
        textAt(options, 'priceType') === 'DYNAMIC' && textAt(options, 'price') === '';
      if (isMissing && mark !== undefined && Number(mark) > 0) {
        return write(['legs', at, 'priceOptions', 'price'], mark);
      }
    }
  });
}
