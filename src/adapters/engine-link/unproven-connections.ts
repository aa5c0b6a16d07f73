// Connections to an engine that have not proved yet that they know the deployment's secret: few at a time, each with few
// bytes. They displace each other only, and never a connection that has proved itself.
import type { Socket } from 'node:net';

/** More than ever prove themselves at the same moment. */
export const UNPROVEN_MAX = 64;
/** What either end may send before its proof: a request for an upgrade or its answer, a greeting and a proof are below 1 kB. */
export const UNPROVEN_BYTES_MAX = 8 * 1024;

const UNKNOWN = 'unknown';

/** Ends the connection as soon as the other end has sent too much; returns the function that ends the watch. */
export function watchUnproven(socket: Socket): () => void {
  const count = (): void => {
    if (socket.bytesRead > UNPROVEN_BYTES_MAX) socket.destroy();
  };
  socket.on('data', count);
  return () => socket.off('data', count);
}

export class UnprovenConnections {
  /** Oldest first. */
  readonly #sockets = new Set<Socket>();

  admit(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size > UNPROVEN_MAX) this.#victim(socket)?.destroy();
  }

  proved(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /** The oldest connection of the address that has most of them, but not the one that has just come. */
  #victim(newest: Socket): Socket | undefined {
    const ofAddresses = Map.groupBy(
      [...this.#sockets].filter((one) => one !== newest),
      ({ remoteAddress = UNKNOWN }) => remoteAddress,
    );
    const most = [...ofAddresses.values()].reduce<readonly Socket[]>(
      (a, b) => (b.length > a.length ? b : a),
      [],
    );
    return most[0];
  }
}
