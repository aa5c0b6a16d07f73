// Shapes of JSON in a short notation, and a checker that reads the digits of numbers as they were written: an integer
// is an integer token, a number is never text, an unknown member is a fault.
//
//   name:type            a required member           int num str bool any null   one token
//   name?:type           an optional member          ms                          Unix milliseconds
//   ...Name ...?Name     the members of that shape,  ccy                         a currency in capital letters
//                        as they are, or optional
//   {members} [type]     objects, arrays             id                          text that is not empty
//   [type,type]          an array of that length     map<type>                   an object with names of any kind
//   a|b                  one of them; any other word stands for that text
import { isLosslessNumber, stringify } from 'lossless-json';

export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly shape: Shape;
}

export type Shape =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'array'; readonly of: Shape }
  | { readonly kind: 'tuple'; readonly of: readonly Shape[] }
  | { readonly kind: 'either'; readonly of: readonly Shape[] };

const TOKENS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  null: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  str: (value) => typeof value === 'string',
  id: (value) => typeof value === 'string' && value !== '',
  ccy: (value) => typeof value === 'string' && /^[A-Z0-9]{2,12}$/.test(value),
  num: (value) => isLosslessNumber(value),
  int: (value) => isLosslessNumber(value) && /^-?\d+$/.test(value.value),
  ms: (value) => isLosslessNumber(value) && /^(0|\d{13,14})$/.test(value.value),
};

/** A value at a place in what is checked; `name` is that of the shape whose members it has. */
interface Checked {
  readonly value: unknown;
  readonly path: string;
  readonly name: string | undefined;
  readonly seen: Set<string>;
}

/** Named shapes. It remembers nothing of what is checked: every file of a worker shares it. */
export class ShapeBook {
  readonly #members = new Map<string, readonly Member[]>();

  constructor(written: Readonly<Record<string, string>>) {
    for (const [name, members] of Object.entries(written)) {
      this.#members.set(name, new Reader(members, this).all());
    }
  }

  membersOf(name: string): readonly Member[] {
    const found = this.#members.get(name);
    if (found === undefined) throw new Error(`no shape is named ${name}`);
    return found;
  }

  /** `Name.member` of every member of every named shape. */
  all(): string[] {
    return [...this.#members].flatMap(([name, members]) =>
      members.map((one) => `${name}.${one.name}`),
    );
  }

  shape(written: string): Shape {
    return new Reader(written, this).one();
  }

  /**
   * What is wrong with a value that `lossless-json` has parsed, each fault with its path; empty if nothing is. Adds
   * `Name.member` of the members that occur to `seen`.
   */
  faults(shape: Shape, value: unknown, seen = new Set<string>()): string[] {
    return this.#check(shape, { value, path: '', name: undefined, seen });
  }

