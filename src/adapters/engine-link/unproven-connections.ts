// Connections to an engine that have not proved yet that they know the deployment's secret: few at a time, each with few
// bytes. They displace each other only, and never a connection that has proved itself.
import type { Socket } from 'node:net';

/** More than ever prove themselves at the same moment. */
export const UNPROVEN_MAX = 64;
/** What a connection may send before its proof: the request for the upgrade, a greeting and the proof are below 1 kB. */
export const UNPROVEN_BYTES_MAX = 8 * 1024;

const UNKNOWN = 'unknown';

export class UnprovenConnections {
  /** Oldest first. */
  readonly #sockets = new Set<Socket>();

  admit(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size > UNPROVEN_MAX) this.#victim(socket)?.destroy();
  }

  /** Ends the connection as soon as it has sent too much; returns the function that ends the watch. */
  watch(socket: Socket): () => void {
    const count = (): void => {
      if (socket.bytesRead > UNPROVEN_BYTES_MAX) socket.destroy();
    };
    socket.on('data', count);
    return () => socket.off('data', count);
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
