// All of a venue's market over one connection: its subscriptions, instruments, quotes, state of the platform, and the
// reads of the port. The owner of the connection reports when it is greeted, up and down, and hands over its messages.
import type { Clock } from '../../../ports/clock.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import type { OwnOrders } from '../orders/own-orders.ts';
import type { SendRequest } from '../outcome.ts';
import { DeribitMarketDesk } from './deribit-market-desk.ts';
import { InstrumentCatalogue } from './instrument-catalogue.ts';
import { PlatformState } from './platform-state.ts';
import { PublicChannels } from './public-channels.ts';
import { QuoteBoard } from './quote-board.ts';

export interface DeribitMarketOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  /** Over the connection of the markets. */
  readonly request: SendRequest;
  readonly venueNow: () => Instant;
  /** What is subtracted from quotes. */
  readonly own: Pick<OwnOrders, 'inBook'>;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

export class DeribitMarket {
  readonly desk: DeribitMarketDesk;
  readonly instruments: InstrumentCatalogue;
  readonly quotes: QuoteBoard;
  readonly platform: PlatformState;
  readonly #subscriptions: PublicChannels;
  readonly #request: SendRequest;

  constructor(parts: DeribitMarketOptions) {
    const { clock, rng, request, own, tally, onFault, venueNow } = parts;
    const around = { clock, request, tally, onFault };
    this.#request = request;
    const subscriptions = new PublicChannels({ ...around, rng: rng.split('subscriptions') });
    this.#subscriptions = subscriptions;
    this.instruments = new InstrumentCatalogue({ ...around, subscriptions });
    this.platform = new PlatformState({ ...around, subscriptions });
    const books = rng.split('books');
    const isRouted = (name: InstrumentName): boolean =>
      this.instruments.known(name)?.isRouted === true;
    this.quotes = new QuoteBoard({ ...around, subscriptions, own, rng: books, isRouted });
    this.desk = new DeribitMarketDesk({
      ...around,
      instruments: this.instruments,
      quotes: this.quotes,
      venueNow,
      now: () => clock.now(),
    });
  }

  /** On a new connection, before it is used; rejects if the instruments cannot be listed. */
  async greet(request: SendRequest): Promise<void> {
    this.instruments.follow(this.#request);
    await this.instruments.greet(request);
  }

  up(): void {
    this.#subscriptions.up();
    this.platform.up();
  }

  down(): void {
    this.#subscriptions.down();
    this.quotes.down();
    this.platform.down();
  }

  receive(channel: string, data: unknown): void {
    this.#subscriptions.receive(channel, data);
  }

  close(): void {
    this.instruments.stop();
    this.quotes.close();
    this.platform.close();
    this.#subscriptions.down();
  }
}
