// Who is notified of what: channels to people, each with the happenings it reports.
import { z } from 'zod';
import type { QuietHours } from '../../../core/notify/due-notices.ts';
import { HAPPENING_KINDS, NOTABLE_KINDS, URGENT_KINDS } from '../../../core/notify/happening.ts';
import { isZone } from '../../../values/instant.ts';
import { parseWindow } from './blackout-window-section.ts';
import { secretOr, secretSource } from './secret-source.ts';

const kinds = z.array(z.enum(HAPPENING_KINDS));

/** Common to all kinds of channels. */
const RULES = {
  happenings: kinds
    .min(1)
    .default(NOTABLE_KINDS)
    .describe(
      'What the channel reports, for readers who need less, or fills too; docs/notifications.md describes each.',
    ),
  digestSec: z
    .int()
    .min(0)
    .max(86_400)
    .default(30)
    .describe(
      'For how long anything else is collected into one message, in seconds; 0 for a program, an hour for e-mail that is read in passing.',
    ),
  quietHours: z
    .array(
      z.string().refine((text) => parseQuietHours(text) !== undefined, {
        message:
          'is not a window; accepted: two different times of day with an IANA zone, such as "22:00-07:00 Europe/Zurich"; without a zone UTC',
      }),
    )
    .max(8)
    .default([])
    .describe(
      'Windows of each day in which only what is urgent is reported and the rest waits, such as "22:00-07:00 Europe/Zurich"; for people who sleep.',
    ),
};

/** Returns `undefined` if the text is no window of a day, with a zone behind it or without. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const [times = '', zone = 'UTC', ...more] = text.split(' ');
  const window = parseWindow(times);
  return window === undefined || !isZone(zone) || more.length > 0 ? undefined : { window, zone };
}

const webhook = z.strictObject({
  kind: z.literal('webhook').describe('A program of your own; it verifies the signature.'),
  url: secretOr(() => undefined).describe(
    'Address that takes the messages: https, or http on this machine; in plain text if it is no secret.',
  ),
  secret: secretSource().describe(
    'Secret of at least 16 random characters that signs the messages.',
  ),
  ...RULES,
});

const slack = z.strictObject({
  kind: z.literal('slack').describe('A chat that takes incoming webhooks as Slack does.'),
  url: secretSource().describe('Address of the incoming webhook, which is its only secret.'),
  ...RULES,
});

const telegram = z.strictObject({
  kind: z.literal('telegram').describe('A chat of Telegram, by a bot.'),
  chat: z.string().min(1).describe('Id of the chat that the bot writes to, or @name of a channel.'),
  token: secretSource().describe('Token of the bot, as BotFather gives it.'),
  apiUrl: z
    .string()
    .min(1)
    .default('https://api.telegram.org')
    .describe('Address of the Bot API, where a desk runs its own: https, or http on this machine.'),
  ...RULES,
});

const email = z.strictObject({
  kind: z.literal('email').describe('E-mail through a mail server.'),
  host: z.string().min(1).describe('Mail server that takes the messages.'),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .default(465)
    .describe('TCP port of the mail server; 587 with starttls, or as its operator says.'),
  encryption: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe(
      'tls from the first byte (port 465), starttls (port 587); none on this machine only.',
    ),
  user: z.string().min(1).optional().describe('User of the mail server, if it asks for one.'),
  password: secretSource().optional().describe('Password of the user of the mail server.'),
  from: z.email().describe('Address of the sender, which the mail server accepts.'),
  to: z.array(z.email()).min(1).max(20).describe('Addresses of the people who are notified.'),
  ...RULES,
});

const channel = z.discriminatedUnion('kind', [webhook, slack, telegram, email]);

export type NotifyChannelSection = z.output<typeof channel>;

export const notifySection = z
  .strictObject({
    channels: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'accepted: a-z, 0-9 and -'), channel)
      .default({})
      .describe('Ways to people, by name.'),
    unencrypted: z
      .boolean()
      .default(false)
      .describe(
        'True says that the network to the channels is trusted, as to a mail relay of the house: then http, and e-mail without encryption, are accepted beyond this machine.',
      ),
    urgent: kinds
      .default([...URGENT_KINDS])
      .describe(
        'What every channel that reports it reports at once, also in quiet hours; less for people who would rather sleep.',
      ),
    afterSec: z
      .int()
      .min(5)
      .max(86_400)
      .default(60)
      .describe(
        'How long a venue is away, or the outcome of an order unknown, before it is reported, in seconds; longer where short interruptions are usual.',
      ),
    backupOldSec: z
      .int()
      .min(5)
      .max(31_536_000)
      .default(93_600)
      .describe(
        'Age from which the newest backup of the ledger is reported, in seconds; for backups that are not daily. Not if none was ever taken.',
      ),
  })
  .describe('Who is notified of what: webhooks, chats and e-mail.');
