// A secret that cannot be printed by accident: every conversion to text gives `[secret]`.
import { inspect } from 'node:util';

const SHOWN = '[secret]';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the plain text, for the one call that needs it. */
  reveal(): string {
    return this.#text;
  }

  /** The same secret, written in another way. */
  map(change: (text: string) => string): Secret {
    return new Secret(change(this.#text));
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.toPrimitive](): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
