// Where a secret is, as an option writes it: a variable, a file, a credential of systemd, or a program that prints it. Short
// commands read it without the schema.

/** `plain`: the text itself, which few options accept. */
export type SecretLocation =
  | { readonly kind: 'variable' | 'file' | 'credential' | 'plain'; readonly text: string }
  | { readonly kind: 'command'; readonly words: readonly string[] };

const SCHEMES = { env: 'variable', file: 'file', credential: 'credential' } as const;
const SCHEME = /^(env|file|credential):(.*)$/s;

export const LOCATIONS_TEXT =
  'env:VARIABLE, file:PATH, credential:NAME of systemd, or [program, argument, …] that prints it';

export function secretLocation(written: string | readonly string[]): SecretLocation {
  if (typeof written !== 'string') return { kind: 'command', words: written };
  const [, scheme, text = ''] = SCHEME.exec(written) ?? [];
  return scheme === undefined
    ? { kind: 'plain', text: written }
    : { kind: SCHEMES[scheme as keyof typeof SCHEMES], text };
}

/** The secret that stands in the file itself; `undefined`: the file says where it is. */
export function plainSecret(written: string | readonly string[]): string | undefined {
  const location = secretLocation(written);
  return location.kind === 'plain' ? location.text : undefined;
}
