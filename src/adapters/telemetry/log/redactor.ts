// Removes secrets from finished log lines: registered secrets anywhere and in any encoding, passwords in
// addresses, and the values of fields named like a secret. It works on the serialized line, so that nothing
// (message, nested field, error, stack) can bypass it.

const SHOWN = '[secret]';

/** A shorter secret would blank out ordinary words. */
const SECRET_LENGTH_MIN = 4;

/** `scheme://user:password@` anywhere in a line. */
const ADDRESS_PASSWORD = /(:\/\/[^\s/:@"\\]{0,256}):[^\s/@"\\]{1,512}@/g;

/** A text field whose name marks its value as secret, in any letter case. */
const SECRET_FIELD =
  /"([\w.-]{0,40}(?:secret|password|passwd|authorization|signature|cookie|credential|api[_-]?key)[\w.-]{0,40})":"(?:[^"\\]|\\.)*"/gi;

/** Few lines have such a field, and this test is far cheaper than searching for one. */
const SECRET_WORD = /secret|passw|authori|signat|cooki|credent|api[_-]?key/i;

export class Redactor {
  readonly #forms = new Set<string>();
  #known: RegExp | undefined;

  constructor(secrets: readonly string[] = []) {
    this.hide(...secrets);
  }

  /** Redacts these from now on, except those under four characters. */
  hide(...secrets: readonly string[]): void {
    for (const form of secrets.flatMap(formsOf)) {
      if (form.length >= SECRET_LENGTH_MIN) this.#forms.add(form);
    }
    if (this.#forms.size === 0) return;
    const longestFirst = [...this.#forms].sort((a, b) => b.length - a.length);
    this.#known = new RegExp(longestFirst.map(escaped).join('|'), 'g');
  }

  redacted(line: string): string {
    let text = this.#known === undefined ? line : line.replace(this.#known, SHOWN);
    if (text.includes('://')) text = text.replace(ADDRESS_PASSWORD, `$1:${SHOWN}@`);
    return SECRET_WORD.test(text) ? text.replace(SECRET_FIELD, `"$1":"${SHOWN}"`) : text;
  }
}

/**
 * The forms a secret can take in a line: plain, escaped by JSON once or twice, percent-encoded, and as an
 * address's password.
 */
function formsOf(secret: string): readonly string[] {
  const plain = [secret];
  if (URL.canParse(secret)) {
    const { password } = new URL(secret);
    if (password !== '') plain.push(password, decoded(password));
  }
  return plain.flatMap((text) => {
    const quoted = inJson(text);
    const encoded = encodeURIComponent(text);
    return [text, quoted, inJson(quoted), encoded, lowerHex(encoded)];
  });
}

/** Both letter cases of %2F occur. */
const lowerHex = (encoded: string): string =>
  encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Unexamined: it is a URIError, for a bare % is legal in a password.
    return text;
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
