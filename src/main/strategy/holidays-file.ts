// Reads a file of holidays: local dates on which a schedule submits nothing, each with its name.
import { z } from 'zod';
import { characters } from '../characters.ts';
import type { Reading } from '../fault.ts';
import { checkDocument } from '../schema-faults.ts';
import { HOLIDAYS_ACCEPTED, type ReadDocument, readFolderDocument } from './folder-document.ts';

/** Local dates such as `2026-12-25`. */
export type Holidays = ReadonlySet<string>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** True for a date that exists in the calendar. */
const isDate = (text: string): boolean => {
  const at = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

const holidaysSchema = z.strictObject({
  name: characters(1, 100),
  days: z.record(z.string(), characters(0, 100)).superRefine((days, context) => {
    for (const day of Object.keys(days).filter((one) => !isDate(one))) {
      const message = 'is not a date; accepted: days such as 2026-12-25, each with its name';
      context.addIssue({ code: 'custom', path: [day], message });
    }
  }),
});

export function readHolidaysFile(
  path: string,
  read: ReadDocument = readFolderDocument,
): Reading<Holidays> {
  const document = read(path, HOLIDAYS_ACCEPTED);
  if (document.kind === 'faulty') return document;
  const checked = checkDocument(holidaysSchema, document.value);
  if (checked.kind === 'faulty') return checked;
  return { kind: 'read', value: new Set(Object.keys(checked.value.days)) };
}
