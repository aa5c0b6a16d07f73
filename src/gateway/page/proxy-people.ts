// People whom a proxy has signed in, such as one that speaks OIDC to a provider. What it says counts only on a connection from an
// address that the configuration trusts, and with the proxy's secret: any program of a trusted machine could write the headers.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Scope } from '../../ports/key-records.ts';
import { plainAddress } from '../limits/address-list.ts';

export const PERSON_LENGTH_MAX = 200;

export interface ProxySignIn {
  /** Name of the header in which the proxy names the person. */
  readonly personHeader: string;
  /** Name of the header in which it sends its secret. */
  readonly secretHeader: string;
  readonly secret: string;
  readonly people: readonly PersonOfProxy[];
}

export interface PersonOfProxy {
  readonly person: string;
  /** Id of the key whose sessions the person opens; nobody else's. */
  readonly key: string;
  /** At most those of the key; absent: all. */
  readonly scopes?: readonly Scope[] | undefined;
}

export class ProxyPeople {
  readonly #rules: ProxySignIn;
  readonly #isProxy: (address: string) => boolean;
  readonly #people: ReadonlyMap<string, PersonOfProxy>;

  constructor(rules: ProxySignIn, isProxy: (address: string) => boolean) {
    this.#rules = rules;
    this.#isProxy = isProxy;
    this.#people = new Map(rules.people.map((one) => [one.person, one]));
  }

  /** The person that the proxy names, known here or not; `undefined` if no trusted proxy names exactly one. */
  named(request: IncomingMessage): string | undefined {
    // The address of the connection itself: X-Forwarded-For can be written by anybody.
    if (!this.#isProxy(plainAddress(request.socket.remoteAddress ?? ''))) return undefined;
    const secret = single(request, this.#rules.secretHeader);
    if (secret === undefined || !isSame(secret, this.#rules.secret)) return undefined;
    const person = single(request, this.#rules.personHeader);
    if (person === undefined || person === '' || person.length > PERSON_LENGTH_MAX)
      return undefined;
    return person;
  }

  find(person: string): PersonOfProxy | undefined {
    return this.#people.get(person);
  }
}

/** The value of a header that occurs once; a client's own alongside the proxy's makes two. */
function single(request: IncomingMessage, name: string): string | undefined {
  const [value, ...more] = request.headersDistinct[name.toLowerCase()] ?? [];
  return more.length === 0 ? value : undefined;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(expected));
