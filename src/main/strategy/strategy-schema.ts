// The schema of the strategy file: when to submit, around the same body that REST accepts.
import { z } from 'zod';
import { isZone } from '../../values/instant.ts';
import { characters } from '../characters.ts';
import type { Holidays } from './holidays-file.ts';
import { cronFault, onceSchedule, type Schedule } from './strategy-schedule.ts';

/** Long enough for a restart, too short to trade on yesterday's decision. */
const MISSED_WITHIN_SEC_DEFAULT = 300;

const zone = z
  .string()
  .refine((name) => /^[A-Z]/.test(name) && isZone(name), {
    message: 'is not a time zone; accepted: an IANA name such as Europe/London',
  })
  .describe('IANA time zone that the local time is in.');

const atStart = z
  .strictObject({ at: z.literal('start').describe('At every start of the daemon.') })
  .describe(
    'Once at every start of the daemon, unless a portfolio of this strategy is still active.',
  );

const once = z
  .strictObject({
    at: z
      .union([z.string(), z.int()])
      .describe(
        'Local time of the zone; or a time with an offset or a zone of its own, or Unix milliseconds.',
      ),
    zone: zone.optional(),
  })
  .superRefine(({ at, zone: name }, context) => {
    const read = onceSchedule(String(at), name);
    if (read.kind === 'read') return;
    context.addIssue({ code: 'custom', path: [read.field], message: read.message });
  })
  .describe('Once, at a local time.');

const cron = z
  .strictObject({
    cron: z
      .string()
      .superRefine((text, context) => {
        const message = cronFault(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .describe('Minute, hour, day of month, month, day of week.'),
    zone,
    holidays: characters(1, 200)
      .optional()
      .describe(
        'File of days on which nothing is submitted, relative to this file; see strategies/holidays.',
      ),
  })
  .describe('Repeatedly, whenever the local time matches.');

const schedule = z
  .union([atStart, once, cron], {
    error:
      'is not a schedule; accepted: {at: start}, {at: local time, zone}, {at: time with offset} or {cron, zone, holidays?}',
  })
  .describe('When to submit; absent: only manually.');

export const strategyShape = {
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,63}$/,
      'is not a name; accepted: up to 64 lower-case letters, digits and dashes',
    )
    .describe('Name of the strategy, unique in the folder; also the label of its portfolios.'),
  description: characters(0, 500).default('').describe('One or two sentences for people.'),
  enabled: z.boolean().default(true).describe('Whether the schedule is followed.'),
  schedule: schedule.optional(),
  missed: z
    .strictObject({
      withinSec: z
        .int()
        .min(0)
        .max(86_400)
        .default(MISSED_WITHIN_SEC_DEFAULT)
        .describe(
          'A due time that passed while the daemon was down is made up for at most this late, in seconds; 0 never.',
        ),
    })
    .prefault({})
    .describe(
      'What becomes of a due time that passed while the daemon was down; only the latest counts.',
    ),
} as const;

/** The frame; the schema of the submit body checks portfolio and execution. */
export const strategySchema = z.strictObject({
  ...strategyShape,
  portfolio: z.record(z.string(), z.unknown()).describe('The submit body.'),
  execution: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('How slices are worked; may also stand in the portfolio.'),
});

export type StrategyFile = z.output<typeof strategySchema>;

/** `holidays` are those of the file that the schedule names. */
export function scheduleOf(file: StrategyFile, holidays?: Holidays): Schedule | undefined {
  const { schedule: when } = file;
  if (when === undefined) return undefined;
  if ('cron' in when) return { kind: 'cron', cron: when.cron, zone: when.zone, holidays };
  if (when.at === 'start') return { kind: 'start' };
  const once = onceSchedule(String(when.at), 'zone' in when ? when.zone : undefined);
  return once.kind === 'read' ? once.schedule : undefined;
}
