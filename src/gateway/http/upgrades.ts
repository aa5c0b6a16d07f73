// Routes WebSocket upgrades by path. An upgrade that a browser sends for a page of somebody else is refused: it carries the
// cookies of this host, and nothing but its Origin tells it apart.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { reject } from '../../core/rejection.ts';
import { ENGINE_AWAITED } from '../limits/intake.ts';
import { refusal, transportFault } from '../wire/envelope.ts';
import { answerRaw } from '../wire/raw-answer.ts';
import { FOREIGN_ORIGIN, type PageOrigins } from './page-origins.ts';
import { pathOf } from './plain-paths.ts';

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface UpgradeRules {
  readonly origins: Pick<PageOrigins, 'isForeign'>;
  /** Every upgrade is refused until its accounts and instruments are known. */
  readonly orders: { readonly isReady: boolean };
}

/** Handler of the server's `upgrade` event. */
export const upgrades =
  ({ origins, orders }: UpgradeRules, streams: Readonly<Record<string, Upgrade>>): Upgrade =>
  (request, socket, head) => {
    if (origins.isForeign(request)) {
      socket.on('error', () => socket.destroy());
      return answerRaw(socket, 403, refusal([FOREIGN_ORIGIN]));
    }
    if (!orders.isReady) {
      socket.on('error', () => socket.destroy());
      const fault = reject('unavailable', '', `${ENGINE_AWAITED}; try again`);
      return answerRaw(socket, 503, refusal([fault]), { 'Retry-After': '1' });
    }
    const path = pathOf(request.url ?? '');
    const upgrade = Object.hasOwn(streams, path) ? streams[path] : undefined;
    if (upgrade !== undefined) return upgrade(request, socket, head);
    socket.on('error', () => socket.destroy());
    answerRaw(socket, 404, transportFault('no_such_route', 'no such address'));
  };
