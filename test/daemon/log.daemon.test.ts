// The log of the real daemon: every line about a slice names its portfolio and order, lines about a request name
// the request, and no line contains a secret.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import { parseChildLabel } from '../../src/values/ids.ts';
import { until } from '../adapters/until.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';

const KEY = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};

interface Line {
  readonly level: string;
  readonly time: string;
  readonly event?: string;
  readonly [field: string]: unknown;
}

const files = daemonFiles('logs', 'config/paper.yaml', 'apart');
let daemon: Daemon | undefined;

afterAll(async () => {
  await daemon?.end('SIGTERM');
  files.remove();
});

const linesOf = (output: string): readonly Line[] =>
  output.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text) as Line] : []));

const OF_A_SLICE = /^(slice_|child_|edit_|cancel_intended|fill_booked|venue_answered)/;
const OF_A_CHILD = /^(slice_sent|child_|edit_|cancel_intended|fill_booked|venue_answered)/;
const WITH_AN_INTENT = /^(slice_sent|child_intended|edit_intended|cancel_intended|venue_answered)$/;

async function overSocket({ url }: Daemon, rid: string): Promise<void> {
  const headers = signedHeaders(KEY, Date.now(), {
    method: 'GET',
    target: '/ws/api',
    body: Buffer.alloc(0),
  });
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/api`, { headers });
  await new Promise((done, fail) => socket.once('open', done).once('error', fail));
  const answered = new Promise<string>((done) =>
    socket.once('message', (raw) => done(String(raw))),
  );
  const params = {
    instrumentName: 'BTC-PERPETUAL',
    quantity: '10',
    price: '20000',
    label: 'by-hand',
  };
  socket.send(JSON.stringify({ rid, method: 'private/buy', params }));
  expect(JSON.parse(await answered)).toMatchObject({
    rid,
    result: { order: { label: 'by-hand' } },
  });
  socket.close();
}

describe("the daemon's log", () => {
  test('log lines identify the slice or request they belong to, and contain no secrets', async () => {
    appendFileSync(files.configPath, 'log: { level: debug, format: json }\n');
    daemon = await startDaemon(files);
    const { url, client, output } = daemon;
    const rid = `rid-${randomUUID()}`;
    const form = { ...TWO_LEGS, twapTrade: { durationSec: 10, frequencySec: 1 } };
    const submitted = await client.submit(form);
    if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
    await overSocket(daemon, rid);
    // As written by a proxy, and in places where they do not belong.
    const odd = { AUTHORIZATION: `bearer ${KEY.secret}`, 'x-API-key': KEY.secret };
    await fetch(
      `${url}/tt/broker/openapi/portfolios/info?secret=${encodeURIComponent(KEY.secret)}`,
      {
        headers: odd,
      },
    );
    await until(async () => {
      await sleep(200);
      const page = await client.page({ accountId: '10001', portfolioTag: 'OPEN_ORDER' });
      return page.kind === 'done' && page.value.totalCount === 0;
    }, 240_000);
    expect(await daemon.end('SIGTERM')).toBe(0);
    daemon = undefined;

    const lines = linesOf(output());
    const portfolio = String(submitted.value.portfolioId);
    const course = lines.filter(({ event = '' }) => OF_A_SLICE.test(event));
    const seen = new Set(course.map(({ event }) => event));
    for (const event of ['slice_started', 'child_intended', 'slice_sent', 'venue_answered']) {
      expect(seen).toContain(event);
    }
    for (const event of ['child_live', 'fill_booked', 'child_closed', 'slice_ended']) {
      expect(seen).toContain(event);
    }
    for (const line of course) {
      const { event = '' } = line;
      expect(line, event).toMatchObject({
        portfolio,
        deployment: 'logs',
        leg: expect.any(Number),
        slice: expect.any(Number),
      });
      if (WITH_AN_INTENT.test(event)) {
        expect(['place', 'edit', 'cancel', 'query'], event).toContain(line['intent']);
      }
      if (!OF_A_CHILD.test(event)) continue;
      const address = parseChildLabel(String(line['label']));
      expect(address, event).toMatchObject({ leg: line['leg'], slice: line['slice'] });
    }
    const byHand = lines.filter((line) => line['rid'] === rid);
    expect(byHand.map(({ event }) => event)).toContain('desk_answered');
    expect(byHand.every((line) => line['method'] !== undefined)).toBe(true);
    for (const hidden of [KEY.secret, encodeURIComponent(KEY.secret), KEY.secret.slice(0, -2)]) {
      expect(output()).not.toContain(hidden);
    }
  }, 480_000);
});
