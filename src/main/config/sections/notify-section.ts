// Who is notified of what: channels to people, each with the happenings it reports.
import { z } from 'zod';
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
    .describe('What the channel reports; docs/notifications.md describes each.'),
  urgent: kinds
    .default([...URGENT_KINDS])
    .describe('What of it is reported at once, also in quiet hours.'),
  digestSec: z
    .int()
    .min(0)
    .max(86_400)
    .default(30)
    .describe('For how long anything else is collected into one message, in seconds.'),
  messagesPerMinuteMax: z
    .int()
    .min(1)
    .max(60)
    .default(6)
    .describe('Most messages a minute; what comes beyond waits for the next one.'),
  quietHours: z
    .array(
      z.string().refine((text) => parseWindow(text) !== undefined, {
        message: 'is not a window; accepted: two different times of day, such as "22:00-07:00"',
      }),
    )
    .max(8)
    .default([])
    .describe(
      'Windows of each day in which only what is urgent is reported; the rest follows after them.',
    ),
  zone: z
    .string()
    .refine(isZone, {
      message: 'is not a time zone; accepted: an IANA name, such as Europe/Zurich',
    })
    .default('UTC')
    .describe('Time zone of the quiet hours.'),
  giveUpHours: z
    .int()
    .min(1)
    .max(168)
    .default(24)
    .describe('What could not be delivered for so long is dropped, in hours.'),
  unencrypted: z
    .boolean()
    .default(false)
    .describe(
      'True says that the network to it is trusted: then http, and e-mail without encryption, are accepted beyond this machine.',
    ),
};

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
  chat: z.string().min(1).describe('Id of the chat, or @name of a channel.'),
  token: secretSource().describe('Token of the bot.'),
  apiUrl: z
    .string()
    .min(1)
    .default('https://api.telegram.org')
    .describe('Address of the Bot API: https, or http on this machine.'),
  ...RULES,
});

const email = z.strictObject({
  kind: z.literal('email').describe('E-mail through a mail server.'),
  host: z.string().min(1).describe('Mail server.'),
  port: z.int().min(1).max(65_535).default(465).describe('TCP port of the mail server.'),
  encryption: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe(
      'tls from the first byte (port 465), starttls (port 587); none on this machine only.',
    ),
  user: z.string().min(1).optional().describe('User of the mail server, if it asks for one.'),
  password: secretSource().optional().describe('Password of the user.'),
  from: z.email().describe('Sender.'),
  to: z.array(z.email()).min(1).max(20).describe('Recipients.'),
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
    unknownAfterSec: z
      .int()
      .min(5)
      .max(86_400)
      .default(60)
      .describe('Age from which an order of unknown outcome is reported, in seconds.'),
    venueAwaySec: z
      .int()
      .min(5)
      .max(86_400)
      .default(60)
      .describe('How long a venue is away before it is reported, in seconds.'),
    backupOldSec: z
      .int()
      .min(5)
      .max(31_536_000)
      .default(93_600)
      .describe(
        'Age from which the newest backup of the ledger is reported, in seconds; not if none was ever taken.',
      ),
  })
  .describe('Who is notified of what: webhooks, chats and e-mail.');
