// The queue as a web page: bull-board over a connection of its own. Read-only: jobs are mere wake-ups, and
// changing one manually would not change the ledger. Access is controlled by the server that hosts it.
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { Queue } from 'bullmq';
import { producerConnection } from './connections.ts';
import { QUEUE_NAME } from './wake-job.ts';

export interface QueueBoardOptions {
  readonly url: string;
  /** First part of every key, one per deployment. */
  readonly prefix: string;
  /** Where it will be served, for example `/queues`. */
  readonly path: string;
  readonly onFault: (error: unknown) => void;
}

export interface QueueBoard {
  /** For Fastify; its routes are below `path`. */
  readonly plugin: ReturnType<FastifyAdapter['registerPlugin']>;
  close(): Promise<void>;
}

const TITLE = 'twapd queue';

export function queueBoard({ url, prefix, path, onFault }: QueueBoardOptions): QueueBoard {
  const connection = producerConnection(url, onFault);
  const queue = new Queue(QUEUE_NAME, { connection, prefix });
  queue.on('error', onFault);
  const serverAdapter = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    queues: [new BullMQAdapter(queue, { readOnlyMode: true })],
    serverAdapter,
    options: { uiConfig: { boardTitle: TITLE, hideRedisDetails: true } },
  });
  return {
    plugin: serverAdapter.registerPlugin(),
    close: async () => {
      await queue.close();
      connection.disconnect();
    },
  };
}
