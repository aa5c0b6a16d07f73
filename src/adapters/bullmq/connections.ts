// The two kinds of connection to Redis. A producer fails fast, because the ledger is the fallback; a worker
// waits for ever. Every client has an error listener, or a lost connection would end the process.
import { Redis } from 'ioredis';

type OnError = (error: unknown) => void;

/** After this time without a reply a command counts as failed; it may still be executed. */
export const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
/** A socket that stays silent this long after a command is dead, even if it was never closed. */
const PRODUCER_SILENCE_MS_MAX = 3_000;
/** Above the ten seconds for which BullMQ lets a worker's connection block. */
const WORKER_SILENCE_MS_MAX = 12_000;

const retryStrategy = (times: number): number =>
  Math.min(RETRY_MS_MIN * 2 ** Math.min(times - 1, 10), RETRY_MS_MAX);

/** READONLY means that the command was not executed: this server is a replica now. */
const isReadOnly = (error: Error): boolean => error.message.startsWith('READONLY');

export function producerConnection(url: string, onError: OnError): Redis {
  const client = new Redis(url, {
    connectionName: 'twapd-producer',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: PRODUCER_SILENCE_MS_MAX,
    connectTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy,
    reconnectOnError: (error) => (isReadOnly(error) ? 1 : false),
  });
  client.on('error', onError);
  return client;
}

/** A worker's connection and the blocking ones that BullMQ duplicates from it, which are closed together. */
export interface WorkerConnections {
  readonly client: Redis;
  disconnect(): void;
}

export function workerConnections(url: string, onError: OnError): WorkerConnections {
  const client = new Redis(url, {
    connectionName: 'twapd-worker',
    maxRetriesPerRequest: null,
    socketTimeout: WORKER_SILENCE_MS_MAX,
    retryStrategy,
    reconnectOnError: (error) => (isReadOnly(error) ? 2 : false),
  });
  client.on('error', onError);
  const copies: Redis[] = [];
  // BullMQ does not always end its own copy while Redis is away, and a client that keeps reconnecting keeps the
  // process alive.
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => {
    const copy = duplicate(override);
    copy.on('error', onError);
    copies.push(copy);
    return copy;
  };
  return {
    client,
    disconnect: () => {
      for (const each of [...copies, client]) each.disconnect();
    },
  };
}
