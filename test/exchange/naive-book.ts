// The oracle: the exchange's rules for one instrument with one flat list and no other data structure. Every
// question is answered by scanning the list, which is in chronological order.
import { hash32 } from '../../src/values/rng.ts';

export type Side = 'buy' | 'sell';

export interface NaiveOrder {
  readonly id: string;
  readonly owner: string;
  readonly side: Side;
  readonly label: string;
  readonly isBot: boolean;
  readonly isDay: boolean;
  ticks: number;
  total: number;
  filled: number;
  /** Icebergs: the maximum shown; zero for an order that shows its full quantity. */
  refresh: number;
  shown: number;
  postOnly: boolean;
  rejects: boolean;
  reduceOnly: boolean;
  state: 'open' | 'filled' | 'cancelled';
}

export interface NaiveRequest {
  readonly owner: string;
  readonly side: Side;
  /** Absent for a market order: its limit is the band, or only the best opposite price. */
  readonly ticks: number | undefined;
  readonly atTouch?: boolean | undefined;
  readonly lots: number;
  readonly display?: number | undefined;
  readonly label: string;
  readonly timeInForce:
    | 'good_til_cancelled'
    | 'good_til_day'
    | 'immediate_or_cancel'
    | 'fill_or_kill';
  readonly postOnly: boolean;
  readonly rejects: boolean;
  readonly reduceOnly: boolean;
}

/** Absent fields stay unchanged. */
export interface NaiveEdit {
  readonly ticks?: number | undefined;
  readonly lots?: number | undefined;
  readonly display?: number | undefined;
  readonly postOnly?: boolean | undefined;
  readonly rejects?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
}

export interface NaiveFill {
  readonly maker: NaiveOrder;
  readonly taker: NaiveOrder;
  readonly ticks: number;
  readonly lots: number;
  /** Filled from the hidden part of the maker. */
  readonly isHidden: boolean;
}

export type NaiveAnswer = number | NaiveOrder;

const sign = (side: Side): number => (side === 'buy' ? 1 : -1);
const other = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
const left = (order: NaiveOrder): number => order.total - order.filled;
const visible = (order: NaiveOrder): number =>
  order.refresh === 0 ? left(order) : Math.min(order.shown, left(order));
const isWrongDisplay = (display: number, lots: number): boolean =>
  display > 0 && (display < 100 || display * 100 < lots);

export class NaiveBook {
  /** Resting orders, earliest first. */
  resting: NaiveOrder[] = [];
  readonly orders = new Map<string, NaiveOrder>();
  readonly positions = new Map<string, number>();
  /** In order of execution; readers remove what they have read. */
  fills: NaiveFill[] = [];
  readonly band: { readonly min: number; readonly max: number };
  /** Owners whose resting orders are cancelled for their own incoming ones. */
  readonly yielding: ReadonlySet<string>;
  #issued = 0;
  #metOwn = false;

  constructor(band: { min: number; max: number }, yielding: ReadonlySet<string>) {
    this.band = band;
    this.yielding = yielding;
  }

