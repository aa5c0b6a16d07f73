// Takes secrets out of finished log lines: the registered ones wherever and in whatever form they stand,
// passwords in addresses, and the values of fields named like a secret. Works on the serialized line, so
// that nothing (message, nested field, error, stack) has a way around it.

const SHOWN = '[secret]';

/** Anything shorter would blank out ordinary words. */
const SECRET_LENGTH_MIN = 4;

/** `scheme://user:password@`, as it stands in a line. */
const ADDRESS_PASSWORD = /(:\/\/[^\s/:@"\\]{0,256}):[^\s/@"\\]{1,512}@/g;

/** A text field whose name says that its value is nobody's business; in any letter case. */
const SECRET_FIELD =
  /"([\w.-]{0,40}(?:secret|password|passwd|authorization|signature|cookie|credential|api[_-]?key)[\w.-]{0,40})":"(?:[^"\\]|\\.)*"/gi;

/** Few lines have such a field, and to look for one costs far more than to see that there is none. */
const SECRET_WORD = /secret|passw|authori|signat|cooki|credent|api[_-]?key/i;

export class Redactor {
  readonly #forms = new Set<string>();
  #known: RegExp | undefined;

  constructor(secrets: readonly string[] = []) {
    this.hide(...secrets);
  }

  /** From now on these never appear. Those under four characters are left out. */
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

/** The secret as it can stand in a line: plain, quoted by JSON once or twice, percent-encoded, and an address's password. */
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

/** Both letter cases of %2F are in use. */
const lowerHex = (encoded: string): string =>
  encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray % is a legal character of a password.
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
