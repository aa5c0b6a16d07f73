// Places one far post-only order of the smallest size at a test network, finds it by its label, edits and cancels it, and
// measures how long each takes to show in the venue's queries. It never leaves an order without saying so.
import { randomBytes } from 'node:crypto';
import type { DeribitVenue } from '../../adapters/deribit/deribit-venue.ts';
import { whyNot } from '../../core/order/answer-class.ts';
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import { type Price, text } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { type Instrument, passiveTick } from '../../values/instrument.ts';

export interface ProbeOptions {
  readonly venue: Pick<
    DeribitVenue,
    'place' | 'edit' | 'cancel' | 'ordersLabelled' | 'openOrders' | 'watch' | 'quote' | 'venueNow'
  >;
  readonly account: AccountId;
  readonly instrument: Instrument;
  readonly clock: Clock;
  /** Longest wait for each step, and how long the venue may still accept its request. */
  readonly stepMs: number;
}

/** A step that was taken: the milliseconds until its reply, and from there until a query showed it. */
export interface ProbeStep {
  readonly name: 'place' | 'edit' | 'cancel';
  readonly replyMs: number;
  /** Until the look-up by label showed it, that look-up included. */
  readonly byLabelMs: number;
  /** The same for the list of open orders. */
  readonly inOpenMs: number;
}

export interface Probe {
  readonly instrument: string;
  readonly quantity: string;
  readonly price: string;
  readonly label: string;
  readonly steps: readonly ProbeStep[];
  /** Why it did not complete. */
  readonly fault?: string | undefined;
  /** What remains to be done if an order may have been left open. */
  readonly leftOpen?: string | undefined;
}

/** Half the price of the market: nobody sells there. */
export const FAR = '0.5';
const NEARER = '0.51';
const LOOK_AGAIN_MS = 10;

/** A step that failed. `isUnsure`: its request may still take effect. */
class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly isUnsure: boolean;
  constructor(message: string, isUnsure: boolean) {
    super(message);
    this.isUnsure = isUnsure;
  }
}

export async function probeOrder(options: ProbeOptions): Promise<Probe> {
  const { instrument } = options;
  const label = `doctor-${randomBytes(6).toString('hex')}`;
  const reference = await referencePrice(options);
  const steps: ProbeStep[] = [];
  const of = { label, instrument: instrument.name, quantity: text(instrument.minAmount), steps };
  if (reference === undefined)
    return { ...of, price: '', fault: `${instrument.name} has no price` };
  const at = (share: string): Price =>
    passiveTick(instrument, 'buy', reference.mul(share) as Price);
  const probing: Probing = { ...options, label, price: at(FAR), nearer: at(NEARER) };
  const about = { ...of, price: text(probing.price) };
  try {
    await run(probing, steps);
    return about;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return { ...about, fault: error.message, leftOpen: await leftOpen(probing, error.isUnsure) };
  }
}

interface Probing extends ProbeOptions {
  readonly label: string;
  readonly price: Price;
  readonly nearer: Price;
}

async function run(probing: Probing, steps: ProbeStep[]): Promise<void> {
  const { venue, account, instrument, label, price, nearer, stepMs } = probing;
  const of = { label, instrument: instrument.name };
  const terms = { quantity: instrument.minAmount, postOnly: true, rejectPostOnly: true };
  const validUntil = () => later(venue.venueNow(), stepMs);
  const acts: readonly (readonly [ProbeStep['name'], Step])[] = [
    [
      'place',
      {
        act: () =>
          venue.place({
            ...terms,
            ...of,
            account,
            price,
            side: 'buy',
            type: 'limit',
            mmp: false,
            timeInForce: 'good_til_cancelled',
            reduceOnly: false,
            validUntil: validUntil(),
          }),
        shows: (order) => order.state === 'open',
      },
    ],
    [
      'edit',
      {
        act: () => venue.edit({ ...terms, account, of, price: nearer, validUntil: validUntil() }),
        shows: (order) => order.price?.eq(nearer) === true,
      },
    ],
    [
      'cancel',
      {
        act: () => venue.cancel({ account, of }),
        shows: (order) => order.state !== 'open',
      },
    ],
  ];
  for (const [name, one] of acts) steps.push(await step(probing, name, one));
}

async function referencePrice({ venue, instrument, clock, stepMs }: ProbeOptions) {
  const leave = venue.watch(instrument.name);
  try {
    return await shown({ clock, stepMs }, () => {
      const quote = venue.quote(instrument.name);
      return Promise.resolve(quote?.mark ?? quote?.bid?.price);
    });
  } finally {
    leave();
  }
}

interface Step {
  readonly act: () => Promise<Reply<unknown>>;
  readonly shows: (order: OrderRecord) => boolean;
}

async function step(
  { venue, account, instrument, clock, stepMs, label }: Probing,
  name: ProbeStep['name'],
  { act, shows }: Step,
): Promise<ProbeStep> {
  const sentMs = clock.monotonicMs();
  const reply = await act();
  const repliedMs = clock.monotonicMs();
  if (reply.kind !== 'done') {
    throw new StepFailed(`${name}: ${whyNot(reply)}`, reply.kind === 'unknown');
  }
  const until = async (what: string, isShown: () => Promise<boolean>): Promise<number> => {
    const ms = await shown({ clock, stepMs }, async () =>
      (await isShown()) ? clock.monotonicMs() - repliedMs : undefined,
    );
    if (ms !== undefined) return ms;
    throw new StepFailed(`${name}: ${what} did not show it within ${stepMs} ms`, true);
  };
  // Both at once, so that neither counts the time of the other.
  const [byLabelMs, inOpenMs] = await Promise.all([
    until('the look-up by label', async () => {
      const found = await venue.ordersLabelled({ account, label, instrument: instrument.name });
      return found.kind === 'done' && found.value.some(shows);
    }),
    until('the list of open orders', async () => {
      const found = await venue.openOrders({ account, instrument: instrument.name });
      if (found.kind !== 'done') return false;
      const own = found.value.filter((order) => order.label === label);
      return name === 'cancel' ? own.length === 0 : own.some(shows);
    }),
  ]);
  return { name, replyMs: repliedMs - sentMs, byLabelMs, inOpenMs };
}

type Waiting = Pick<ProbeOptions, 'clock' | 'stepMs'>;

/** Asks again until there is an answer, or until the time of a step is over. */
async function shown<T>(
  { clock, stepMs }: Waiting,
  query: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const untilMs = clock.monotonicMs() + stepMs;
  for (;;) {
    const answer = await query();
    if (answer !== undefined) return answer;
    if (clock.monotonicMs() >= untilMs) return undefined;
    await pause(clock, LOOK_AGAIN_MS);
  }
}

/** Resolves when so much time has passed by the clock. */
export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((done) => {
    clock.at(later(clock.now(), ms), done);
  });

/** Cancels what may be open. A request without an answer is waited for until the venue must refuse it. */
async function leftOpen(
  { venue, account, instrument, clock, stepMs, label }: Probing,
  isUnsure: boolean,
): Promise<string | undefined> {
  if (isUnsure) await pause(clock, stepMs);
  const of = { label, instrument: instrument.name };
  await venue.cancel({ account, of });
  const left = await venue.ordersLabelled({ account, ...of });
  if (left.kind === 'done' && left.value.every(({ state }) => state !== 'open')) return undefined;
  return `the order labelled ${label} on ${instrument.name} may be open: cancel it manually`;
}
