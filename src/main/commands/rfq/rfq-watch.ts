// `rfq watch`: prints a line for each Block RFQ event: offers to a taker; requests and quote outcomes to a
// maker. Ends with Ctrl-C, or with the daemon.
import process from 'node:process';
import { type ChannelMessage, followChannels } from '../../../gateway/client/channel-client.ts';
import { printable, printableData } from '../../../values/printable.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonLine, type Terminal } from '../command.ts';
import { paint } from '../terminal/paint.ts';
import { withTimeZone, type ZoneName, zonedClock } from '../terminal/time-zone.ts';
import { wrapped } from '../terminal/wrapped-lines.ts';
import { RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import {
  leftText,
  levelText,
  paintedSide,
  type QuoteView,
  type RfqView,
  statusText,
  structureText,
} from './rfq-text.ts';

const CHANNELS = {
  taker: 'block_rfq.taker.any',
  maker: 'block_rfq.maker.any',
  quotes: 'block_rfq.quotes.any',
} as const;

export const addRfqWatch: AddCommand = (program, terminal) => {
  withTimeZone(withRfqOptions(program.command('watch')))
    .description('watch RFQs, offers and quotes as they change')
    .action(async (options: RfqOptions & { readonly tz: ZoneName }) => {
      const { daemon, accountId } = new RfqDaemon(options);
      const stopping = new AbortController();
      const news = new RfqLines((at) => zonedClock(at, options.tz));
      const stop = (): void => stopping.abort();
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
      const why = await followChannels(daemon.access, {
        accountId,
        channels: Object.values(CHANNELS),
        signal: stopping.signal,
        onGranted: (granted) =>
          begun(granted, { accountId, isSilent: options.json === true, terminal }),
        onMessage: (message) => {
          if (options.json) terminal.print(jsonLine(message));
          else {
            // In a pipe an event stays on its line.
            const width = terminal.isLive ? terminal.columns() : Number.POSITIVE_INFINITY;
            for (const line of news.of(printableData(message), Date.now()))
              terminal.print(wrapped(line, width).join('\n'));
          }
        },
      });
      if (stopping.signal.aborted) return;
      throw new CommandFailure('unreachable', [`the connection ended: ${printable(why)}`]);
    });
};

interface Begun {
  readonly accountId: string;
  readonly isSilent: boolean;
  readonly terminal: Terminal;
}

function begun(granted: readonly string[], { accountId, isSilent, terminal }: Begun): void {
  if (granted.length === 0) {
    throw new CommandFailure('refused', [`account ${accountId} has no Block RFQs to watch`]);
  }
  const role = granted.includes(CHANNELS.maker) ? 'taker and maker' : 'taker';
  if (!isSilent)
    terminal.print(paint.dim(`watching account ${accountId} as ${role}; end with Ctrl-C`));
}

/** Formats Unix milliseconds in the zone of `--tz`. */
type ClockText = (epochMs: number) => string;

interface Seen {
  readonly nowMs: number;
  readonly clock: ClockText;
}

/** Formats the gateway's messages, whose shape its tests verify. Repeated identical lines are suppressed. */
class RfqLines {
  readonly #clock: ClockText;
  readonly #last = new Map<string, string>();

  constructor(clock: ClockText) {
    this.#clock = clock;
  }

  of({ channel, data }: ChannelMessage, nowMs: number): readonly string[] {
    if (channel === CHANNELS.quotes)
      return (data as readonly QuoteView[]).map((quote) => quoteLine(quote, this.#clock));
    const rfq = data as RfqView;
    const { status, bids, asks, trades, tradeTriggers } = rfq;
    const offered = [bids, asks].map((levels) =>
      levels?.map(({ price, makers }) => [price, makers]),
    );
    const look = JSON.stringify([status, offered, trades, tradeTriggers]);
    if (this.#last.get(rfq.blockRfqId) === look) return [];
    this.#last.set(rfq.blockRfqId, look);
    const at = { nowMs, clock: this.#clock };
    return rfq.role === 'taker' ? [takerLine(rfq, at)] : makerLines(rfq, at);
  }
}

function takerLine(rfq: RfqView, { nowMs, clock }: Seen): string {
  const head = `${clock(rfq.lastUpdatedAt)} RFQ ${rfq.blockRfqId} ${statusText(rfq.status)}`;
  const what = `${rfq.quantity} × ${structureText(rfq)}`;
  const traded = (rfq.trades ?? []).map(
    ({ side, quantity, price, maker = 'a maker' }) =>
      `${paintedSide(side)} ${quantity} at ${price} from ${maker}`,
  );
  if (traded.length > 0) return `${head} ${what}: ${traded.join(', ')}`;
  const bid = levelText(rfq.bids) || paint.dim('none');
  const ask = levelText(rfq.asks) || paint.dim('none');
  if (rfq.status === 'open') {
    return `${head} ${what}: bid ${bid}, ask ${ask}, ends in ${leftText(rfq, nowMs)}`;
  }
  const why = rfq.closedReason === null ? '' : paint.dim(` (${rfq.closedReason})`);
  return `${head} ${what}${why}`;
}

function makerLines(rfq: RfqView, { nowMs, clock }: Seen): readonly string[] {
  const head = `${clock(rfq.lastUpdatedAt)} asked ${rfq.blockRfqId} ${statusText(rfq.status)}`;
  const from = rfq.taker === undefined ? '' : ` by ${rfq.taker}`;
  const hedge =
    rfq.hedge === undefined
      ? ''
      : ` with hedge ${rfq.hedge.side} ${rfq.hedge.quantity} ${rfq.hedge.instrumentName} at ${rfq.hedge.price}`;
  const line = `${head} ${rfq.quantity} × ${structureText(rfq)}${hedge}${from}`;
  if (rfq.status !== 'open') return [line];
  const hint = paint.dim(`  quote: ${CLI_NAME} rfq quote ${rfq.blockRfqId} --spread 0.1 --key KEY`);
  return [`${line}, ends in ${leftText(rfq, nowMs)}`, hint];
}

function quoteLine(quote: QuoteView, clock: ClockText): string {
  const { quoteId, side, quantity, price, status, statusReason, filledQuantity } = quote;
  const filled = status === 'filled' ? ` ${filledQuantity} filled` : '';
  const why = statusReason === undefined ? '' : paint.dim(` (${statusReason})`);
  return `${clock(quote.lastUpdatedAt)} quote ${quoteId} ${statusText(status)} ${paintedSide(side)} ${quantity} at ${price}${filled}${why}`;
}
