// A boundary between the gateway and the engine that only text can cross, as between two processes: every argument,
// result and notice is written to text and read back later, in order. A live object is reported with its place.
import { setImmediate } from 'node:timers';
import type { EngineApi } from '../../src/engine/interface/engine-api.ts';
import type { Unsubscribe } from '../../src/engine/interface/plain-interface.ts';
import { LedgerFailure } from '../../src/ports/ledger.ts';
import { MarketUnanswered } from '../../src/ports/market-reads.ts';
import { Decimal, formatDecimal, parseDecimal } from '../../src/values/decimal.ts';

type Kind<M> = M extends (...args: never[]) => Unsubscribe ? 'subscription' : 'call';

/** What crosses: the compiler requires every method of the interface. */
const METHODS: {
  readonly [G in keyof EngineApi]: { readonly [M in keyof EngineApi[G]]: Kind<EngineApi[G][M]> };
} = {
  combos: { create: 'call', legPrices: 'call', list: 'call' },
  directory: { follow: 'subscription' },
  margins: { needs: 'call', ofOrders: 'call' },
  market: {
    instrument: 'call',
    ticker: 'call',
    book: 'call',
    index: 'call',
    history: 'call',
    follow: 'subscription',
  },
  mmp: {
    configure: 'call',
    configs: 'call',
    frozen: 'call',
    reset: 'call',
    listen: 'subscription',
  },
  news: { follow: 'subscription', page: 'call' },
  orders: {
    place: 'call',
    edit: 'call',
    cancel: 'call',
    cancelAll: 'call',
    order: 'call',
    ordersLabelled: 'call',
    openOrders: 'call',
    orderHistory: 'call',
    trades: 'call',
    positions: 'call',
    summary: 'call',
    transactions: 'call',
    follow: 'subscription',
  },
  portfolios: {
    submit: 'call',
    plan: 'call',
    info: 'call',
    page: 'call',
    cancel: 'call',
    cancelAll: 'call',
    pause: 'call',
    resume: 'call',
    amend: 'call',
  },
  rfqs: {
    create: 'call',
    accept: 'call',
    quote: 'call',
    editQuote: 'call',
    rfqs: 'call',
    cancelRfq: 'call',
    cancelTrigger: 'call',
    cancelQuote: 'call',
    cancelQuotes: 'call',
    quotes: 'call',
    makers: 'call',
    blockTrades: 'call',
    tape: 'call',
    aliasOf: 'call',
    follow: 'subscription',
  },
  strategies: { view: 'call', setSwitch: 'call' },
  state: { reasonsNotReady: 'call', metrics: 'call' },
  trading: {
    switches: 'call',
    setSwitch: 'call',
    overrides: 'call',
    requestOverride: 'call',
    grantOverride: 'call',
    limitUse: 'call',
  },
};

/** The names of all methods. */
export const CROSSING: readonly string[] = Object.entries(METHODS).flatMap(([group, methods]) =>
  Object.keys(methods).map((name) => `${group}.${name}`),
);

type Call = (...args: readonly unknown[]) => unknown;
type Groups = Readonly<Record<string, Readonly<Record<string, Call>>>>;

export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

export class TextBoundary {
  /** Names of the methods that crossed. */
  readonly crossed = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  readonly #violations: unknown[] = [];

  across(engine: EngineApi): EngineApi {
    const groups = engine as unknown as Groups;
    const crossing = Object.entries(METHODS).map(([group, methods]) => {
      const made = Object.entries(methods).map(([name, kind]) => {
        const there = (...args: readonly unknown[]) => groups[group]?.[name]?.(...args);
        const at = `${group}.${name}`;
        return [name, kind === 'call' ? this.#call(at, there) : this.#subscription(at, there)];
      });
      return [group, Object.fromEntries(made)];
    });
    return Object.fromEntries(crossing) as EngineApi;
  }

  /** Throws if anything but plain data was to cross. */
  check(): void {
    if (this.#violations.length > 0) throw this.#violations[0];
  }

  #call(at: string, there: Call): Call {
    return (...args) => {
      this.crossed.add(at);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const answer = async (text: string): Promise<void> => {
        try {
          const result = this.#text([await there(...read(text))], `the result of ${at}`);
          this.#send(() => resolve(read(result)[0]));
        } catch (error) {
          const failure = failureText(error);
          this.#send(() => reject(failureOf(failure)));
        }
      };
      const asked = this.#text(args, at);
      this.#send(() => void answer(asked));
      return promise;
    };
  }

  #subscription(at: string, there: Call): Call {
    return (...args) => {
      this.crossed.add(at);
      const listener = args.at(-1) as (notice: unknown) => void;
      let isLeft = false;
      const notify = (notice: unknown): void => {
        const text = this.#text([notice], `a notice of ${at}`);
        this.#send(() => {
          if (!isLeft) listener(...(read(text) as [unknown]));
        });
      };
      let leave: Unsubscribe = () => undefined;
      const asked = this.#text(args.slice(0, -1), at);
      this.#send(() => {
        leave = there(...read(asked), notify) as Unsubscribe;
      });
      return () => {
        isLeft = true;
        this.#send(() => leave());
      };
    };
  }

  #text(values: readonly unknown[], at: string): string {
    try {
      return written(values, at);
    } catch (error) {
      this.#violations.push(error);
      throw error;
    }
  }

  /** Everything crosses later, in order. */
  #send(act: () => void): void {
    this.#waiting.push(act);
    if (this.#waiting.length > 1) return;
    setImmediate(() => {
      for (const one of this.#waiting.splice(0)) one();
    });
  }
}

