// Times typed as options: the same forms for every command.
import { parseWrittenTime } from '../../../gateway/wire/written-time.ts';
import { INSTANT_MAX, type Instant, parseIso } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { ZoneName } from './time-zone.ts';

/**
 * Reads ISO 8601, in `zone` unless it has an offset or a zone of its own (a date alone is its midnight), or Unix milliseconds.
 * Absent text is `undefined`. @throws CommandFailure
 */
export function readTime(
  option: string,
  text: string | undefined,
  zone: ZoneName,
): Instant | undefined {
  if (text === undefined) return undefined;
  const written = parseWrittenTime(text);
  const at = written.kind === 'instant' ? written.at : parseIso(text, zone);
  if (at !== undefined && at >= 0 && at <= INSTANT_MAX) return at;
  throw new CommandFailure('usage', [
    `${option} ${text} is no time; accepted: ISO 8601, such as 2026-11-20, 2026-11-20T14:00 or 2026-11-20T14:00:00Z, or Unix milliseconds`,
  ]);
}
