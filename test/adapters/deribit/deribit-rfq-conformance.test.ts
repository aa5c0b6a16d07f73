import { describe, expect } from 'vitest';
import { DeribitAccountDesk } from '../../../src/adapters/deribit/account/deribit-account-desk.ts';
import { OrderReader } from '../../../src/adapters/deribit/orders/order-reader.ts';
import { OrderSides } from '../../../src/adapters/deribit/orders/order-sides.ts';
import { DeribitRfqDesk } from '../../../src/adapters/deribit/rfq/deribit-rfq-desk.ts';
import { Questions } from '../../../src/adapters/deribit/session/questions.ts';
import { Sessions } from '../../../src/adapters/deribit/session/sessions.ts';
import { openSocket } from '../../../src/adapters/deribit/session/venue-socket.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { WireTally } from '../../../src/ports/deribit-wire/wire-tally.ts';
import { type AccountId, currency } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { TermsOf } from '../../../src/values/instrument.ts';
import { rng } from '../../../src/values/rng.ts';
import { blockRfqConformance } from '../../conformance/block-rfq.ts';
import { BTC } from '../paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../paper/rfq-accounts.ts';
import {
  jumpAhead,
  KEY,
  OTHER_KEY,
  type ServedDeribit,
  serveDeribit,
  THIRD_KEY,
} from './deribit-stage.ts';

/** Longer waits are jumps of the clocks; a query makes the exchange process what is due. */
const JUMPS_FROM_MS = 1_000;

const credentials = ({ id, secret, accounts: [account] }: ApiKey) => ({
  account: account as AccountId,
  key: { kind: 'deribit', clientId: id, clientSecret: secret } as const,
});

/** The RFQ desk of the adapter, connected for every account. */
async function connectDesk({ url, clock, venue }: ServedDeribit, faults: unknown[]) {
  const tally = new WireTally((what) => faults.push(what));
  const onFault = (error: unknown): void => void faults.push(error);
  const termsOf: TermsOf = (name) => venue.market.instrument(name);
  const currencies = () => ['BTC', 'ETH', 'USDC'].map(currency);
  const venueNow = () => clock.now();
  const reader = new OrderReader(termsOf, new OrderSides());
  const marketUp = Promise.withResolvers<void>();
  const accounts = [KEY, OTHER_KEY, THIRD_KEY].map(credentials);
  const sessions: Sessions = new Sessions({
    url,
    open: openSocket,
    clock,
    accounts,
    rng: rng('rfq'),
    tally,
    onFault,
    accountChannels: [],
    rules: {
      timeoutMs: 30_000,
      probeMs: 30_000,
      heartbeatSec: 30,
      backoff: { minMs: 10, maxMs: 100, heldMs: 1_000 },
    },
    checkVenue: () => undefined,
    identify: () => Promise.resolve(),
    greetMarket: (request) => rfqs.greetMarket(request),
    prepareAccount: (greeting) => rfqs.greet(greeting),
    onMarketUp: marketUp.resolve,
    onMarketDown: () => undefined,
    onAccountUp: () => undefined,
    onAccountDown: () => undefined,
    onMarketMessage: (channel, data) => rfqs.receive(undefined, channel, data),
    onAccountUnreadable: () => undefined,
    onAccountMessage: (account, channel, data) => rfqs.receive(account, channel, data),
  });
  const questions = new Questions({ sessions, tally, onFault });
  const desk = new DeribitAccountDesk({ questions, reader, termsOf, currencies, venueNow });
  const rfqs: DeribitRfqDesk = new DeribitRfqDesk({
    questions,
    reader,
    termsOf,
    currencies,
    venueNow,
    clock,
    tally,
    onFault,
    trades: (query) => desk.trades(query),
    userIdOf: (account) => account,
  });
  await Promise.all([marketUp.promise, ...accounts.map((one) => sessions.attach(one.account))]);
  return { rfqs, sessions };
}

describe('the Block RFQs of the Deribit adapter at a paper exchange over a real socket', () => {
  blockRfqConformance(async () => {
    const served = await serveDeribit({ accounts: RFQ_ACCOUNTS });
    const { venue, clock } = served;
    const faults: unknown[] = [];
    const { rfqs, sessions } = await connectDesk(served, faults);
    const pass = async (forMs: number): Promise<void> => {
      if (forMs < JUMPS_FROM_MS) {
        await new Promise<void>((done) => clock.at(later(clock.now(), forMs), done));
        return;
      }
      jumpAhead(forMs);
      await rfqs.makers(TAKER);
    };
    const close = async (): Promise<void> => {
      sessions.close();
      await served.close();
      expect([faults, served.reported]).toEqual([[], []]);
    };
    return { rfqs, venue, pass, close, taker: TAKER, makers: MAKERS, perpetual: BTC };
  });
});
