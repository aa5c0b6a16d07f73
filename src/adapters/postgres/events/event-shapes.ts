// Stores events without the names of their fields: the names of each shape, a kind with its fields in order, are in the
// ledger once, under a number. A shape that is new is stored behind the commit; until then its events are stored whole.
// Shapes are never changed or deleted.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { ReadPool } from '../read-pool.ts';

/** An event as it is stored: whole, or the number of its shape and its values. */
export type StoredEvent = PortfolioEvent | readonly [shape: number, ...values: unknown[]];

export interface EventShapesOptions {
  readonly onFault: (error: unknown) => void;
}

interface ShapeRow {
  readonly number: number;
  readonly names: string;
}

interface Shape {
  readonly number: number;
  /** The kind, and the fields in order. */
  readonly names: readonly string[];
}

/** There are some dozens; beyond this something makes names of its own, and its events are stored whole. */
const SHAPES_MAX = 1_000;
/** Names that an object keeps in the order in which they were set, and that mean nothing to it. */
const PLAIN = /^[a-z][A-Za-z0-9_]*(?:,[a-z][A-Za-z0-9_]*)+$/;

const STORE = `INSERT INTO event_shape (names) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;
const ALL = 'SELECT number, names FROM event_shape';

export class EventShapes {
  readonly #pool: Pick<ReadPool, 'read' | 'write'>;
  readonly #onFault: (error: unknown) => void;
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<number, readonly string[]>();
  readonly #ofKind = new Map<string, readonly Shape[]>();
  readonly #unknown = new Set<string>();
  #learning: Promise<void> | undefined;

  constructor(pool: Pick<ReadPool, 'read' | 'write'>, options: EventShapesOptions) {
    this.#pool = pool;
    this.#onFault = options.onFault;
  }

  /** The text under which the events of a turn are stored. */
  readonly textOf = (events: readonly PortfolioEvent[]): string =>
    JSON.stringify(events.map((event) => this.#stored(event)));

  /** The events as they were given to {@link textOf}, up to the first that cannot be read. */
  async eventsOf(stored: readonly StoredEvent[]): Promise<readonly PortfolioEvent[]> {
    if (stored.some((one) => isShaped(one) && !this.#names.has(one[0]))) await this.#read();
    const events: PortfolioEvent[] = [];
    for (const one of stored) {
      const event = isShaped(one) ? this.#restored(one) : one;
      if (event === undefined) break;
      events.push(event);
    }
    return events;
  }

  /** Resolves when nothing is under way. */
  async close(): Promise<void> {
    await this.#learning;
  }

  #stored(event: PortfolioEvent): StoredEvent {
    for (const shape of this.#ofKind.get(event.kind) ?? []) {
      const stored = storedAs(event, shape);
      if (stored !== undefined) return stored;
    }
    const shape = shapeOf(event);
    if (!this.#numbers.has(shape) && this.#numbers.size < SHAPES_MAX && PLAIN.test(shape))
      this.#learn(shape);
    return event;
  }

  #restored([number, ...values]: readonly [number, ...unknown[]]): PortfolioEvent | undefined {
    const names = this.#names.get(number);
    if (names === undefined || names.length !== values.length + 1) return undefined;
    const event: Record<string, unknown> = { kind: names[0] };
    for (const [index, value] of values.entries()) event[names[index + 1] ?? ''] = value;
    return event as unknown as PortfolioEvent;
  }

  /** What fails is tried again when the next event of the shape is stored. */
  #learn(shape: string): void {
    this.#unknown.add(shape);
    this.#learning ??= this.#store()
      .catch(this.#onFault)
      .finally(() => {
        this.#learning = undefined;
      });
  }

  async #store(): Promise<void> {
    await this.#read();
    while (this.#unknown.size > 0) {
      const missing = [...this.#unknown].filter((shape) => !this.#numbers.has(shape));
      this.#unknown.clear();
      if (missing.length === 0) return;
      const values = [missing.map((shape) => JSON.stringify(shape.split(',')))];
      await this.#pool.write({ text: STORE, values });
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    for (const { number, names } of await this.#pool.read<ShapeRow & Record<string, unknown>>({
      name: 'event shapes',
      text: ALL,
    })) {
      if (this.#names.has(number)) continue;
      const list = JSON.parse(names) as readonly string[];
      this.#numbers.set(list.join(','), number);
      this.#names.set(number, list);
      const [kind = ''] = list;
      this.#ofKind.set(kind, [...(this.#ofKind.get(kind) ?? []), { number, names: list }]);
    }
  }
}

const isShaped = (one: StoredEvent): one is readonly [number, ...unknown[]] => Array.isArray(one);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The event under the number of the shape, if it has just its fields in their order. Compared name by name: to write the
 * shape of every event as a text costs three times as much.
 */
function storedAs(event: PortfolioEvent, { number, names }: Shape): StoredEvent | undefined {
  const fields = event as unknown as Fields;
  const own = Object.keys(event);
  if (own[0] !== 'kind') return undefined;
  const stored: [number, ...unknown[]] = [number];
  for (let at = 1; at < own.length; at += 1) {
    const name = own[at] ?? '';
    const value = fields[name];
    if (value === undefined) continue;
    if (names[stored.length] !== name) return undefined;
    stored.push(value);
  }
  return stored.length === names.length ? stored : undefined;
}

/** Names of the event's shape with commas between them; empty if the kind is not its first field. */
function shapeOf(event: PortfolioEvent): string {
  const fields = event as unknown as Fields;
  const names = Object.keys(event).filter((name) => fields[name] !== undefined);
  return names[0] === 'kind' ? [event.kind, ...names.slice(1)].join() : '';
}
