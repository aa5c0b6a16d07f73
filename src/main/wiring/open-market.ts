// Opens the market of a paper exchange as configured. What only a recording or a live market needs is loaded for it alone.

import { seededMarket } from '../../exchange/market/market.ts';
import type { MarketSource } from '../../exchange/market/market-source.ts';
import type { Clock } from '../../ports/clock.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import type { Instant } from '../../values/instant.ts';
import type {
  LiveMarketSection,
  RecordedMarketSection,
} from '../config/sections/market-section.ts';
import type { PaperVenueSection } from '../config/sections/venues-section.ts';
import { recordingStart } from './recorded/recording-start.ts';

export class MarketUnavailable extends Error {
  override readonly name = 'MarketUnavailable';
}

export interface OpenMarket {
  /** `bornAt` is the first start of the exchange. */
  readonly market: (bornAt: Instant) => MarketSource;
  /** Why it is without prices; absent if they are made in this process. */
  readonly trouble?: () => string | undefined;
  close(): Promise<void>;
}

export interface MarketOptions {
  readonly clock: Clock;
  /** Folder with the files of this venue. */
  readonly folder: string;
  /** Called if a recording becomes unreadable. */
  readonly onFault: (error: unknown) => void;
  /** Called for a failure that is handled. */
  readonly report: (error: unknown) => void;
}

/** @throws {@link MarketUnavailable} for a recording that cannot be replayed, with the reason. */
export async function openMarket(
  section: PaperVenueSection,
  parts: MarketOptions,
): Promise<OpenMarket> {
  const { market } = section;
  if (market.kind === 'seeded') {
    recordingStart(parts.folder, undefined, parts.clock.now());
    const seed = String(section.seed);
    const { regime } = market;
    return {
      market: (bornAt) => seededMarket({ seed, startAt: bornAt, regime }),
      close: () => Promise.resolve(),
    };
  }
  return market.kind === 'recorded'
    ? await openRecording(market, parts)
    : await openLive(market, parts);
}

async function openRecording(
  section: RecordedMarketSection,
  parts: MarketOptions,
): Promise<OpenMarket> {
  const { openRecorded, RecordingFault } = await import('./recorded/open-recorded-market.ts');
  try {
    return await openRecorded(section, parts);
  } catch (error) {
    if (error instanceof RecordingFault) throw new MarketUnavailable(error.message);
    throw error;
  }
}

async function openLive(section: LiveMarketSection, parts: MarketOptions): Promise<OpenMarket> {
  const { openLiveMarket } = await import('./open-live-market.ts');
  const live = await openLiveMarket(section, parts).catch((error: unknown) => {
    throwProgrammingError(error);
    throw new MarketUnavailable(error instanceof Error ? error.message : String(error));
  });
  const { market, host, trouble, close } = live;
  try {
    recordingStart(parts.folder, `of the live prices of ${host}`, parts.clock.now());
  } catch (error) {
    await close();
    throw error;
  }
  return { market: () => market, trouble, close };
}
