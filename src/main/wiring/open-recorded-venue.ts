// Opens a venue of the configuration for reading its market only. A paper venue is a market of its own, in the
// recording's folder and without accounts: the daemon's folder and its exchange stay untouched.
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Config, VenueConfig } from '../config/config.ts';
import { type DataDir, lockDataDir } from '../data-dir.ts';
import { openVenue } from './open-venues.ts';

export interface RecordedVenueOptions {
  readonly config: Config;
  readonly name: string;
  /** Folder of the recording. */
  readonly folder: string;
  readonly clock: Clock;
  /** Called for a failure that only a restart can repair. */
  readonly onFault: (error: unknown) => void;
  /** Called for a failure that is handled. */
  readonly onHandled: (error: unknown) => void;
}

export interface RecordedVenue {
  readonly venue: Venue;
  close(): Promise<void>;
}

const HOLDER = { name: 'recorder', variables: '--to' } as const;
const OWN_FOLDER = '.record';

/** Locks the folder against a second recorder. Rejects if the venue cannot be opened. */
export async function openRecordedVenue(options: RecordedVenueOptions): Promise<RecordedVenue> {
  const { config, name, folder, clock, onFault, onHandled } = options;
  const dataDir: DataDir = lockDataDir(join(folder, OWN_FOLDER), HOLDER);
  const closers: (() => Promise<unknown> | unknown)[] = [() => dataDir.release()];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const section = config.venues[name];
  try {
    if (section === undefined) throw new Error(`no venue ${name}`);
    const venue = await openVenue(name, readOnly(section), {
      dataDir,
      clock,
      onFault,
      closers,
      config: { ...config, accounts: [] },
      // Without an account nothing can be sent but questions about the market.
      allowsLive: true,
      report: () => onHandled,
      keys: { all: () => [], watch: () => () => undefined },
    });
    closers.push(() => venue.close());
    return { venue, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The end of a recording cancels nothing, and a live venue needs no key for its market. */
function readOnly(section: VenueConfig): VenueConfig {
  switch (section.kind) {
    case 'paper':
      return section;
    case 'deribit':
      return { ...section, credentials: [] };
  }
}
