// Notices of Block RFQs from a remote venue: the channels of an account, subscribed to in every handshake,
// and whether the account is a maker. A venue or key without Block RFQs grants none of them, which is not a
// fault.
import { z } from 'zod';
import type { RfqNews } from '../../../ports/block-rfq.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Channels } from '../connection/channels.ts';
import type { ChannelMessage } from '../connection/frame-wire.ts';
import { type Ask, readAs } from '../outcome.ts';
import { type RfqCurrency, withCurrency } from './rfq-currency.ts';
import { quoteIn, rfqIn, type TapeTrade, tapeIn } from './rfq-wire.ts';

const OWN_CHANNELS = {
  taker: 'block_rfq.taker.any',
  maker: 'block_rfq.maker.any',
  quotes: 'block_rfq.quotes.any',
} as const;
const TAPE_CHANNEL = 'block_rfq.trades.any';

const infoIn = z.object({ alias: z.string().nullable() });

export interface RemoteRfqNoticesOptions {
  readonly channels: Channels;
  readonly currencyOf: RfqCurrency;
  readonly onFault: (error: unknown) => void;
}

export class RemoteRfqNotices {
  readonly #parts: RemoteRfqNoticesOptions;
  readonly #aliases = new Map<AccountId, string>();

  constructor(parts: RemoteRfqNoticesOptions) {
    this.#parts = parts;
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#aliases.get(account);
  }

  async greet(account: AccountId, ask: Ask): Promise<void> {
    const outcome = await ask('block/rfqs/get_user_info', { accountId: account });
    this.#aliases.delete(account);
    if (outcome.kind !== 'result') return;
    const info = readAs(infoIn, outcome.value, 'the answer to get_user_info');
    if ('fault' in info) return this.#parts.onFault(info.fault);
    if (info.value.alias !== null) this.#aliases.set(account, info.value.alias);
    const channels = Object.values(OWN_CHANNELS);
    await ask('private/subscribe', { accountId: account, channels });
  }

  /** `undefined` if the message is not about Block RFQs or cannot be parsed. */
  news({ channel, account, data }: ChannelMessage): RfqNews | undefined {
    if (account === undefined) return undefined;
    switch (channel) {
      case OWN_CHANNELS.taker:
      case OWN_CHANNELS.maker: {
        const rfq = this.#read(rfqIn, data, channel);
        return rfq && { kind: 'rfq', account, rfq: withCurrency(rfq, this.#parts.currencyOf) };
      }
      case OWN_CHANNELS.quotes: {
        const quotes = this.#read(z.array(quoteIn), data, channel);
        if (quotes === undefined || quotes.length === 0) return undefined;
        const all = quotes.map((quote) => withCurrency(quote, this.#parts.currencyOf));
        return { kind: 'quotes', account, quotes: all };
      }
      default:
        return undefined;
    }
  }

  readonly listenTape = (receive: (trade: TapeTrade) => void): (() => void) =>
    this.#parts.channels.listen(TAPE_CHANNEL, (data) => {
      const trade = this.#read(tapeIn, data, TAPE_CHANNEL);
      if (trade !== undefined) receive(trade);
    });

  #read<S extends z.ZodType>(schema: S, data: unknown, channel: string): z.output<S> | undefined {
    const read = readAs(schema, data, `a message of ${channel}`);
    if ('value' in read) return read.value;
    this.#parts.onFault(read.fault);
    return undefined;
  }
}
