// The option of a secret, which says where it is. One option, so that a secret never has two sources.
import { z } from 'zod';
import { LOCATIONS_TEXT, type SecretLocation, secretLocation } from './secret-location.ts';

type PlainFault = (text: string) => string | undefined;

const CREDENTIAL = /^\w[\w.-]{0,254}$/;

/** Accepts a plain text too, as far as `plainFault` finds none. No fault repeats what the file has. */
export const secretOr = (plainFault: PlainFault) =>
  z
    .union([z.string().min(1), z.array(z.string()).min(1).max(64)], {
      error: ({ input }) =>
        `${input === undefined ? 'is missing' : 'names no secret'}; accepted: ${LOCATIONS_TEXT}`,
    })
    .superRefine((written, context) => {
      const message = locationFault(secretLocation(written), plainFault);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });

function locationFault(location: SecretLocation, plainFault: PlainFault): string | undefined {
  if (location.kind === 'plain') return plainFault(location.text);
  if (location.kind !== 'command' && location.kind !== 'credential' && location.text === '') {
    return `names no secret; accepted: ${LOCATIONS_TEXT}`;
  }
  return location.kind === 'credential' && !CREDENTIAL.test(location.text)
    ? 'is not the name of a credential; accepted: up to 255 letters, digits, dots, dashes'
    : undefined;
}

/** No file may hold it in plain text. */
export const secretSource = () => secretOr(() => `is in plain text; accepted: ${LOCATIONS_TEXT}`);