  #check(shape: Shape, checked: Checked): string[] {
    const { value, path, seen } = checked;
    const part = (one: unknown, below: string): Checked => ({
      value: one,
      path: `${path}${below}`,
      name: undefined,
      seen,
    });
    switch (shape.kind) {
      case 'token':
        return TOKENS[shape.token]?.(value) === true
          ? []
          : [`${path}: ${shown(value)} is no ${shape.token}`];
      case 'word':
        return value === shape.word ? [] : [`${path}: ${shown(value)} is not ${shape.word}`];
      case 'named':
        return this.#object(this.membersOf(shape.name), { value, path, name: shape.name, seen });
      case 'object':
        return this.#object(shape.members, checked);
      case 'map':
        if (!isRecord(value)) return [`${path}: ${shown(value)} is no object`];
        return Object.entries(value).flatMap(([key, one]) =>
          this.#check(shape.of, part(one, `.${key}`)),
        );
      case 'array':
        if (!Array.isArray(value)) return [`${path}: ${shown(value)} is no array`];
        return value.flatMap((one, at) => this.#check(shape.of, part(one, `[${at}]`)));
      case 'tuple':
        if (!Array.isArray(value) || value.length !== shape.of.length) {
          return [`${path}: ${shown(value)} is no array of ${shape.of.length}`];
        }
        return shape.of.flatMap((one, at) => this.#check(one, part(value[at], `[${at}]`)));
      case 'either': {
        const tried = shape.of.map((one) => this.#check(one, part(value, '')));
        return tried.find((faults) => faults.length === 0) ?? closest(tried, path, value);
      }
    }
  }

  #object(members: readonly Member[], { value, path, name, seen }: Checked): string[] {
    if (!isRecord(value)) return [`${path}: ${shown(value)} is no object`];
    const known = new Map(members.map((member) => [member.name, member]));
    const missing = members
      .filter((member) => !member.isOptional && !Object.hasOwn(value, member.name))
      .map((member) => `${path}.${member.name}: missing`);
    const wrong = Object.entries(value).flatMap(([key, one]) => {
      const member = known.get(key);
      if (member === undefined) return [`${path}.${key}: unknown, ${shown(one)}`];
      if (name !== undefined) seen.add(`${name}.${key}`);
      const below = `${path}.${key}`;
      return this.#check(member.shape, { value: one, path: below, name: undefined, seen });
    });
    return [...missing, ...wrong];
  }
}

/** Of several alternatives, the faults of the one that fits best; a list of words is named as a whole. */
function closest(tried: readonly (readonly string[])[], path: string, value: unknown): string[] {
  if (!isRecord(value)) return [`${path}: ${shown(value)} is none of what is accepted`];
  return [...tried].sort((a, b) => a.length - b.length)[0] as string[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

function shown(value: unknown): string {
  return stringify(value)?.slice(0, 60) ?? 'nothing';
}

class Reader {
  readonly #text: string;
  readonly #book: ShapeBook;
  #at = 0;

  constructor(text: string, book: ShapeBook) {
    this.#text = text.trim();
    this.#book = book;
  }

  one(): Shape {
    const shape = this.#shape();
    this.#end();
    return shape;
  }

  all(): Member[] {
    const members = this.#members();
    this.#end();
    return members;
  }

  #end(): void {
    this.#blank();
    if (this.#at < this.#text.length) throw new Error(`not read: ${this.#text.slice(this.#at)}`);
  }

  #shape(): Shape {
    const of = [this.#single()];
    while (this.#takes('|')) of.push(this.#single());
    return of.length === 1 ? (of[0] as Shape) : { kind: 'either', of };
  }

  #single(): Shape {
    if (this.#takes('{')) {
      const members = this.#members();
      this.#must('}');
      return { kind: 'object', members };
    }
    if (this.#takes('[')) {
      const of = [this.#shape()];
      while (this.#takes(',')) of.push(this.#shape());
      this.#must(']');
      return of.length === 1 ? { kind: 'array', of: of[0] as Shape } : { kind: 'tuple', of };
    }
    const word = this.#word();
    if (word === 'map') {
      this.#must('<');
      const of = this.#shape();
      this.#must('>');
      return { kind: 'map', of };
    }
    if (word in TOKENS) return { kind: 'token', token: word };
    return /^[A-Z][a-z]/.test(word) ? { kind: 'named', name: word } : { kind: 'word', word };
  }

  #members(): Member[] {
    const members: Member[] = [];
    for (
      this.#blank();
      this.#at < this.#text.length && this.#text[this.#at] !== '}';
      this.#blank()
    ) {
      if (this.#takes('...')) {
        const isLoose = this.#takes('?');
        const taken = this.#book.membersOf(this.#word());
        members.push(...taken.map((one) => ({ ...one, isOptional: isLoose || one.isOptional })));
        continue;
      }
      const name = this.#word();
      const isOptional = this.#takes('?');
      this.#must(':');
      members.push({ name, isOptional, shape: this.#shape() });
    }
    return members;
  }

  #word(): string {
    const found = /^[\w.-]*[\w-]/.exec(this.#text.slice(this.#at))?.[0];
    if (found === undefined)
      throw new Error(`no word at: ${this.#text.slice(this.#at, this.#at + 40)}`);
    this.#at += found.length;
    return found;
  }

  #takes(mark: string): boolean {
    const isThere = this.#text.startsWith(mark, this.#at);
    if (isThere) this.#at += mark.length;
    return isThere;
  }

  #must(mark: string): void {
    if (!this.#takes(mark))
      throw new Error(`${mark} wanted at: ${this.#text.slice(this.#at, this.#at + 40)}`);
  }

  #blank(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}