const NUMBER = '$decimal';
const WHOLE = '$bigint';
const NOTHING = '$nothing';

function written(values: readonly unknown[], at: string): string {
  try {
    return textOf(values);
  } catch (error) {
    throw placed(error, at);
  }
}

/** What JSON can carry. Every request of every test of a gateway passes here, so the place is named only where one is needed. */
function textOf(value: unknown): string {
  if (value === undefined) return `{"${NOTHING}":true}`;
  if (typeof value === 'bigint') return `{"${WHOLE}":"${value}"}`;
  if (typeof value === 'number' && !Number.isFinite(value)) throw notPlain(value);
  if (value === null || isScalar(value)) return JSON.stringify(value);
  if (value instanceof Decimal) return `{"${NUMBER}":"${formatDecimal(value)}"}`;
  if (Array.isArray(value)) return listText(value);
  if (typeof value !== 'object' || !isRecord(value)) throw notPlain(value);
  return recordText(value);
}

function listText(list: readonly unknown[]): string {
  let text = '';
  let index = 0;
  try {
    for (; index < list.length; index += 1)
      text += `${index === 0 ? '' : ','}${textOf(list[index])}`;
  } catch (error) {
    throw placed(error, `[${index}]`);
  }
  return `[${text}]`;
}

function recordText(record: object): string {
  let text = '';
  let at = '';
  try {
    for (const name of Object.getOwnPropertyNames(record)) {
      at = name;
      const field = Object.getOwnPropertyDescriptor(record, name);
      if (field?.get !== undefined) throw new NotPlain(' is computed; accepted: a value');
      // An absent field and an undefined one are the same to a reader.
      if (field?.value === undefined) continue;
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${textOf(field.value)}`;
    }
  } catch (error) {
    throw placed(error, `.${at}`);
  }
  return `{${text}}`;
}

const placed = (error: unknown, place: string): unknown =>
  error instanceof NotPlain ? new NotPlain(`${place}${error.message}`) : error;

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';

const notPlain = (value: unknown): NotPlain =>
  new NotPlain(` is ${Object.prototype.toString.call(value)}; accepted: plain data`);

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const hasSymbols = Object.getOwnPropertySymbols(value).length > 0;
  return (prototype === Object.prototype || prototype === null) && !hasSymbols;
}

const isNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && NOTHING in value;

/** A text of this length is a listing of all instruments, with which every stage begins. */
const LONG = 100_000;
const LONG_MAX = 4;
/** Read before; frozen, since several stages get the same. */
const long = new Map<string, readonly unknown[]>();

function read(text: string): readonly unknown[] {
  const known = text.length < LONG ? undefined : long.get(text);
  if (known !== undefined) return known;
  const values = revived(JSON.parse(text)) as unknown[];
  const all = values.map((one) => (isNothing(one) ? undefined : one));
  if (text.length < LONG) return all;
  if (long.size >= LONG_MAX) long.clear();
  long.set(text, all);
  return frozen(all) as readonly unknown[];
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return value;
  for (const one of Object.values(value)) frozen(one);
  return Object.freeze(value);
}

/** In its place: a reviver of `JSON.parse` takes several times as long. */
function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (NUMBER in value) return decimalOf(String(value[NUMBER]));
  if (WHOLE in value) return BigInt(String(value[WHOLE]));
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (typeof field === 'object') fields[name] = revived(field);
  }
  return fields;
}

const TENTH = parseDecimal('0.1');

/** So many digits have all but averages. */
const DIGITS = 20;

/** Averages have more digits than the grammar of requests accepts. */
function decimalOf(text: string): Decimal {
  if (text.length <= DIGITS) return parseDecimal(text);
  const [whole = '', places = ''] = text.replace('-', '').split('.');
  let value = parseDecimal('0');
  let unit = parseDecimal('1');
  for (const digit of whole) value = value.mul(parseDecimal('10')).plus(parseDecimal(digit));
  for (const digit of places) {
    unit = unit.mul(TENTH);
    value = value.plus(unit.mul(parseDecimal(digit)));
  }
  return text.startsWith('-') ? value.negated() : value;
}

/** Failures that a gateway tells apart, and the message of every other. */
function failureText(error: unknown): string {
  if (error instanceof LedgerFailure) {
    return JSON.stringify({ kind: 'ledger', message: error.message, maybe: error.maybe });
  }
  const kind = error instanceof MarketUnanswered ? 'market' : 'other';
  return JSON.stringify({ kind, message: error instanceof Error ? error.message : String(error) });
}

function failureOf(text: string): Error {
  const { kind, message, maybe } = JSON.parse(text);
  if (kind === 'ledger') return new LedgerFailure(message, maybe);
  return kind === 'market' ? new MarketUnanswered(message) : new Error(message);
}
