import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { SlackChannel } from '../../../src/adapters/http-notices/slack-channel.ts';
import { TelegramChannel } from '../../../src/adapters/http-notices/telegram-channel.ts';
import { WebhookChannel } from '../../../src/adapters/http-notices/webhook-channel.ts';
import { EmailChannel } from '../../../src/adapters/smtp/email-channel.ts';
import type { NoticeChannel } from '../../../src/ports/notify/notice-channel.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import {
  type ChannelStage,
  noticeChannelConformance,
} from '../../conformance/notify/notice-channel.ts';
import { AT, happened, messageOf } from '../../conformance/notify/notices.ts';
import { type HttpReceiver, httpReceiver } from './http-receiver.ts';
import { LOGIN, mailReceiver } from './mail-receiver.ts';

const SECRET = 'q8Zr3xkT0vWb5nLy';

/** A channel over HTTP; `text` is where the body has what people read. */
async function overHttp(
  make: (url: string) => NoticeChannel,
  text: (body: Record<string, unknown>) => string,
): Promise<ChannelStage> {
  const receiver = await httpReceiver();
  return {
    channel: make(receiver.url),
    arrived: () => receiver.received.map(({ body }) => text(JSON.parse(body))),
    refuse: (how) => {
      receiver.answer = { status: how === 'now' ? 503 : 403, body: 'no' };
    },
    hold: () => {
      receiver.answer = { status: 200, isSilent: true };
    },
    begun: () => receiver.received.length,
    stop: () => receiver.close(),
    secret: SECRET,
  };
}

describe('WebhookChannel', () => {
  noticeChannelConformance(() =>
    overHttp(
      (url) => new WebhookChannel({ url: `${url}/hook?key=${SECRET}`, secret: SECRET }),
      (body) => JSON.stringify(body),
    ),
  );
});

describe('SlackChannel', () => {
  noticeChannelConformance(() =>
    overHttp(
      (url) => new SlackChannel({ url: `${url}/services/${SECRET}` }),
      ({ text }) => String(text),
    ),
  );
});

describe('TelegramChannel', () => {
  noticeChannelConformance(() =>
    overHttp(
      (url) => new TelegramChannel({ url, token: SECRET, chat: '-100' }),
      ({ text }) => String(text),
    ),
  );
});

/** Quoted-printable text as it was written. */
const decoded = (source: string): string =>
  Buffer.from(
    source
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString();

describe('EmailChannel', () => {
  noticeChannelConformance(async () => {
    const receiver = await mailReceiver({ isOpen: false });
    const channel = new EmailChannel({
      host: '127.0.0.1',
      port: receiver.port,
      encryption: 'none',
      login: LOGIN,
      from: 'twapd@example.com',
      to: ['desk@example.com', 'risk@example.com'],
    });
    return {
      channel,
      arrived: () => receiver.mails.map(({ source }) => decoded(source)),
      refuse: (how) => {
        receiver.refusal = { code: how === 'now' ? 451 : 550, text: 'no' };
      },
      hold: () => {
        receiver.isSilent = true;
      },
      begun: () => receiver.begun,
      stop: () => receiver.close(),
      secret: LOGIN.password,
    };
  });
});

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function receiving(): Promise<HttpReceiver> {
  const receiver = await httpReceiver();
  open.push(receiver);
  return receiver;
}

const MESSAGE = messageOf([
  happened('portfolio/7/9', { account: accountId('10001'), portfolio: portfolioId('7') }),
]);

test('a receiver of a webhook verifies the signature with the secret it shares', async () => {
  const receiver = await receiving();
  await new WebhookChannel({ url: receiver.url, secret: SECRET }).send(MESSAGE);
  const { headers, body } = must(receiver.received[0], 'a message');
  const [, seconds, given] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['twapd-signature'])) ?? [];
  expect(Number(seconds) * 1_000).toBe(AT);
  expect(given).toBe(createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'));
  expect(JSON.parse(body)).toEqual({
    deployment: 'test',
    at: '2026-11-24T14:00:00.000Z',
    title: MESSAGE.title,
    happenings: [
      {
        key: 'portfolio/7/9',
        kind: 'residual',
        at: '2026-11-24T14:00:00.000Z',
        account: '10001',
        portfolio: '7',
        detail: 'note ünïcode',
        title: 'portfolio portfolio/7/9 ended: time_limit, with a residual',
      },
    ],
  });
});

