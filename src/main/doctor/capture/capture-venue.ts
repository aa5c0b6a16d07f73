// Tests each open point of docs/deribit.md on a test network with one account: public data, orders far from the market, and
// orders of the smallest size that fill and are traded back. What a point did is undone before the next one begins.
import { randomBytes } from 'node:crypto';
import {
  type Answer,
  type CapturePoint,
  type CaptureScene,
  CaptureStopped,
  type Needs,
  type SmallBuy,
  type Verdict,
} from '../../../adapters/deribit/capture/capture-point.ts';
import { CAPTURE_POINTS } from '../../../adapters/deribit/capture/open-points.ts';
import { sanitised } from '../../../adapters/deribit/capture/sanitise.ts';
import type { DeribitVenue } from '../../../adapters/deribit/deribit-venue.ts';
import type { Params, SendRequest } from '../../../adapters/deribit/outcome.ts';
import { numberOf } from '../../../adapters/deribit/wire/amount-numbers.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Price } from '../../../values/amounts.ts';
import type { AccountId } from '../../../values/ids.ts';
import { later, SECOND_MS } from '../../../values/instant.ts';
import { type Instrument, passiveTick } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import { FAR, pause } from '../probe-order.ts';
import { OrderCount, requireSmall } from './capture-limits.ts';
import { leftAfter } from './undo-point.ts';

export interface CaptureOptions {
  readonly venue: Pick<
    DeribitVenue,
    'requestsOf' | 'watch' | 'quote' | 'venueNow' | 'ordersLabelled' | 'place' | 'cancel'
  >;
  readonly account: AccountId;
  /** A perpetual in whose currency the account has funds. */
  readonly perpetual: Instrument;
  /** Those that the account can trade; the first with prices is used where an order must fill. */
  readonly bumped: readonly Instrument[];
  readonly scope: string;
  readonly clock: Clock;
  /** Longest wait for prices. */
  readonly stepMs: number;
  readonly onProgress: (what: string) => void;
}

export interface CapturedPoint {
  readonly point: CapturePoint;
  readonly answers: readonly Answer[];
  readonly verdict: Verdict;
  /** What remains to be done by a person. */
  readonly left?: string | undefined;
}

const BUY = 'private/buy';
const PROTECTION_RIGHT = 'account:read_write';
const LOOK_AGAIN_MS = 50;
const VALID_MS = 10 * SECOND_MS;

export async function captureVenue(options: CaptureOptions): Promise<readonly CapturedPoint[]> {
  const { venue, perpetual, bumped, onProgress } = options;
  const watched = [perpetual, ...bumped];
  const leave = watched.map(({ name }) => venue.watch(name));
  try {
    await priced(options, watched);
    const taking = bumped.find(({ name }) => touch(venue.quote(name)) !== undefined);
    const orders = new OrderCount();
    const captured: CapturedPoint[] = [];
    for (const point of CAPTURE_POINTS) {
      onProgress(`open point ${captured.length + 1} of ${CAPTURE_POINTS.length}: ${point.name}`);
      captured.push(await capturePoint({ ...options, orders, taking }, point));
    }
    return captured;
  } finally {
    for (const one of leave) one();
  }
}

interface Capturing extends CaptureOptions {
  readonly orders: OrderCount;
  readonly taking: Instrument | undefined;
}

async function capturePoint(capturing: Capturing, point: CapturePoint): Promise<CapturedPoint> {
  const whyNot = impossible(point.needs, capturing);
  if (whyNot !== undefined) return untested(point, whyNot);
  const answers: Answer[] = [];
  const scene = sceneOf(capturing, answers);
  let stopped: unknown;
  try {
    await point.capture(scene);
  } catch (error) {
    // Whatever it is, what was done is undone first.
    stopped = error;
  }
  const { perpetual, taking } = capturing;
  const instruments = taking === undefined ? [perpetual] : [perpetual, taking];
  const undo = { ...capturing, label: scene.label, instruments, validMs: VALID_MS };
  const left = await leftAfter(undo, point.needs, answers);
  if (stopped !== undefined && !(stopped instanceof CaptureStopped)) throw stopped;
  const kept = sanitised(answers);
  const verdict: Verdict =
    stopped === undefined ? point.judge(kept) : { kind: 'undecided', seen: stopped.message };
  return { point, answers: kept, verdict, left };
}

const untested = (point: CapturePoint, why: string): CapturedPoint => ({
  point,
  answers: [],
  verdict: { kind: 'undecided', seen: `not tested: ${why}` },
});

/** Why a point cannot be tested here. */
function impossible(needs: Needs, { scope, taking }: Capturing): string | undefined {
  if (needs === 'protection' && !scope.includes(PROTECTION_RIGHT)) {
    return `the key lacks ${PROTECTION_RIGHT}`;
  }
  if (needs === 'fill' && taking === undefined) {
    return 'no instrument with a speed bump, a bid and an ask in a currency of the account';
  }
  return undefined;
}

function sceneOf(capturing: Capturing, answers: Answer[]): CaptureScene {
  const { venue, account, perpetual, taking, orders } = capturing;
  const send: SendRequest = venue.requestsOf(account);
  const label = `capture${randomBytes(4).toString('hex')}`;
  return {
    label,
    perpetual,
    bumped: taking,
    now: venue.venueNow(),
    request: async (method, params) => {
      if (method === BUY) orders.add();
      const at = answers.length;
      const sent = { method, params };
      answers.push({ ...sent, outcome: { kind: 'unknown', reason: 'not answered' } });
      const outcome = await send(method, params);
      answers[at] = { ...sent, outcome };
      return outcome;
    },
    buyParams: (order) => buyParams(capturing, order, label),
  };
}

function buyParams({ venue }: Capturing, { instrument, at }: SmallBuy, label: string): Params {
  const prices = touch(venue.quote(instrument.name));
  if (prices === undefined) throw new CaptureStopped(`${instrument.name} has no bid and ask`);
  const { ask } = prices;
  const price = at === 'crossing' ? ask : passiveTick(instrument, 'buy', ask.mul(FAR) as Price);
  requireSmall(instrument, price);
  return {
    label,
    instrument_name: instrument.name,
    amount: numberOf(instrument.minAmount),
    price: numberOf(price),
    type: 'limit',
    time_in_force: 'good_til_cancelled',
    valid_until: later(venue.venueNow(), VALID_MS),
  };
}

const touch = (
  quote: Quote | undefined,
): { readonly bid: Price; readonly ask: Price } | undefined =>
  quote?.bid === undefined || quote.ask === undefined
    ? undefined
    : { bid: quote.bid.price, ask: quote.ask.price };

/** Waits until each has a bid and an ask, but no longer than a step. */
async function priced(
  { venue, clock, stepMs }: CaptureOptions,
  watched: readonly Instrument[],
): Promise<void> {
  const untilMs = clock.monotonicMs() + stepMs;
  const isReady = (): boolean =>
    watched.every(({ name }) => touch(venue.quote(name)) !== undefined);
  while (!isReady() && clock.monotonicMs() < untilMs) {
    await pause(clock, LOOK_AGAIN_MS);
  }
}