  place(request: NaiveRequest): NaiveAnswer {
    const { owner, side, postOnly, timeInForce } = request;
    if (request.ticks === undefined && postOnly) return 11055;
    const isPlain = request.ticks !== undefined && !postOnly;
    if (!isPlain && timeInForce !== 'good_til_cancelled') return 11047;
    const ticks = request.ticks ?? this.#marketTicks(side, request.atTouch ?? false);
    if (ticks === undefined) return 10011;
    const outside = this.#outside(side, ticks);
    if (outside !== undefined) return outside;
    const refresh = request.display ?? 0;
    if (isWrongDisplay(refresh, request.lots)) return 10036;
    const cap = request.reduceOnly ? this.#reducible(owner, side) : request.lots;
    if (cap === 0) return 11030;
    const lots = Math.min(cap, request.lots);
    let at = ticks;
    if (postOnly) {
      const slid = this.#slide(side, ticks, request.rejects);
      if (typeof slid === 'string') return 11054;
      at = slid;
    }
    const order: NaiveOrder = {
      ...request,
      id: `${this.#issued + 1}`,
      isBot: false,
      isDay: timeInForce === 'good_til_day',
      ticks: at,
      total: lots,
      filled: 0,
      refresh,
      shown: 0,
      state: 'open',
    };
    if (this.#rehearse(order).metOwn) return 10003;
    this.#issued += 1;
    this.orders.set(order.id, order);
    this.#work(order, timeInForce);
    return order;
  }

  edit(owner: string, id: string, wanted: NaiveEdit): NaiveAnswer {
    const order = this.orders.get(id);
    if (order === undefined) return 10004;
    if (order.owner !== owner) return 10029;
    if (order.state !== 'open') return 11044;
    const asked = wanted.ticks ?? order.ticks;
    const postOnly = wanted.postOnly ?? order.postOnly;
    const rejects = wanted.rejects ?? order.rejects;
    const reduceOnly = wanted.reduceOnly ?? order.reduceOnly;
    let total = wanted.lots ?? order.total;
    if (postOnly && order.isDay) return 11047;
    if (total <= order.filled) return 11008;
    const refresh = wanted.display ?? order.refresh;
    if (isWrongDisplay(refresh, total)) return 10036;
    const staysPut = asked === order.ticks && total <= order.total && refresh === order.refresh;
    const outside = staysPut ? undefined : this.#outside(order.side, asked);
    if (outside !== undefined) return outside;
    if (reduceOnly) {
      const cap = this.#reducible(owner, order.side);
      if (cap === 0) return 11030;
      total = Math.min(total, order.filled + cap);
    }
    let ticks = asked;
    if (postOnly) {
      const slid = this.#slide(order.side, ticks, rejects);
      if (typeof slid === 'string') {
        this.#close(order, 'cancelled');
        return 11054;
      }
      ticks = slid;
    }
    if (ticks === order.ticks && total <= order.total && refresh === order.refresh) {
      Object.assign(order, { total, postOnly, rejects, reduceOnly });
      this.#recap(owner);
      return order;
    }
    if (this.#rehearse({ ...order, ticks, total }).metOwn) return 10003;
    this.resting = this.resting.filter((o) => o !== order);
    Object.assign(order, { ticks, total, refresh, postOnly, rejects, reduceOnly });
    this.#work(order, 'good_til_cancelled');
    return order;
  }

  editByLabel(owner: string, label: string, wanted: NaiveEdit): NaiveAnswer {
    const same = this.resting.filter((o) => o.owner === owner && o.label === label);
    if (same.length > 1) return 13032;
    return this.edit(owner, same[0]?.id ?? 'none', wanted);
  }

  cancel(owner: string, id: string): NaiveAnswer {
    const order = this.orders.get(id);
    if (order === undefined) return 10004;
    if (order.owner !== owner) return 10029;
    if (order.state !== 'open') return 11044;
    this.#close(order, 'cancelled');
    return order;
  }

  cancelWhere(isMeant: (order: NaiveOrder) => boolean): number {
    const meant = this.resting.filter((order) => !order.isBot && isMeant(order));
    for (const order of meant) this.#close(order, 'cancelled');
    return meant.length;
  }

  quotes(owner: string, levels: readonly { side: Side; ticks: number; lots: number }[]): number {
    this.resting = this.resting.filter(
      (old) =>
        old.owner !== owner || levels.some((l) => l.side === old.side && l.ticks === old.ticks),
    );
    let traded = 0;
    for (const { side, ticks, lots } of levels) {
      const old = this.resting.find(
        (o) => o.owner === owner && o.side === side && o.ticks === ticks,
      );
      if (old !== undefined && lots <= left(old)) {
        old.total = old.filled + lots;
        continue;
      }
      this.resting = this.resting.filter((o) => o !== old);
      const quote = this.#bot(owner, side, ticks, lots);
      this.#match(quote);
      traded += quote.filled;
      if (left(quote) > 0) this.resting.push(quote);
    }
    return traded;
  }

  take(owner: string, side: Side, ticks: number, lots: number): number {
    const taker = this.#bot(owner, side, ticks, lots);
    this.#match(taker);
    return taker.filled;
  }

  /** The same text that the exchange hashes, made by sorting the list. */
  hash(): string {
    const lines: string[] = [];
    for (const side of ['buy', 'sell'] as const) {
      const own = this.resting.filter((o) => o.side === side);
      const prices = [...new Set(own.map((o) => o.ticks))].sort((a, b) => (b - a) * sign(side));
      for (const ticks of prices) {
        const queue = own.filter((o) => o.ticks === ticks);
        lines.push(`${ticks} ${queue.reduce((sum, o) => sum + visible(o), 0)} ${queue.length}`);
        for (const o of queue) {
          const hidden = left(o) - visible(o);
          const unseen = hidden > 0 ? ` ${hidden} ${o.refresh}` : '';
          lines.push(`${o.isBot ? 'bot' : o.id} ${visible(o)}${unseen}`);
        }
      }
    }
    const whole = lines.join('\n');
    return [1, 2].map((seed) => hash32(whole, seed).toString(16).padStart(8, '0')).join('');
  }

  #bot(owner: string, side: Side, ticks: number, lots: number): NaiveOrder {
    const flags = { postOnly: false, rejects: false, reduceOnly: false };
    const none = { filled: 0, refresh: 0, shown: 0, state: 'open', label: '' } as const;
    const kind = { isBot: true, isDay: false };
    return { id: 'bot', owner, side, ticks, total: lots, ...none, ...flags, ...kind };
  }

  #outside(side: Side, ticks: number): number | undefined {
    if (side === 'buy' && ticks > this.band.max) return 10007;
    return side === 'sell' && ticks < this.band.min ? 10005 : undefined;
  }

