// When a paper exchange first replayed its recording. Stored alongside its journal, so that a restart continues
// at the same point, and positions of one market never meet the prices of another.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import { type Instant, instant } from '../../../values/instant.ts';

export class OtherMarket extends Error {
  override readonly name = 'OtherMarket';
}

interface Kept {
  readonly recording: string;
  readonly startAt: number;
}

/**
 * For the recording with this `identity`, `undefined` for a seeded market; `now` at the first start. Throws
 * {@link OtherMarket} if the exchange has traded on another market before.
 */
export function recordingStart(
  folder: string,
  identity: string | undefined,
  now: Instant,
): Instant {
  const path = join(folder, 'recording.json');
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : undefined;
  const hasTraded = existsSync(join(folder, 'journal.jsonl'));
  if (kept?.recording !== identity && (kept !== undefined || hasTraded)) {
    throw new OtherMarket(
      `this exchange has traded on ${shown(kept?.recording)}, and is now configured for ${shown(identity)}; accepted: the market it had, or another TWAPD_DATA_DIR`,
    );
  }
  if (kept !== undefined) return instant(kept.startAt);
  if (identity === undefined) return now;
  mkdirSync(folder, { recursive: true });
  const record: Kept = { recording: identity, startAt: now };
  writeWhole(path, `${JSON.stringify(record)}\n`, { mode: 0o644 });
  return now;
}

const shown = (recording: string | undefined): string =>
  recording === undefined ? 'a seeded market' : `the recording ${recording}`;
