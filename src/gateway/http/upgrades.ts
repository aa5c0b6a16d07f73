// Routes WebSocket upgrades by path.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { transportFault } from '../wire/envelope.ts';
import { answerRaw } from '../wire/raw-answer.ts';
import { pathOf } from './plain-paths.ts';

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Handler of the server's `upgrade` event. */
export const upgrades =
  (streams: Readonly<Record<string, Upgrade>>): Upgrade =>
  (request, socket, head) => {
    const path = pathOf(request.url ?? '');
    const upgrade = Object.hasOwn(streams, path) ? streams[path] : undefined;
    if (upgrade !== undefined) return upgrade(request, socket, head);
    socket.on('error', () => socket.destroy());
    answerRaw(socket, 404, transportFault('no_such_route', 'no such address'));
  };
