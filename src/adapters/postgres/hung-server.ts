// A server that has let a connection in and then says nothing, as one that is suspended. A statement may take long, so no time
// limit tells the two apart: a second connection does.
import { Client } from 'pg';

export class ServerSilent extends Error {
  override readonly name = 'ServerSilent';
}

/** Rejects if no new connection is answered within `withinMs`. */
export type Probe = (withinMs: number) => Promise<unknown>;

export const probeOf =
  (connectionString: string): Probe =>
  async (withinMs) => {
    const client = new Client({
      connectionString,
      application_name: 'twapd probe',
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
    });
    const lost = Promise.withResolvers<never>();
    client.on('error', lost.reject);
    try {
      await Promise.race([client.connect().then(() => client.query('SELECT 1')), lost.promise]);
    } finally {
      await client.end();
    }
  };

/**
 * The answer, however long it takes, as long as the server answers the probe, which is sent every `everyMs`.
 * @throws ServerSilent as soon as it does not
 */
export async function whileAnswering<T>(
  answer: Promise<T>,
  { probe, everyMs }: { readonly probe: Probe; readonly everyMs: number },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = false;
  const silent = Promise.withResolvers<never>();
  const probeLater = (): void => {
    if (isAnswered) return;
    timer = setTimeout(() => {
      probe(everyMs).then(probeLater, (cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        const what = `the server does not answer a statement, nor a new connection (${why})`;
        if (!isAnswered) silent.reject(new ServerSilent(what, { cause }));
      });
    }, everyMs);
  };
  probeLater();
  try {
    return await Promise.race([answer, silent.promise]);
  } finally {
    isAnswered = true;
    clearTimeout(timer);
  }
}
