// Notices to a program of one's own: JSON that names every happening, signed so that the program knows who sent it.
import { createHmac } from 'node:crypto';
import type { Delivery, NoticeChannel, NoticeMessage } from '../../ports/notify/notice-channel.ts';
import { isoText, SECOND_MS } from '../../values/instant.ts';
import { deliveryOf, postJson } from './post-json.ts';

export interface WebhookOptions {
  readonly url: string;
  /** Shared with the receiver. */
  readonly secret: string;
}

export class WebhookChannel implements NoticeChannel {
  readonly #options: WebhookOptions;
  readonly #closing = new AbortController();

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  async send(message: NoticeMessage): Promise<Delivery> {
    const { url, secret } = this.#options;
    const body = webhookBody(message);
    const seconds = Math.floor(message.at / SECOND_MS);
    const headers = { 'twapd-signature': `t=${seconds},v1=${signature(secret, seconds, body)}` };
    const answer = await postJson({ url, headers, body, signal: this.#closing.signal });
    return 'kind' in answer ? answer : deliveryOf(answer);
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Hexadecimal HMAC-SHA256 of the seconds since 1970, a full stop and the body. */
const signature = (secret: string, seconds: number, body: string): string =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');

const webhookBody = ({ deployment, at, title, happenings }: NoticeMessage): string =>
  JSON.stringify({
    deployment,
    at: isoText(at),
    title,
    happenings: happenings.map(
      ({ key, kind, at: since, account, portfolio, runbook, ...text }) => ({
        key,
        kind,
        at: isoText(since),
        title: text.title,
        detail: text.detail,
        account,
        portfolio,
        runbook,
      }),
    ),
  });
