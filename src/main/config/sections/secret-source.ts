// Where an option finds its secret, beside a variable and a file: a command that prints it, or a credential of systemd.
import { z } from 'zod';

export const secretCommand = (what: string) =>
  z
    .array(z.string())
    .min(1)
    .max(64)
    .optional()
    .describe(
      `Program and arguments, run without a shell, whose output is ${what}; it has 10 s and ends with 0.`,
    );

export const secretCredential = (what: string) =>
  z
    .string()
    .regex(
      /^[\w][\w.-]{0,254}$/,
      'is not the name of a credential; accepted: up to 255 letters, digits, dots, dashes',
    )
    .optional()
    .describe(`Credential of systemd (LoadCredential) that holds ${what}.`);

/** The options in which the secret `stem` may be, as the schemas name them. */
export const sourcesOf = (stem: string): readonly string[] =>
  ['Env', 'File', 'Command', 'Credential'].map((kind) => `${stem}${kind}`);

/** The same as a fault names them. */
export const sourcesText = (stem: string): string => {
  const names = sourcesOf(stem);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};
