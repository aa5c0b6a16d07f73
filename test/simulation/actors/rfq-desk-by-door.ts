// Block RFQs by the order methods of a gateway, as far as the people of a run use them.

import type { RfqApi } from '../../../src/engine/interface/order-api.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import { type Quantity, quantity, ratio as ratioIn, text } from '../../../src/values/amounts.ts';
import type { RfqLeg } from '../../../src/values/block-rfq-record.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { keyIdOf } from './door-keys.ts';
import type { CallMethod } from './methods-by-door.ts';

interface AskedRfq {
  readonly id: string;
  readonly quantity: Quantity;
  readonly legs: readonly RfqLeg[];
}

type Given<K extends 'create' | 'quote' | 'accept' | 'cancelRfq'> = Parameters<RfqApi[K]>[0];

/** The operations common to an RFQ desk and a gateway. */
export interface PeopleRfqs {
  create(rfq: Given<'create'>): Promise<Reply<{ readonly id: string }>>;
  /** Open RFQs requested of the account. */
  asked(): Promise<readonly AskedRfq[]>;
  quote(quote: Given<'quote'>): Promise<unknown>;
  accept(accept: Given<'accept'>): Promise<unknown>;
  cancelRfq(of: Given<'cancelRfq'>): Promise<unknown>;
}

export const straightRfqs = (desk: RfqApi, account: AccountId): PeopleRfqs => ({
  create: (rfq) => desk.create(rfq),
  asked: async () => {
    const open = await desk.rfqs({ account, role: 'maker', status: 'open', count: 10 });
    return open.kind === 'done' ? open.value.rfqs : [];
  },
  quote: (quote) => desk.quote(quote),
  accept: (accept) => desk.accept(accept),
  cancelRfq: (of) => desk.cancelRfq(of),
});

interface LegView {
  readonly instrumentName: string;
  readonly ratio: string;
  readonly side: 'buy' | 'sell';
}

export function rfqsByDoor(call: CallMethod, account: AccountId): PeopleRfqs {
  const request = (method: string, params: object) =>
    call({
      keyId: keyIdOf(account),
      method: `block/rfqs/${method}`,
      params: { accountId: account, ...params },
    });
  return {
    create: async ({ legs, disclosed, label }) => {
      const sized = legs.map(({ instrument, quantity: size, side }) => ({
        instrumentName: instrument,
        quantity: text(size),
        side,
      }));
      const reply = await request('create_rfq', { legs: sized, disclosed, label });
      if (reply.kind !== 'done') return reply;
      return { kind: 'done', value: { id: String(reply.value['blockRfqId']) } };
    },
    asked: async () => {
      const reply = await request('get_rfqs', { role: 'maker', status: 'open', count: 10 });
      if (reply.kind !== 'done') return [];
      return (reply.value['blockRfqs'] as readonly RfqView[]).map(requestedRfq);
    },
    quote: ({ rfqId, quantity: size, side, legs, executionInstruction, label }) =>
      request('create_quote', {
        blockRfqId: rfqId,
        quantity: text(size),
        side,
        executionInstruction,
        label,
        legs: legs.map(({ instrument, ratio, side: of, price }) => ({
          instrumentName: instrument,
          ratio: text(ratio),
          side: of,
          price: text(price),
        })),
      }),
    accept: ({ rfqId, quantity: size, side, price, timeInForce }) =>
      request('trade', {
        blockRfqId: rfqId,
        quantity: text(size),
        side,
        timeInForce,
        price: text(price),
      }),
    cancelRfq: ({ rfqId }) => request('cancel_rfq', { blockRfqId: rfqId }),
  };
}

interface RfqView {
  readonly blockRfqId: string;
  readonly quantity: string;
  readonly legs: readonly LegView[];
}

const requestedRfq = ({ blockRfqId, quantity: size, legs }: RfqView): AskedRfq => ({
  id: blockRfqId,
  quantity: quantity(size),
  legs: legs.map(({ instrumentName: name, ratio, side }) => ({
    instrument: instrumentName(name),
    ratio: ratioIn(ratio),
    side,
  })),
});
