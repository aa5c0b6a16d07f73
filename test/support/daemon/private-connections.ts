// Private connections as an exchange has them: those that are logged in and subscribed to what happens to an account. The
// connection of the markets is logged in as well, and subscribes to no account.
import type { Counted, Sense } from './fault-line.ts';
import { ORDERS, textsIn } from './line-senses.ts';

interface Connection {
  key: string;
  isPrivate: boolean;
  isLoggedOut: boolean;
  orders: number;
}

export class PrivateConnections {
  readonly #connections = new Map<Sense, Connection>();
  #opened = 0;
  #broken = 0;

  /** For the line to the exchange, which counts orders. */
  readonly counted: Counted = {
    ...ORDERS,
    sense: () => {
      const orders = ORDERS.sense();
      const connection: Connection = { key: '', isPrivate: false, isLoggedOut: false, orders: 0 };
      const sense: Sense = (chunk) => {
        const wasPrivate = connection.isPrivate;
        for (const text of textsIn(chunk)) noteIn(connection, text);
        if (connection.isPrivate && !wasPrivate) this.#opened += 1;
        const count = orders(chunk);
        connection.orders += count;
        return count;
      };
      this.#connections.set(sense, connection);
      return sense;
    },
    ended: (sense) => {
      const connection = this.#connections.get(sense);
      if (connection?.isPrivate === true && !connection.isLoggedOut) this.#broken += 1;
      this.#connections.delete(sense);
    },
  };

  /** How many there have been so far. */
  get opened(): number {
    return this.#opened;
  }

  /** How many have ended without a logout, upon which an exchange with cancel on disconnect cancels their orders. */
  get broken(): number {
    return this.#broken;
  }

  /** How many are open for the account of the key. */
  of(key: string): number {
    return this.#of(key).length;
  }

  /** Whether an order was sent over a connection of the key that is still open. */
  hasTraded(key: string): boolean {
    return this.#of(key).some(({ orders }) => orders > 0);
  }

  #of(key: string): readonly Connection[] {
    return [...this.#connections.values()].filter((one) => one.isPrivate && one.key === key);
  }
}

function noteIn(connection: Connection, text: string): void {
  const { method, params } = JSON.parse(text) as {
    readonly method: string;
    readonly params: { readonly client_id?: string; readonly channels?: readonly string[] };
  };
  if (method === 'public/auth' && params.client_id !== undefined) connection.key = params.client_id;
  if (method === 'private/logout') connection.isLoggedOut = true;
  const channels = method === 'private/subscribe' ? (params.channels ?? []) : [];
  if (channels.some((channel) => channel.startsWith('user.'))) connection.isPrivate = true;
}
