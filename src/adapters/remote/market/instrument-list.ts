// The venue's instruments, listed and recently expired, refreshed periodically. When a refresh fails, the
// previous list stays in force.
import { z } from 'zod';
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type Ask, readAs } from '../outcome.ts';
import { instrumentIn } from './instrument-wire.ts';

export interface InstrumentListOptions {
  readonly clock: Clock;
  readonly refreshMs: number;
  readonly onFault: (error: unknown) => void;
}

const INSTRUMENTS_MAX = 50_000;
const listIn = z.array(instrumentIn).max(INSTRUMENTS_MAX);

type ByName = ReadonlyMap<InstrumentName, Instrument>;

export class InstrumentList {
  readonly #parts: InstrumentListOptions;
  #listed: ByName = new Map();
  #expired: ByName = new Map();
  #timer: StopTimer | undefined;

  constructor(parts: InstrumentListOptions) {
    this.#parts = parts;
  }

  /** In trading at `now`. */
  listed(now: Instant): readonly Instrument[] {
    return [...this.#listed.values()].filter((one) => isTrading(one, now));
  }

  expired(now: Instant): readonly Instrument[] {
    const over = [...this.#listed.values()].filter((one) => !isTrading(one, now));
    return [...this.#expired.values(), ...over.filter(({ name }) => !this.#expired.has(name))];
  }

  /** Listed or recently expired. */
  known(name: InstrumentName): Instrument | undefined {
    return this.#listed.get(name) ?? this.#expired.get(name);
  }

  /** In trading at `now`. */
  trading(name: InstrumentName, now: Instant): Instrument | undefined {
    const found = this.#listed.get(name);
    return found !== undefined && isTrading(found, now) ? found : undefined;
  }

  /** Rejects if the list of tradable instruments is unavailable. */
  async load(ask: Ask): Promise<void> {
    const [listed, expired] = await Promise.all([loaded(ask, false), loaded(ask, true)]);
    this.#listed = listed;
    this.#expired = expired;
  }

  /** Refreshes the list periodically from now on. */
  follow(ask: Ask): void {
    this.stop();
    const { clock, refreshMs } = this.#parts;
    this.#timer = clock.at(later(clock.now(), refreshMs), () => void this.#refresh(ask));
  }

  stop(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  async #refresh(ask: Ask): Promise<void> {
    const timer = this.#timer;
    try {
      await this.load(ask);
    } catch (error) {
      this.#parts.onFault(error);
    }
    if (this.#timer === timer) this.follow(ask);
  }
}

async function loaded(ask: Ask, expired: boolean): Promise<ByName> {
  const outcome = await ask('public/get_instruments', { currency: 'any', expired });
  if (outcome.kind !== 'result') {
    const why = 'reason' in outcome ? outcome.reason : outcome.message;
    throw new Error(`no list of instruments: ${why}`);
  }
  const read = readAs(listIn, outcome.value, 'the list of instruments');
  if ('fault' in read) throw read.fault;
  return new Map(read.value.map((one) => [one.name, one]));
}

const isTrading = ({ expiresAt }: Instrument, now: Instant): boolean =>
  expiresAt === undefined || expiresAt > now;
