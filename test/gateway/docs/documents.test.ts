import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { REJECTION_CODES } from '../../../src/core/rejection.ts';
import { signedHeaders } from '../../../src/gateway/auth/signed-stamp.ts';
import {
  answerFrame,
  newsFrameSchema,
  ordersFrameSchema,
} from '../../../src/gateway/docs/asyncapi-frames.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { TRADING_PATH } from '../../../src/gateway/trading/serve-trading.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { PATH, perpetualBody, TAKER } from '../gateway-under-test.ts';
import { BTC, RidStage } from '../order-api/rid-stage.ts';
import { StreamListener } from '../stream-listener.ts';

let stage: RidStage;
beforeEach(async () => {
  stage = await RidStage.start();
});
afterEach(() => stage.close());

/** Codes for requests that do not have the documented shape. */
const SHAPE_CODES = [-32700, -32600, -32601, -32602, 11050, 11094];

const INVALID = REJECTION_CODES.invalid_parameter;
/** Operations on switches, overrides, strategies, actions and sessions that take a body or a query. */
const TRADING_WITH_INPUT = 7;

interface Operation {
  readonly requestBody?: { readonly content: { 'application/json': { example?: unknown } } };
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    example?: string;
  }[];
}

describe('the OpenAPI document', () => {
  it('the OpenAPI document assigns every operation to one of its groups', async () => {
    const { json } = await stage.gateway.request('/openapi.json', { by: null });
    const groups = json.tags.map(({ name }: { readonly name: string }) => name);
    const used = new Set<string>();
    for (const methods of Object.values<Record<string, { readonly tags?: string[] }>>(json.paths)) {
      for (const { tags = [] } of Object.values(methods)) {
        expect(tags).toHaveLength(1);
        used.add(tags[0] ?? '');
      }
    }
    expect(groups).toEqual(expect.arrayContaining([...used]));
    expect(json.paths[`${PATH}/submit`].post.tags).toEqual(['portfolios']);
    expect(json.paths['/readyz'].get.tags).toEqual(['daemon']);
  });
});

describe('documents made in advance', () => {
  it('documents made in advance are those that a client gets who asks first', async () => {
    const other = await RidStage.start();
    await other.gateway.prepareDocuments();
    for (const path of ['/openapi.json', '/asyncapi.json', '/docs/yaml']) {
      const [asked, prepared] = await Promise.all(
        [stage, other].map(({ gateway }) => gateway.request(path, { by: null })),
      );
      expect(prepared?.status).toBe(200);
      expect(prepared?.json).toEqual(asked?.json);
    }
    await other.close();
  });
});

describe('the examples of the OpenAPI document', () => {
  it('the examples of the OpenAPI document exist for every operation with input, and are accepted', async () => {
    const { json } = await stage.gateway.request('/openapi.json', { by: null });
    const operations = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(
        ([method, operation]) => ({ path, method: method.toUpperCase(), operation }) as const,
      ),
    );
    let run = 0;
    const order = [
      'submit',
      'plan',
      'info',
      'page',
      'counts',
      'report',
      'history',
      'course',
      'report-summary',
      'cancel',
      'cancel-all',
      'pause',
      'resume',
      'amend',
    ].map((name) => `${PATH}/${name}`);
    operations.sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
    for (const { path, method, operation } of operations) {
      const takes = operation.requestBody !== undefined || operation.parameters !== undefined;
      if (!takes) continue;
      const query = new URLSearchParams();
      for (const { name, required, example } of operation.parameters ?? []) {
        if (required) expect(example, `${path} ${name}`).toBeDefined();
        if (example !== undefined) query.set(name, example);
      }
      const body = operation.requestBody?.content['application/json'].example;
      expect(body !== undefined || query.size > 0, path).toBe(true);
      const target = query.size > 0 ? `${path}?${query}` : path;
      const asked = body === undefined ? {} : { body };
      const { status, json: answer } = await stage.gateway.request(target, { method, ...asked });
      expect(status, path).toBeLessThan(500);
      if (path.startsWith(PATH)) expect(answer, path).toMatchObject({ succ: true });
      else if (path.startsWith(TRADING_PATH)) expect(answer.code, path).not.toBe(INVALID);
      else expect(SHAPE_CODES, JSON.stringify(answer)).not.toContain(answer.error?.code);
      run += 1;
    }
    expect(run).toBe(METHODS.size + order.length + TRADING_WITH_INPUT);
  });
});

