// Whether the venue as a whole, or what depends on one index, takes orders: maintenance and locks, read once on every
// connection and every minute, and published in between.
//
// To be measured (docs/deribit.md): `locked` is a text or a flag; locked indices are named as the channel names them
// (`btc_usd`), or by their coin alone; a maintenance ends with a message or with the connection that reported it.
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { later, MINUTE_MS } from '../../../values/instant.ts';
import { type Outcome, resultOf, type SendRequest } from '../outcome.ts';
import type { PublicChannels } from './public-channels.ts';

export interface PlatformStateOptions {
  readonly clock: Clock;
  readonly subscriptions: PublicChannels;
  readonly request: SendRequest;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

const CHANNEL = 'platform_state';
const METHOD = 'public/status';

export class PlatformState {
  readonly #parts: PlatformStateOptions;
  readonly #leave: () => void;
  #isInMaintenance = false;
  #isLocked = false;
  #lockedIndices: ReadonlySet<string> = new Set();
  /** Counts messages and connections: an answer that they overtook is old. */
  #version = 0;
  #stopRead: StopTimer | undefined;

  constructor(parts: PlatformStateOptions) {
    this.#parts = parts;
    this.#leave = parts.subscriptions.listen(CHANNEL, (data) => this.#receive(data));
  }

  /** Why nothing, or nothing on the index, is traded; `undefined` if it is. */
  trouble(indexName?: string): string | undefined {
    if (this.#isInMaintenance) return 'the venue is in maintenance';
    if (this.#isLocked) return 'the venue is locked';
    if (indexName === undefined || this.#lockedIndices.size === 0) return undefined;
    const index = indexName.toLowerCase();
    const [coin = index] = index.split('_');
    const isLocked = this.#lockedIndices.has(index) || this.#lockedIndices.has(coin);
    return isLocked ? `the venue has locked ${indexName}` : undefined;
  }

  up(): void {
    void this.#read();
  }

  down(): void {
    this.#stop();
    this.#isInMaintenance = false;
  }

  close(): void {
    this.#stop();
    this.#leave();
  }

  #stop(): void {
    this.#version += 1;
    this.#stopRead?.();
    this.#stopRead = undefined;
  }

  async #read(): Promise<void> {
    this.#stopRead?.();
    this.#version += 1;
    const version = this.#version;
    const { request, clock, onFault } = this.#parts;
    this.#stopRead = clock.at(later(clock.now(), MINUTE_MS), () => void this.#read());
    const outcome = await request(METHOD, {});
    if (version !== this.#version) return;
    try {
      this.#take(outcome);
    } catch (error) {
      // What was known stays in force.
      onFault(error);
    }
  }

  #take(outcome: Outcome): void {
    const status = new Fields(
      `the answer to ${METHOD}`,
      resultOf(outcome, METHOD),
      this.#parts.tally,
    );
    const indices = status.textsIf('locked_indices') ?? [];
    this.#isLocked = isTrue(status.raw('locked'));
    this.#lockedIndices = new Set(indices.map((one) => one.toLowerCase()));
  }

  #receive(data: unknown): void {
    this.#version += 1;
    try {
      this.#change(data);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
    }
  }

  #change(data: unknown): void {
    const state = new Fields('a state of the platform', data, this.#parts.tally);
    if (state.has('maintenance')) this.#isInMaintenance = state.flag('maintenance');
    const index = state.textIf('price_index')?.toLowerCase();
    if (index === undefined) return;
    const others = [...this.#lockedIndices].filter((one) => one !== index);
    this.#lockedIndices = new Set(state.flag('locked') ? [...others, index] : others);
  }
}

/** `partial` locks single indices. */
const isTrue = (locked: unknown): boolean => locked === true || locked === 'true';
