// Times in the zone that the user reads them in: `--tz ZONE`, UTC by default.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { instant, isZone, MINUTE_MS } from '../../../values/instant.ts';
import { wallTimeAt } from '../../../values/wall-time.ts';

/** An IANA zone such as `Europe/Berlin`. */
export type ZoneName = string;

const UTC = 'UTC';

/** Adds `--tz`, which the environment variable TWAPD_TZ replaces as a default. */
export const withTimeZone = (command: Command): Command =>
  command.addOption(
    new Option('--tz <zone>', 'zone of times, such as Europe/Berlin, or local')
      .env('TWAPD_TZ')
      .argParser(readZone)
      .default(UTC),
  );

/** `local` is the zone of this machine. */
export function readZone(text: string): ZoneName {
  if (text === 'local') return Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (isZone(text)) return text;
  throw new InvalidArgumentError('accepted: an IANA zone such as Europe/Berlin, UTC, or local');
}

/** Formats Unix milliseconds as `2026-11-20 14:30:05` on the clocks of the zone. */
export const zonedText = (epochMs: number, zone: ZoneName): string =>
  new Date(wallTimeAt(instant(epochMs), zone)).toISOString().slice(0, 19).replace('T', ' ');

/** Formats Unix milliseconds as `14:30:05.250` on the clocks of the zone. */
export const zonedClock = (epochMs: number, zone: ZoneName): string =>
  new Date(wallTimeAt(instant(epochMs), zone)).toISOString().slice(11, 23);

/** Formats them to the minute: `2026-11-20 14:30`. */
export const zonedMinute = (epochMs: number, zone: ZoneName): string =>
  zonedText(epochMs, zone).slice(0, 16);

/** Formats Unix milliseconds as ISO 8601 with the offset of the zone: `2026-11-20T15:30:05.250+01:00`, or `…Z`. */
export function zonedIso(epochMs: number, zone: ZoneName): string {
  const wall = wallTimeAt(instant(epochMs), zone);
  const minutes = Math.round((wall - epochMs) / MINUTE_MS);
  const text = new Date(wall).toISOString();
  if (minutes === 0) return text;
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return text.replace('Z', offset);
}
