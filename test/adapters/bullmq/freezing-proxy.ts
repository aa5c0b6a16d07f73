// A proxy to Redis that can freeze worker connections: nothing passes and neither end is notified, as when a
// firewall drops a connection silently. The producer's connections and new ones are unaffected.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface FreezingProxy {
  readonly url: string;
  /** Freezes every open connection except the producer's; returns how many. */
  freezeWorkers(): number;
  close(): Promise<void>;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  producer: boolean;
  frozen: boolean;
}

export async function freezingProxy(port: number): Promise<FreezingProxy> {
  const links = new Set<Link>();
  const server = createServer((near) => {
    const link: Link = { near, far: connect(port, '127.0.0.1'), producer: false, frozen: false };
    links.add(link);
    join(link, () => links.delete(link));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    freezeWorkers: () => {
      const workers = [...links].filter((link) => !link.producer && !link.frozen);
      for (const link of workers) link.frozen = true;
      return workers.length;
    },
    close: async () => {
      for (const { near, far } of links) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}

function join(link: Link, onEnd: () => void): void {
  const { near, far } = link;
  near.on('data', (bytes) => {
    if (bytes.includes('twapd-producer')) link.producer = true;
    if (!link.frozen) far.write(bytes);
  });
  far.on('data', (bytes) => {
    if (!link.frozen) near.write(bytes);
  });
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => {
      to.destroy();
      onEnd();
    });
  }
}
