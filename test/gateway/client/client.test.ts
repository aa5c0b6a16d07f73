import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, type ClientOptions, connect } from '../../../src/gateway/client/client.ts';
import type { StreamItem } from '../../../src/gateway/client/stream-client.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { BOUND, GatewayUnderTest, perpetualBody, STRANGER, TAKER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
let client: Client;

const clientOf = (changes: Partial<ClientOptions> = {}): Client =>
  connect({
    baseUrl: gateway.url,
    keyId: TAKER.id,
    secret: TAKER.secret,
    now: () => gateway.nowMs,
    ...changes,
  });

beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
  client = clientOf();
});
afterEach(() => gateway.close());

async function submitted(): Promise<string> {
  const result = await client.submit(perpetualBody());
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  return String(result.value.portfolioId);
}

function publish(portfolio: string, versions: readonly number[]): void {
  const record = gateway.operations.records.get(portfolio);
  if (record === undefined) throw new Error('no such portfolio');
  gateway.bus.publish(
    versions.map((version) => ({
      messageType: 'PORTFOLIO_SLICE',
      portfolio: portfolioId(portfolio),
      account: accountId(record.account),
      version,
      at: instant(gateway.nowMs),
      record,
    })),
  );
}

describe('the client', () => {
  it('the client performs every operation', async () => {
    const id = await submitted();
    expect(await client.plan(perpetualBody())).toMatchObject({ kind: 'done' });
    expect(await client.info(id)).toMatchObject({ kind: 'done', value: { portfolioId: id } });
    const page = await client.page({ accountId: '10001', createUidList: ['1', '2'], pageSize: 5 });
    expect(page).toMatchObject({ kind: 'done', value: { totalCount: 1 } });
    expect(gateway.operations.pages.at(-1)).toMatchObject({ uids: ['1', '2'], limit: 5 });
    expect(await client.cancel(id)).toEqual({ kind: 'done', value: null });
    expect(await client.cancelAll({ accountId: '10001' })).toEqual({ kind: 'done', value: null });
    expect(await client.health()).toEqual({ kind: 'done', value: { ready: true, reasons: [] } });
  });

  it('submits once per idempotency key', async () => {
    const first = await client.submit(perpetualBody(), 'k');
    expect(await client.submit(perpetualBody(), 'k')).toEqual(first);
  });

  it('signs the request as well if its key requires it', async () => {
    const bound = clientOf({ keyId: BOUND.id, secret: BOUND.secret, bindBody: true });
    expect(await bound.submit(perpetualBody())).toMatchObject({ kind: 'done' });
    expect(await bound.page({ accountId: '10001' })).toMatchObject({ kind: 'done' });
  });

  it('the client returns refusals as values', async () => {
    expect(await client.submit(perpetualBody({ legs: [] }))).toMatchObject({
      kind: 'refused',
      status: 200,
      code: 40001,
      errors: [{ field: 'legs', code: 40001 }],
    });
    gateway.nonceStoreUp = false;
    expect(await client.info('1')).toMatchObject({
      kind: 'refused',
      status: 503,
      retryAfterSec: 1,
    });
  });

  it('the client reports when the gateway cannot be reached', async () => {
    await gateway.close();
    expect(await client.health()).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await client.call('public/test')).toMatchObject({ kind: 'unreachable' });
    const items: StreamItem[] = [];
    for await (const item of client.watch('all')) items.push(item);
    expect(items).toMatchObject([{ kind: 'ended', code: 1006 }]);
  });
});

describe('watching', () => {
  it('watching a portfolio yields its news from the subscription on, and the reason for the end', async () => {
    const [mine, other] = [await submitted(), await submitted()];
    const versions: number[] = [];
    let end: StreamItem | undefined;
    for await (const item of client.watch(mine)) {
      if (item.kind === 'listening') {
        publish(other, [1]);
        publish(mine, [2, 3]);
      } else if (item.kind === 'news') {
        versions.push(item.frame.data.version);
        if (versions.length === 2) void gateway.close();
      } else end = item;
    }
    expect(versions).toEqual([2, 3]);
    expect(end).toEqual({ kind: 'ended', code: 1012, reason: 'restarting' });
  });

  it('watching a portfolio loses no news if the consumer is slow', async () => {
    const mine = await submitted();
    const sent = Array.from({ length: 3_000 }, (_, n) => n);
    const versions: number[] = [];
    for await (const item of client.watch('all')) {
      if (item.kind === 'listening') {
        for (const version of sent) {
          publish(mine, [version]);
          if (version % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      } else if (item.kind === 'news') versions.push(item.frame.data.version);
      if (versions.length === sent.length) break;
    }
    expect(versions).toEqual(sent);
  });

  it('watching a portfolio resumes from a given sequence, or reports that the state must be read again', async () => {
    const mine = await submitted();
    const kinds: string[] = [];
    for await (const item of client.watch('all', { after: '99999999999999999999' })) {
      kinds.push(item.kind);
      if (item.kind === 'resync') publish(mine, [1]);
      if (item.kind !== 'news') continue;
      expect(BigInt(item.frame.sequence)).toBeGreaterThan(0n);
      break;
    }
    expect(kinds).toEqual(['listening', 'resync', 'news']);
  });

  it('watching a portfolio ends when it is refused or aborted', async () => {
    const wrong = clientOf({ secret: STRANGER.secret });
    const refused: StreamItem[] = [];
    for await (const item of wrong.watch('all')) refused.push(item);
    expect(refused).toMatchObject([{ kind: 'ended', code: 401 }]);
    const stop = new AbortController();
    const items: string[] = [];
    for await (const item of client.watch('all', { signal: stop.signal })) {
      items.push(item.kind);
      stop.abort();
    }
    expect(items).toEqual(['listening', 'ended']);
  });
});
