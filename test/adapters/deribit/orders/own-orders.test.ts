// What an account has in the book, merged from notices and from lists that were requested meanwhile: every order of
// arrival of the life of one order is tried.
import { describe, expect, test } from 'vitest';
import { OwnOrders } from '../../../../src/adapters/deribit/orders/own-orders.ts';
import type { OrderRecord } from '../../../../src/core/order/order-record.ts';
import { price, quantity, text } from '../../../../src/values/amounts.ts';
import { accountId, instrumentName, orderId } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';

const ACCOUNT = accountId('10001');
const BTC = instrumentName('BTC-PERPETUAL');
const SIZE = 30;

/** A step of the life of an order, at the venue. */
interface Step {
  readonly filled: number;
  readonly state: OrderRecord['state'];
  readonly at: number;
}

const open = (filled: number, at: number): Step => ({ filled, state: 'open', at });
const LIVES: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ['rests', [open(0, 1)]],
  ['is filled in part', [open(0, 1), open(10, 2), open(20, 3)]],
  ['is filled in part within one millisecond', [open(0, 1), open(10, 1), open(20, 1)]],
  ['is filled', [open(0, 1), open(10, 2), { filled: SIZE, state: 'filled', at: 3 }]],
  ['is filled within one millisecond', [open(0, 1), { filled: SIZE, state: 'filled', at: 1 }]],
  ['is cancelled', [open(0, 1), open(10, 2), { filled: 10, state: 'cancelled', at: 3 }]],
];

const record = ({ filled, state, at }: Step): OrderRecord =>
  ({
    orderId: orderId('1'),
    account: ACCOUNT,
    instrument: BTC,
    side: 'buy',
    type: 'limit',
    state,
    price: price('90000'),
    quantity: quantity(String(SIZE)),
    filledQuantity: quantity(String(filled)),
    updatedAt: instant(at),
  }) as OrderRecord;

/** After everything that happened. */
const LATER = { at: instant(99), arrivedAt: instant(99) };

function shownAt(own: OwnOrders): number {
  const { least, most } = own.inBook(BTC, 'buy', LATER).get(90_000) ?? {};
  expect(least && text(least)).toBe(most && text(most));
  return Number(most === undefined ? 0 : text(most));
}

const visible = (step: Step | undefined): number =>
  step === undefined || step.state !== 'open' ? 0 : SIZE - step.filled;

describe('our own quantity in a book', () => {
  test.each(LIVES)(
    'the quantity of an order that %s is right however lists and notices arrive',
    (_life, steps) => {
      const end = visible(steps.at(-1));
      let courses = 0;
      const notice = (own: OwnOrders, index: number): void => {
        const step = steps[index];
        if (step !== undefined) own.note(record(step));
      };
      // A list is requested after `asked` notices, made by the venue when `made` steps had happened, and arrives after `come`.
      for (let asked = 0; asked <= steps.length; asked += 1) {
        for (let made = asked; made <= steps.length; made += 1) {
          for (let come = asked; come <= steps.length; come += 1) {
            courses += 1;
            const own = new OwnOrders();
            const listed = made === 0 ? undefined : steps[made - 1];
            for (let index = 0; index < asked; index += 1) notice(own, index);
            own.begin(ACCOUNT);
            for (let index = asked; index < come; index += 1) notice(own, index);
            own.fill(ACCOUNT, listed?.state === 'open' ? [record(listed)] : []);
            const course = `list of ${made} steps between notices ${asked} and ${come}`;
            // A list that is older than the latest notice changes nothing.
            if (come >= made && come > asked)
              expect(shownAt(own), course).toBe(visible(steps[come - 1]));
            for (let index = come; index < steps.length; index += 1) notice(own, index);
            // Repeated notices change nothing.
            notice(own, steps.length - 1);
            if (asked < steps.length || made === steps.length)
              expect(shownAt(own), course).toBe(end);
          }
        }
      }
      expect(courses).toBeGreaterThan(4);
    },
  );
});
