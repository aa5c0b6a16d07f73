// Finds events of a kind in a message to the ledger, where an event is an object or the number of its shape with its
// values.
import { z } from 'zod';

const ROWS = z.array(z.object({ number: z.number(), names: z.string() }));
const NAMES = z.array(z.string());
const SHAPES = 'SELECT number, names FROM event_shape';

type Query = (text: string) => Promise<readonly unknown[]>;

export class EventKinds {
  readonly #kinds = new Map<number, string>();
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  /** Reads the shapes that the ledger has by now: a shape is stored soon after the first event that has it. */
  async read(): Promise<void> {
    for (const { number, names } of ROWS.parse(await this.#query(SHAPES))) {
      const [kind = ''] = NAMES.parse(JSON.parse(names));
      this.#kinds.set(number, kind);
    }
  }

  isIn(message: Buffer, kind: string): boolean {
    if (message.includes(`"kind":"${kind}"`)) return true;
    const numbers = message.toString('latin1').matchAll(/[[,]\[(\d+),/g);
    return [...numbers].some(([, number]) => this.#kinds.get(Number(number)) === kind);
  }
}