  #reducible(owner: string, side: Side): number {
    return Math.max(0, -sign(side) * (this.positions.get(owner) ?? 0));
  }

  /** What would trade against an order, in the order of execution. */
  #counterparts(side: Side, limit: number): NaiveOrder[] {
    return this.resting
      .map((order, arrival) => ({ order, arrival }))
      .filter(({ order }) => order.side !== side && (limit - order.ticks) * sign(side) >= 0)
      .sort((a, b) => (a.order.ticks - b.order.ticks) * sign(side) || a.arrival - b.arrival)
      .map(({ order }) => order);
  }

  #slide(side: Side, ticks: number, rejects: boolean): number | 'reject' {
    const [best] = this.#counterparts(side, ticks);
    if (best === undefined) return ticks;
    return rejects ? 'reject' : best.ticks - sign(side);
  }

  #marketTicks(side: Side, atTouch: boolean): number | undefined {
    const everyPrice = side === 'buy' ? Number.MAX_SAFE_INTEGER : -1;
    if (atTouch) return this.#counterparts(side, everyPrice)[0]?.ticks;
    return side === 'buy' ? this.band.max : this.band.min;
  }

  /** The outcome of the order, tried on a copy of everything. */
  #rehearse(order: NaiveOrder): { readonly lots: number; readonly metOwn: boolean } {
    const copy = new NaiveBook(this.band, this.yielding);
    copy.resting = this.resting.filter((o) => o.id !== order.id || o.isBot).map((o) => ({ ...o }));
    for (const [owner, position] of this.positions) copy.positions.set(owner, position);
    const taker = { ...order };
    copy.#match(taker);
    return { lots: taker.filled - order.filled, metOwn: copy.#metOwn };
  }

  #work(order: NaiveOrder, timeInForce: NaiveRequest['timeInForce']): void {
    const isKilled = timeInForce === 'fill_or_kill' && this.#rehearse(order).lots < left(order);
    if (!isKilled) this.#match(order);
    if (left(order) === 0) order.state = 'filled';
    else if (timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill') {
      order.state = 'cancelled';
    } else {
      this.#queue(order);
      this.#recap(order.owner);
    }
  }

  /** Moves the order to the end of the queue, showing what it may. */
  #queue(order: NaiveOrder): void {
    this.resting = this.resting.filter((o) => o !== order);
    order.shown = Math.min(order.refresh, left(order));
    this.resting.push(order);
  }

  #match(taker: NaiveOrder): void {
    while (left(taker) > 0) {
      const [maker] = this.#counterparts(taker.side, taker.ticks);
      if (maker === undefined) return;
      if (maker.owner === taker.owner && !maker.isBot) {
        this.#metOwn = !this.yielding.has(taker.owner);
        if (this.#metOwn) return;
        this.#close(maker, 'cancelled');
        continue;
      }
      const seen = visible(maker);
      this.#trade(maker, taker, Math.min(left(taker), seen));
      // A taker larger than the shown part continues with the hidden part before the next order.
      if (maker.refresh > 0 && maker.state === 'open' && visible(maker) === 0) {
        this.#trade(maker, taker, Math.min(left(taker), left(maker)));
        if (maker.state === 'open') this.#queue(maker);
      }
    }
  }

  #trade(maker: NaiveOrder, taker: NaiveOrder, lots: number): void {
    if (lots === 0) return;
    this.fills.push({ maker, taker, ticks: maker.ticks, lots, isHidden: visible(maker) === 0 });
    for (const party of [maker, taker]) {
      party.filled += lots;
      const before = this.positions.get(party.owner) ?? 0;
      this.positions.set(party.owner, before + sign(party.side) * lots);
    }
    if (maker.refresh > 0) maker.shown = Math.max(0, maker.shown - lots);
    if (left(maker) === 0) this.#close(maker, 'filled');
    this.#recap(maker.owner);
    this.#recap(taker.owner);
  }

  #recap(owner: string): void {
    for (const side of ['buy', 'sell'] as const) {
      let cap = this.#reducible(owner, side);
      const everyPrice = side === 'buy' ? -1 : Number.MAX_SAFE_INTEGER;
      const mine = this.#counterparts(other(side), everyPrice);
      for (const order of mine.filter((o) => o.owner === owner && o.reduceOnly)) {
        const allowed = Math.min(cap, left(order));
        cap -= allowed;
        if (allowed === 0) this.#close(order, 'cancelled');
        else order.total = order.filled + allowed;
      }
    }
  }

  #close(order: NaiveOrder, state: 'filled' | 'cancelled'): void {
    order.state = state;
    this.resting = this.resting.filter((o) => o !== order);
  }
}