test('a webhook has the link to what to do as a field of its own', async () => {
  const receiver = await receiving();
  const runbook = 'https://wiki.example.com/ops#twapdauditbreach';
  const channel = new WebhookChannel({ url: receiver.url, secret: SECRET });
  await channel.send(messageOf([happened('breach/1', { kind: 'breach', runbook })]));
  const { body } = must(receiver.received[0], 'a message');
  expect(JSON.parse(body)).toMatchObject({ happenings: [{ kind: 'breach', runbook }] });
});

test('a redirect is not followed', async () => {
  const [receiver, elsewhere] = [await receiving(), await receiving()];
  receiver.answer = { status: 307, headers: { location: elsewhere.url } };
  const delivery = await new WebhookChannel({ url: receiver.url, secret: SECRET }).send(MESSAGE);
  expect(delivery).toMatchObject({ kind: 'refused', why: expect.stringContaining('redirect') });
  expect(elsewhere.received).toEqual([]);
});

test('a receiver that asks to wait is given its time', async () => {
  const receiver = await receiving();
  receiver.answer = { status: 429, headers: { 'retry-after': '17' } };
  const slack = new SlackChannel({ url: receiver.url });
  expect(await slack.send(MESSAGE)).toMatchObject({ kind: 'later', afterMs: 17_000 });
  receiver.answer = { status: 429, body: '{"ok":false,"parameters":{"retry_after":23}}' };
  const telegram = new TelegramChannel({ url: receiver.url, token: SECRET, chat: '1' });
  expect(await telegram.send(MESSAGE)).toMatchObject({ kind: 'later', afterMs: 23_000 });
});

test('a text of a client mentions nobody in a chat', async () => {
  const receiver = await receiving();
  const title = 'note <!channel> & <https://example.com|here>';
  await new SlackChannel({ url: receiver.url }).send(messageOf([], { title, lines: [title] }));
  const { text } = JSON.parse(receiver.received[0]?.body ?? '{}') as { text: string };
  expect(text).not.toMatch(/[<>]/);
  expect(text).toContain('&lt;!channel&gt; &amp; ');
});

test('a bot of Telegram posts to its chat', async () => {
  const receiver = await receiving();
  await new TelegramChannel({ url: receiver.url, token: SECRET, chat: '-42' }).send(MESSAGE);
  expect(receiver.received[0]?.path).toBe(`/bot${SECRET}/sendMessage`);
  expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ chat_id: '-42' });
});

test('an answer without end is not read to its end', async () => {
  const receiver = await receiving();
  receiver.answer = { status: 400, body: 'x'.repeat(50_000_000) };
  const delivery = await new SlackChannel({ url: receiver.url }).send(MESSAGE);
  expect(delivery.kind).toBe('refused');
  expect(JSON.stringify(delivery).length).toBeLessThan(400);
});

test('what a receiver answers cannot control a terminal', async () => {
  const receiver = await receiving();
  receiver.answer = { status: 400, body: 'no \u001b[2J' };
  const delivery = await new SlackChannel({ url: receiver.url }).send(MESSAGE);
  expect(delivery).toEqual({ kind: 'refused', why: 'the receiver answers 400 no \\x1b[2J' });
});

test('an e-mail that has to be encrypted is not sent to a server whose certificate nobody knows', async () => {
  const receiver = await mailReceiver();
  open.push(receiver);
  const channel = new EmailChannel({
    host: '127.0.0.1',
    port: receiver.port,
    encryption: 'starttls',
    from: 'twapd@example.com',
    to: ['desk@example.com'],
  });
  open.push(channel);
  expect(await channel.send(MESSAGE)).toMatchObject({ kind: 'later' });
  expect(receiver.mails).toEqual([]);
});

test('a title cannot add a header or a recipient to an e-mail', async () => {
  const receiver = await mailReceiver();
  open.push(receiver);
  const channel = new EmailChannel({
    host: '127.0.0.1',
    port: receiver.port,
    encryption: 'none',
    from: 'twapd@example.com',
    to: ['desk@example.com'],
  });
  open.push(channel);
  const title = 'x\r\nBcc: thief@example.com';
  expect(await channel.send(messageOf([], { title, lines: ['.', 'y'] }))).toEqual({
    kind: 'delivered',
  });
  expect(receiver.mails[0]?.to).toEqual(['desk@example.com']);
  expect(receiver.mails[0]?.source).not.toMatch(/^bcc:/im);
});
