// Notices to a chat that takes Slack's incoming webhooks: Slack itself, Mattermost, Rocket.Chat, Discord under `/slack`.
import { fittedText } from '../../core/notify/notice-text.ts';
import type { Delivery, NoticeChannel, NoticeMessage } from '../../ports/notify/notice-channel.ts';
import { deliveryOf, postJson } from './post-json.ts';

export interface SlackOptions {
  /** Of the incoming webhook; it is the credential. */
  readonly url: string;
}

/** Slack splits longer texts. */
const TEXT_MAX = 3_500;

export class SlackChannel implements NoticeChannel {
  readonly #url: string;
  readonly #closing = new AbortController();

  constructor({ url }: SlackOptions) {
    this.#url = url;
  }

  async send({ title, lines }: NoticeMessage): Promise<Delivery> {
    const text = `*${escaped(title)}*\n${escaped(fittedText(lines, TEXT_MAX))}`;
    const body = JSON.stringify({ text });
    const answer = await postJson({ url: this.#url, body, signal: this.#closing.signal });
    return 'kind' in answer ? answer : deliveryOf(answer);
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Without these a text of a client mentions nobody and links nowhere. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
