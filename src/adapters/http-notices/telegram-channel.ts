// Notices to a chat of Telegram, by a bot.
import { fittedText } from '../../core/notify/notice-text.ts';
import type { Delivery, NoticeChannel, NoticeMessage } from '../../ports/notify/notice-channel.ts';
import { SECOND_MS } from '../../values/instant.ts';
import { deliveryOf, type PostAnswer, postJson } from './post-json.ts';

export interface TelegramOptions {
  /** Of the Bot API, without a path. */
  readonly url: string;
  /** Of the bot. */
  readonly token: string;
  /** Id of the chat, or `@name` of a channel. */
  readonly chat: string;
}

/** Telegram refuses more than 4096 characters. */
const TEXT_MAX = 3_800;

export class TelegramChannel implements NoticeChannel {
  readonly #options: TelegramOptions;
  readonly #closing = new AbortController();

  constructor(options: TelegramOptions) {
    this.#options = options;
  }

  async send({ title, lines }: NoticeMessage): Promise<Delivery> {
    const { url, token, chat } = this.#options;
    const text = `${title}\n${fittedText(lines, TEXT_MAX)}`;
    const body = JSON.stringify({
      chat_id: chat,
      text,
      link_preview_options: { is_disabled: true },
    });
    const answer = await postJson({
      url: `${url}/bot${token}/sendMessage`,
      body,
      signal: this.#closing.signal,
    });
    return 'kind' in answer ? answer : deliveryOf({ ...answer, afterMs: askedWait(answer) });
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Telegram says in the body how long to wait. */
function askedWait({ text, afterMs }: PostAnswer): number | undefined {
  const seconds = /"retry_after":(\d{1,5})/.exec(text)?.[1];
  return seconds === undefined ? afterMs : Number(seconds) * SECOND_MS;
}
