// Makes the channels that notify people from the configuration.
import { SlackChannel } from '../../adapters/http-notices/slack-channel.ts';
import { TelegramChannel } from '../../adapters/http-notices/telegram-channel.ts';
import { WebhookChannel } from '../../adapters/http-notices/webhook-channel.ts';
import { EmailChannel } from '../../adapters/smtp/email-channel.ts';
import type { NoticeChannelRoute } from '../../engine/notify/notice-courier.ts';
import type { NoticeChannel } from '../../ports/notify/notice-channel.ts';
import { HOUR_MS, SECOND_MS } from '../../values/instant.ts';
import type { Config, NotifyChannelConfig, NotifyReach } from '../config/config.ts';
import type { Secret } from '../config/secrets/secret.ts';
import { parseQuietHours } from '../config/sections/notify-section.ts';

export const noticeRoutes = ({ notify }: Pick<Config, 'notify'>): readonly NoticeChannelRoute[] =>
  Object.entries(notify.channels).map(([name, channel]) => routeOf(name, channel, notify));

function routeOf(
  name: string,
  { reach, rules }: NotifyChannelConfig,
  { urgent }: Pick<Config['notify'], 'urgent'>,
): NoticeChannelRoute {
  const { happenings, digestSec, quietHours } = rules;
  return {
    name,
    channel: channelOf(reach),
    giveUpMs: GIVE_UP_MS,
    rules: {
      happenings,
      urgent,
      digestMs: digestSec * SECOND_MS,
      perMinuteMax: perMinuteMax(digestSec),
      quietHours: quietHours.flatMap((text) => parseQuietHours(text) ?? []),
    },
  };
}

/** A day: longer than receivers are usually away; what happened is in the ledger anyway. */
const GIVE_UP_MS = 24 * HOUR_MS;

/** As many as the digests of a minute; never so few that urgent ones wait, nor more than one a second, which chats refuse. */
const perMinuteMax = (digestSec: number): number =>
  Math.max(6, Math.min(60, Math.ceil(60 / Math.max(1, digestSec))));

function channelOf(reach: NotifyReach): NoticeChannel {
  switch (reach.kind) {
    case 'webhook':
      return new WebhookChannel({ url: reach.url.reveal(), secret: reach.secret.reveal() });
    case 'slack':
      return new SlackChannel({ url: reach.url.reveal() });
    case 'telegram':
      return new TelegramChannel({ ...reach, token: reach.token.reveal() });
    case 'email': {
      const { login } = reach;
      const password = login?.password.reveal() ?? '';
      return new EmailChannel({ ...reach, login: login && { user: login.user, password } });
    }
  }
}

/** What no log may show. */
export const noticeSecrets = ({ notify }: Pick<Config, 'notify'>): readonly string[] =>
  Object.values(notify.channels)
    .flatMap(({ reach }) => secretsOf(reach))
    .map((secret) => secret.reveal());

function secretsOf(reach: NotifyReach): readonly Secret[] {
  switch (reach.kind) {
    case 'webhook':
      return [reach.url, reach.secret];
    case 'slack':
      return [reach.url];
    case 'telegram':
      return [reach.token];
    case 'email':
      return reach.login === undefined ? [] : [reach.login.password];
  }
}
