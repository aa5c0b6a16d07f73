// Bots that quote Block RFQs: each market maker responds after a delay of its own, re-evaluates its quotes
// periodically, moves them with the market and sometimes cancels them. The action at each evaluation is a
// function of seed, RFQ, maker and the market at that time; only the number of the last evaluation is stored.
import { steps } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { AccountId, InstrumentName } from '../../../values/ids.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import { hash32 } from '../../../values/rng.ts';
import type { Reference } from '../../model/market-view.ts';
import type { RfqQuote } from '../../rfq/maker-quote.ts';
import { type Rfq, seatOf } from '../../rfq/rfq.ts';
import type { QuoteTerms, RfqUserCommand, SeatRfqMakersCommand } from '../../rfq/rfq-command.ts';
import type { LegOutlook } from '../prices/leg-outlook.ts';
import { normalAt, uniformAt } from '../prices/noise.ts';
import { type DeskTraits, RFQ_DESKS } from './rfq-desks.ts';
import { type DeskQuote, type DeskView, deskQuote, type SeenLeg } from './rfq-pricing.ts';

export interface RfqMakersSettings {
  readonly seed: string;
  /** The number of market makers, 0 to `RFQ_DESKS_MAX`. */
  readonly desks: number;
}

/** The data that the market makers can see. */
export interface RfqScene {
  live(): readonly Rfq[];
  ownQuotes(rfq: Rfq, maker: AccountId): readonly RfqQuote[];
  /** Signed, in the amount unit. */
  held(maker: AccountId, name: InstrumentName): number;
  reference(name: InstrumentName): Reference | undefined;
  outlook(name: InstrumentName): LegOutlook | undefined;
}

/** Standard deviation of the logarithm of a delay. */
const DELAY_SPREAD = 0.35;
/** A quote expires after this many evaluations without renewal. */
const LOOKS_OF_A_QUOTE = 4;
/** Fraction of responses that quote one side only. */
const ONE_SIDED = 0.15;
/** The number of evaluations for which a maker keeps its opinion. */
const OPINION_LOOKS = 3;

/** Random streams of one maker and RFQ. */
const DRAWS = { delay: 1, keen: 2, whole: 3, side: 4, look: 5, opinion: 6 } as const;

export class RfqMakers {
  readonly #seed: string;
  readonly #desks: readonly DeskTraits[];
  /** The last evaluation of each maker, by RFQ. */
  readonly #looked = new Map<number, Map<AccountId, number>>();

  constructor({ seed, desks }: RfqMakersSettings) {
    this.#seed = seed;
    this.#desks = RFQ_DESKS.slice(0, desks);
  }

  /** To be sent once, before the first RFQ. */
  seats(now: Instant): SeatRfqMakersCommand {
    const makers = this.#desks.map(({ account, alias }) => ({ account, alias }));
    return { kind: 'seat_rfq_makers', now, makers };
  }

  /** The time of the next evaluation; `undefined` if there are no live RFQs. */
  nextLookAt(scene: RfqScene): Instant | undefined {
    let next: Instant | undefined;
    for (const rfq of scene.live()) {
      for (const desk of this.#seated(rfq)) {
        const look = this.#lastLook(rfq, desk) + 1;
        const at = later(this.#firstAt(rfq, desk), look * desk.lookMs);
        if (at < rfq.expiresAt && (next === undefined || at < next)) next = at;
      }
    }
    return next;
  }

  /** The action of the next maker whose evaluation is due; `undefined` if none is left. */
  *answers(now: Instant, scene: RfqScene): Generator<RfqUserCommand> {
    const live = scene.live();
    this.#forget(live);
    for (const rfq of live) {
      for (const desk of this.#seated(rfq)) {
        const look = Math.floor((now - this.#firstAt(rfq, desk)) / desk.lookMs);
        if (look <= this.#lastLook(rfq, desk)) continue;
        this.#noteLook(rfq, desk, look);
        yield* this.#actions({ now, scene, rfq, desk, look });
      }
    }
  }

  *#actions(moment: Moment): Generator<RfqUserCommand> {
    const { scene, rfq, desk } = moment;
    const view = this.#isIn(moment) ? this.#viewOf(moment) : undefined;
    const wanted = (side: Side): DeskQuote | undefined =>
      view === undefined || !this.#takesSide(moment, side) ? undefined : deskQuote(rfq, view, side);
    const own = (side: Side): RfqQuote | undefined =>
      scene.ownQuotes(rfq, desk.account).find((quote) => quote.side === side);
    const [bid, offer] = [wanted('buy'), wanted('sell')];
    const oldOffer = own('sell');
    // If prices rise, the offer is replaced first, so that the new bid does not cross the old offer.
    const isRising = bid !== undefined && oldOffer !== undefined && bid.ticks >= oldOffer.ticks;
    for (const side of isRising ? (['sell', 'buy'] as const) : (['buy', 'sell'] as const)) {
      // A quote may have ended the RFQ.
      if (scene.live().every(({ number }) => number !== rfq.number)) return;
      const want = side === 'buy' ? bid : offer;
      const action = this.#action(moment, { side, own: own(side), want });
      if (action !== undefined) yield action;
    }
  }

  #action(
    moment: Moment,
    { side, own, want }: { side: Side; own: RfqQuote | undefined; want: DeskQuote | undefined },
  ): RfqUserCommand | undefined {
    const { now, rfq, desk } = moment;
    const by = { now, account: desk.account };
    if (want === undefined) {
      return own && { kind: 'cancel_rfq_quote', ...by, of: { quoteId: own.id } };
    }
    const terms = this.#terms(moment, want);
    if (own === undefined) {
      const { id: rfqId } = must(seatOf(rfq, desk.account), 'an evaluating maker has a seat');
      return { kind: 'quote_rfq', ...by, rfqId, side, label: '', ...terms };
    }
    if (!isStale(moment, own, want)) return undefined;
    return { kind: 'edit_rfq_quote', ...by, of: { quoteId: own.id }, ...terms };
  }

  #isIn({ rfq, desk, look }: Moment): boolean {
    return (
      this.#draw(rfq, desk, DRAWS.keen) < desk.keenness &&
      uniformAt(this.#stream(rfq, desk, DRAWS.look), look) >= desk.caution
    );
  }

  #takesSide({ rfq, desk }: Moment, side: Side): boolean {
    const draw = this.#draw(rfq, desk, DRAWS.side);
    if (draw >= ONE_SIDED) return true;
    return (draw < ONE_SIDED / 2 ? 'buy' : 'sell') === side;
  }

  #terms({ rfq, desk, now }: Moment, wanted: DeskQuote): QuoteTerms {
    const isWhole =
      wanted.units === rfq.units && this.#draw(rfq, desk, DRAWS.whole) < desk.wholeness;
    const { hedge } = rfq;
    return {
      quantity: steps(rfq.unit, wanted.units),
      legs: rfq.legs.map(({ instrument, ratio, side, tick }, leg) => ({
        instrument,
        ratio,
        side,
        price: steps(tick, wanted.legTicks[leg] as number),
      })),
      ...(hedge !== undefined && { hedge }),
      executionInstruction: isWhole ? 'all_or_none' : 'any_part_of',
      expiresAt: later(now, LOOKS_OF_A_QUOTE * desk.lookMs),
    };
  }

