// The connections of the adapter to a scripted venue: one for the markets, one for an account that is logged in.
import type { SendRequest } from '../../../src/adapters/deribit/outcome.ts';
import { Questions } from '../../../src/adapters/deribit/session/questions.ts';
import { type Greeting, Sessions } from '../../../src/adapters/deribit/session/sessions.ts';
import { openSocket } from '../../../src/adapters/deribit/session/venue-socket.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { WireTally } from '../../../src/ports/deribit-wire/wire-tally.ts';
import { type AccountId, accountId } from '../../../src/values/ids.ts';
import { rng } from '../../../src/values/rng.ts';
import { type Script, ScriptedVenue } from './scripted-venue.ts';

export const DESK = accountId('10001');

type Receive = (account: AccountId | undefined, channel: string, data: unknown) => void;

/** What a part of the adapter is made of. */
export interface ScriptedParts {
  readonly questions: Questions;
  readonly tally: WireTally;
  readonly clock: SystemClock;
  readonly onFault: (error: unknown) => void;
}

export interface ScriptedSessions extends ScriptedParts {
  readonly venue: ScriptedVenue;
  readonly sessions: Sessions;
  /** What the adapter reported; none is expected unless the script requests it. */
  readonly faults: unknown[];
  close(): Promise<void>;
}

export interface ScriptedSessionsOptions {
  readonly accountChannels?: readonly string[];
  readonly prepareAccount?: (greeting: Greeting) => Promise<void>;
  readonly greetMarket?: (request: SendRequest) => Promise<void>;
  readonly receive?: Receive;
}

/** Resolves once the account is logged in and greeted. `setUp` makes what is tested. */
export async function connectToScript(
  script: Script,
  setUp: (parts: ScriptedParts) => ScriptedSessionsOptions = () => ({}),
): Promise<ScriptedSessions> {
  const venue = await ScriptedVenue.open(script);
  const clock = new SystemClock({ unref: true });
  const tally = new WireTally(() => undefined);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const questions = new Questions({
    sessions: {
      request: (account, method, params) => sessions.request(account, method, params),
      requestMarket: (method, params) => sessions.requestMarket(method, params),
    },
    tally,
    onFault,
  });
  const parts = { questions, tally, clock, onFault };
  const { prepareAccount, greetMarket, accountChannels = [], receive } = setUp(parts);
  const marketUp = Promise.withResolvers<void>();
  const sessions: Sessions = new Sessions({
    url: venue.url,
    open: openSocket,
    clock,
    rng: rng('script'),
    tally,
    accountChannels,
    onFault,
    accounts: [
      { account: DESK, key: { kind: 'deribit', clientId: 'desk', clientSecret: 'its secret' } },
    ],
    rules: {
      timeoutMs: 30_000,
      probeMs: 30_000,
      heartbeatSec: 30,
      backoff: { minMs: 10, maxMs: 100, heldMs: 1_000 },
    },
    checkVenue: () => undefined,
    identify: () => Promise.resolve(),
    greetMarket: greetMarket ?? (() => Promise.resolve()),
    prepareAccount: prepareAccount ?? (() => Promise.resolve()),
    onMarketUp: marketUp.resolve,
    onMarketDown: () => undefined,
    onAccountUp: () => undefined,
    onAccountDown: () => undefined,
    onMarketMessage: (channel, data) => receive?.(undefined, channel, data),
    onAccountUnreadable: () => undefined,
    onAccountMessage: (account, channel, data) => receive?.(account, channel, data),
  });
  await Promise.all([marketUp.promise, sessions.attach(DESK)]);
  const close = async (): Promise<void> => {
    sessions.close();
    await venue.close();
  };
  return { ...parts, venue, sessions, faults, close };
}
