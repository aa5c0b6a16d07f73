// A network between a ledger and its PostgreSQL that can be cut at a chosen moment.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `pass`          carries both ways
 * `cut requests`  the next request is not delivered: both ends are cut
 * `cut answers`   the next request is delivered and its answer is not: both ends are cut
 * `hold answers`  requests are delivered, answers never
 * `refuse`        every connection is cut at once
 */
export type ProxyMode = 'pass' | 'cut requests' | 'cut answers' | 'hold answers' | 'refuse';

export interface PostgresProxy {
  /** The same database, through the proxy. */
  readonly connectionString: string;
  /** The cutting modes change to `then` (default `pass`) once they have cut. */
  set(mode: ProxyMode, then?: ProxyMode): void;
  /** Resolves when a cutting mode has cut. */
  whenCut(): Promise<void>;
  close(): Promise<void>;
}

export async function openPostgresProxy(target: string): Promise<PostgresProxy> {
  const url = new URL(target.replace('@/', '@placeholder/'));
  const folder = url.searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let mode: ProxyMode = 'pass';
  let next: ProxyMode = 'pass';
  let cut = Promise.withResolvers<void>();

  const server = createServer((client) => {
    const database = connect(`${folder}/.s.PGSQL.5432`);
    const end = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    const endForMode = () => {
      mode = next;
      end();
      cut.resolve();
    };
    client.on('data', (chunk) => {
      if (mode === 'refuse') end();
      else if (mode === 'cut requests') endForMode();
      else database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (mode === 'cut answers') endForMode();
      else if (mode !== 'hold answers') client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    connectionString: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`,
    set: (chosen, then = 'pass') => {
      mode = chosen;
      next = then;
      cut = Promise.withResolvers<void>();
      if (chosen === 'refuse') for (const socket of sockets) socket.destroy();
    },
    whenCut: () => cut.promise,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