  /** `undefined` if the maker has no price for one of the legs. */
  #viewOf({ scene, rfq, desk, look }: Moment): DeskView | undefined {
    const seen = (name: InstrumentName): SeenLeg | undefined => {
      const outlook = scene.outlook(name);
      return (
        outlook && {
          reference: scene.reference(name),
          outlook,
          held: scene.held(desk.account, name),
        }
      );
    };
    const legs = rfq.legs.flatMap(({ instrument }) => seen(instrument) ?? []);
    const hedge = rfq.hedge && seen(rfq.hedge.instrument);
    if (legs.length < rfq.legs.length || (rfq.hedge !== undefined && hedge === undefined)) {
      return undefined;
    }
    const stream = this.#stream(rfq, desk, DRAWS.opinion);
    const opinion = normalAt(stream, Math.floor(look / OPINION_LOOKS));
    const others = this.#shownByOthers(scene, rfq, desk);
    return { desk, legs, opinion, others, ...(hedge !== undefined && { hedge }) };
  }

  #shownByOthers(scene: RfqScene, rfq: Rfq, desk: DeskTraits): DeskView['others'] {
    let [highestBid, lowestOffer] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const { account } of this.#desks) {
      if (account === desk.account) continue;
      for (const { side, ticks } of scene.ownQuotes(rfq, account)) {
        if (side === 'buy') highestBid = Math.max(highestBid, ticks);
        else lowestOffer = Math.min(lowestOffer, ticks);
      }
    }
    return { highestBid, lowestOffer };
  }

  #firstAt(rfq: Rfq, desk: DeskTraits): Instant {
    const normal = normalAt(this.#stream(rfq, desk, DRAWS.delay), 0);
    return later(rfq.createdAt, Math.round(desk.delayMs * Math.exp(DELAY_SPREAD * normal)));
  }

  #draw(rfq: Rfq, desk: DeskTraits, of: number): number {
    return uniformAt(this.#stream(rfq, desk, of), 0);
  }

  #stream(rfq: Rfq, { alias }: DeskTraits, of: number): number {
    return hash32(`${this.#seed}/rfq/${rfq.number}/${alias}/${of}`);
  }

  #seated(rfq: Rfq): readonly DeskTraits[] {
    return this.#desks.filter(({ account }) => seatOf(rfq, account) !== undefined);
  }

  #lastLook(rfq: Rfq, { account }: DeskTraits): number {
    return this.#looked.get(rfq.number)?.get(account) ?? -1;
  }

  #noteLook(rfq: Rfq, { account }: DeskTraits, look: number): void {
    const known = this.#looked.get(rfq.number);
    if (known === undefined) this.#looked.set(rfq.number, new Map([[account, look]]));
    else known.set(account, look);
  }

  #forget(live: readonly Rfq[]): void {
    const numbers = new Set(live.map(({ number }) => number));
    for (const number of this.#looked.keys()) {
      if (!numbers.has(number)) this.#looked.delete(number);
    }
  }
}

interface Moment {
  readonly now: Instant;
  readonly scene: RfqScene;
  readonly rfq: Rfq;
  readonly desk: DeskTraits;
  readonly look: number;
}

/** The price or size differs, or the quote is about to expire. */
const isStale = ({ now, desk }: Moment, own: RfqQuote, wanted: DeskQuote): boolean =>
  own.ticks !== wanted.ticks ||
  own.units !== wanted.units ||
  (own.expiresAt !== undefined && own.expiresAt < later(now, 1.5 * desk.lookMs));