describe('the AsyncAPI document', () => {
  interface Message {
    readonly payload: object;
    readonly examples?: readonly { readonly payload: object }[];
  }
  const document = async () => (await stage.gateway.request('/asyncapi.json', { by: null })).json;
  const examplesOf = (messages: Record<string, Message>): readonly object[] =>
    Object.values(messages).flatMap(({ examples = [] }) => examples.map(({ payload }) => payload));

  it('the AsyncAPI document describes both WebSockets without dangling references', async () => {
    const json = await document();
    expect(json.asyncapi).toBe('3.0.0');
    const addresses = Object.values(json.channels as Record<string, { address: string }>);
    expect(addresses.map(({ address }) => address)).toEqual(['/ws/portfolio', '/ws/api']);
    const references = [...JSON.stringify(json).matchAll(/"\$ref":"#\/(channels[^"]*)"/g)];
    expect(references.length).toBeGreaterThan(METHODS.size);
    for (const [, path = ''] of references) {
      const target = path.split('/').reduce((at, name) => at?.[name], json);
      expect(target, path).toBeDefined();
    }
    for (const name of METHODS.keys()) {
      expect(json.operations).toHaveProperty([name.replaceAll('/', '.')]);
    }
  });

  it('the AsyncAPI document has example frames of /ws/portfolio that get the described answers', async () => {
    const { channels } = await document();
    const frames = examplesOf(channels.portfolio.messages).filter(
      (frame) => (frame as { op: string }).op !== 'resync',
    );
    expect(frames).toHaveLength(4);
    const listener = await StreamListener.open(stage.gateway.url);
    for (const frame of frames as { id: string }[]) {
      listener.socket.send(JSON.stringify(frame));
      const answer = await listener.until(({ id }) => id === frame.id);
      expect(answerFrame.strict().parse(answer)).toMatchObject({ code: 0 });
      for (const { success } of answer.data ?? []) expect(success).toBe(true);
    }
  });

  it('the AsyncAPI document describes the published frames', async () => {
    const listener = await StreamListener.open(stage.gateway.url);
    const channels = [{ channel: 'trade-news' }, { channel: 'order.change.any' }];
    await listener.say({ op: 'subscribe', accountId: 10001, data: channels });
    const price = await stage.restingPrice('buy');
    await stage.post('private/buy', { instrumentName: BTC, quantity: '100', price });
    const orders = await listener.until(({ data }) => data?.changed?.length > 0);
    expect(ordersFrameSchema.strict().parse(orders)).toEqual(orders);
    const { operations, bus } = stage.gateway;
    await stage.gateway.submit(perpetualBody());
    const record = must([...operations.records.values()][0], 'a portfolio was submitted');
    const portfolio = portfolioId(record.portfolio);
    const account = accountId(record.account);
    const messageType = 'PORTFOLIO_SUBMITTED';
    bus.publish([{ messageType, portfolio, account, version: 1, at: instant(1), record }]);
    const news = await listener.until(({ channel }) => channel === 'trade-news');
    expect(newsFrameSchema.strict().parse(news)).toEqual(news);
  });

  it('the AsyncAPI document has example requests of /ws/api with accepted params', async () => {
    const { channels } = await document();
    const frames = examplesOf(channels.methods.messages) as { method: string }[];
    expect(frames).toHaveLength(METHODS.size);
    const url = `${stage.gateway.url.replace('http', 'ws')}/ws/api`;
    const stamp = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
    const headers = signedHeaders({ ...TAKER, keyId: TAKER.id }, stage.gateway.nowMs, stamp);
    const socket = new WebSocket(url, { headers });
    await new Promise((resolve) => socket.once('open', resolve));
    const answers = new Map<number, { error?: { code: number } }>();
    let wake: () => void = () => undefined;
    socket.on('message', (raw) => {
      const answer = JSON.parse(raw.toString());
      if (answer.rid !== undefined) answers.set(answer.rid, answer);
      wake();
    });
    for (const [rid, frame] of frames.entries()) {
      socket.send(JSON.stringify({ ...frame, rid }));
      while (!answers.has(rid)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      expect(SHAPE_CODES, frame.method).not.toContain(answers.get(rid)?.error?.code);
    }
    socket.terminate();
  });
});
