// tardis-dev, unmodified, against the real exchange: its live feed of Deribit, raw and normalized, with and without a
// login. The address comes from its own environment variable.
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ClientStage, KEYS } from './client-stage.ts';
import { clientRequire } from './newest-clients.ts';
import { expectRan } from './ran.ts';

export function tardisDev(stage: ClientStage): void {
  beforeAll(() => {
    stage.front.begin('tardis-dev');
    process.env['WSS_URL_DERIBIT'] = `${stage.front.url.replace('http', 'ws')}/ws/api/v2`;
  });
  afterEach(() => {
    delete process.env['DERIBIT_API_CLIENT_ID'];
    delete process.env['DERIBIT_API_CLIENT_SECRET'];
  });
  afterAll(() => {
    delete process.env['WSS_URL_DERIBIT'];
  });

  test.each([
    ['without a login, every 100 ms', undefined],
    ['with a login sent ahead of the subscription, every change', KEYS.tardis],
  ])('books and tickers arrive %s', async (_how, login) => {
    if (login !== undefined) {
      process.env['DERIBIT_API_CLIENT_ID'] = login.id;
      process.env['DERIBIT_API_CLIENT_SECRET'] = login.secret;
    }
    const seen = await normalized(['book_change', 'derivative_ticker']);
    const [first, second] = seen.get('book_change') ?? [];
    expect([first?.isSnapshot, second?.isSnapshot]).toEqual([true, false]);
    expect(first?.bids?.length).toBeGreaterThan(0);
    expect(seen.get('derivative_ticker')?.[0]).toMatchObject({
      symbol: 'BTC-PERPETUAL',
      exchange: 'deribit',
      markPrice: expect.any(Number),
      indexPrice: expect.any(Number),
      openInterest: expect.any(Number),
    });
  });

  test('everything that tardis-dev received has the documented shapes', () => {
    expect([...stage.front.check.faults]).toEqual([]);
    expectRan('tardis-dev', stage.front);
  });
}

interface Message {
  readonly type: string;
  readonly isSnapshot?: boolean;
  readonly bids?: readonly unknown[];
}

/** Reads until every kind has come twice. */
async function normalized(kinds: readonly string[]): Promise<Map<string, Message[]>> {
  const tardis: typeof import('tardis-dev') = await import(
    pathToFileURL(clientRequire.resolve('tardis-dev')).href
  );
  const seen = new Map<string, Message[]>(kinds.map((kind) => [kind, []]));
  const feed = tardis.streamNormalized(
    { exchange: 'deribit', symbols: ['BTC-PERPETUAL'], timeoutIntervalMS: 20_000 },
    tardis.normalizeBookChanges,
    tardis.normalizeTrades,
    tardis.normalizeDerivativeTickers,
  );
  for await (const message of feed as AsyncIterable<Message>) {
    seen.get(message.type)?.push(message);
    if ([...seen.values()].every((list) => list.length > 1)) break;
  }
  return seen;
}
