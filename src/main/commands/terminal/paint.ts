// Colours and words for people. Output that is not a terminal, and NO_COLOR, turn colours off; FORCE_COLOR
// turns them on.
import process from 'node:process';
import picocolors from 'picocolors';

/** The library's own rule also turns colours on under CI, where escape codes would end up in pipes and files. */
export function areColorsWanted(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR']) return true;
  return isTerminal === true && environment['TERM'] !== 'dumb';
}

export const paint = picocolors.createColors(areColorsWanted(process.env, process.stdout.isTTY));

const STATUS_WORDS: Readonly<Record<number, string>> = {
  1: 'ACTIVE',
  2: 'FILLED',
  3: 'CANCELLED',
  4: 'CANCELLING',
};

export const statusWord = (status: number): string => STATUS_WORDS[status] ?? String(status);

export function paintedStatus(status: number): string {
  const word = statusWord(status);
  switch (status) {
    case 1:
      return paint.cyan(word);
    case 2:
      return paint.green(word);
    case 4:
      return paint.yellow(word);
    default:
      return paint.red(word);
  }
}

/** FILLED needs no further reason. */
export const tellsMore = (reason: string | undefined): reason is string =>
  reason !== undefined && reason !== 'filled';

export const sideWord = (side: number): string => (side === 1 ? 'BUY' : 'SELL');
export const paintedSide = (side: number): string =>
  side === 1 ? paint.green('BUY') : paint.red('SELL');

/** An amount of profit: red below zero, green above. */
export function paintedProfit(text: string): string {
  if (!/[1-9]/.test(text)) return text;
  return text.startsWith('-') ? paint.red(text) : paint.green(text);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats Unix milliseconds as `2026-11-20 14:30:05` UTC. */
export const timeText = (epochMs: string | number): string =>
  new Date(Number(epochMs)).toISOString().slice(0, 19).replace('T', ' ');

/** Formats Unix milliseconds as `14:30:05.250` UTC. */
export const clockText = (epochMs: string | number): string =>
  new Date(Number(epochMs)).toISOString().slice(11, 23);

/** Formats a duration as `01:02:03`, or `02:03` below an hour. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor((seconds % 3_600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
}
