// Opens a link to an engine from the asking end: the connection, and the greeting in which both ends prove themselves. It
// is ended when two pings in a row are not answered.
import { WebSocket } from 'ws';
import { PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import {
  ANSWER_BYTES_MAX,
  type AskingEnd,
  frameOf,
  GreetingFrame,
  PROTOCOL,
  RefusalFrame,
  WelcomeFrame,
} from './link-frames.ts';
import { isProof, newChallenge, proofOf, UNPROVEN } from './link-proof.ts';
import { watchUnproven } from './unproven-connections.ts';

export interface OpenLinkOptions {
  readonly secret: string;
  readonly as: AskingEnd;
  readonly onFault: (error: unknown) => void;
  /** How long a connection may take to open and prove itself. */
  readonly openMs: number;
  readonly pingMs: number;
}

/** Rejects with `PeerUnreached`. */
export function openLink(address: string, options: OpenLinkOptions): Promise<WebSocket> {
  const { openMs, secret, as, onFault, pingMs } = options;
  return new Promise((resolve, reject) => {
    const socket = socketTo(address, openMs);
    const fail = (why: string): void => {
      socket.terminate();
      reject(new PeerUnreached(`${address}: ${why}`));
    };
    const late = setTimeout(() => fail(`no greeting within ${openMs} ms`), openMs);
    const challenge = newChallenge();
    // The end that answers may be a stranger, too.
    let stopCounting = (): void => undefined;
    socket.once('upgrade', ({ socket: connection }) => {
      stopCounting = watchUnproven(connection);
    });
    socket.on('error', (error) => {
      onFault(error);
      fail(error.message);
    });
    socket.once('open', () => socket.send(JSON.stringify({ challenge, as, protocol: PROTOCOL })));
    socket.once('close', () => {
      clearTimeout(late);
      fail('the connection was closed before the greeting');
    });
    socket.once('message', (greeting) => {
      const read = frameOf(GreetingFrame, String(greeting));
      if (read === undefined) return fail(refusalIn(greeting) ?? 'the greeting could not be read');
      const challenges = { asking: challenge, answering: read.challenge, as };
      if (!isProof(read.proof, secret, 'answering', challenges)) {
        onFault(new PeerUnreached(`${address}: ${UNPROVEN}`));
        return fail(UNPROVEN);
      }
      stopCounting();
      socket.once('message', (welcome) => {
        if (frameOf(WelcomeFrame, String(welcome)) === undefined) {
          return fail(refusalIn(welcome) ?? 'it refused');
        }
        clearTimeout(late);
        keepAlive(socket, pingMs);
        resolve(socket);
      });
      socket.send(JSON.stringify({ proof: proofOf(secret, 'asking', challenges) }));
    });
  });
}

/** @throws PeerUnreached if the address is none. */
function socketTo(address: string, openMs: number): WebSocket {
  try {
    return new WebSocket(address, {
      maxPayload: ANSWER_BYTES_MAX,
      perMessageDeflate: false,
      handshakeTimeout: openMs,
      generateMask: unmasked,
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new PeerUnreached(`${address}: ${error.message}`);
  }
}

/** Masking protects proxies from scripts of web pages; both ends of a link are ours, and each byte of it costs time. */
const unmasked = (mask: Buffer): void => void mask.fill(0);

const refusalIn = (message: unknown): string | undefined =>
  frameOf(RefusalFrame, String(message))?.refused;

/** What of a connection is watched. */
export type WatchedSocket = Pick<WebSocket, 'ping' | 'terminate' | 'on' | 'once'>;

/**
 * Ends the connection when a ping is not answered until the next one is due. What came while this process was busy is read
 * before that is decided: on a busy machine it may have stood still for longer than that itself.
 */
export function keepAlive(socket: WatchedSocket, pingMs: number): void {
  let isAlive = true;
  let unread: NodeJS.Immediate | undefined;
  const alive = (): void => {
    isAlive = true;
  };
  const ping = (): void => {
    isAlive = false;
    socket.ping();
  };
  const pings = setInterval(() => {
    if (isAlive) return ping();
    clearImmediate(unread);
    unread = setImmediate(() => (isAlive ? ping() : socket.terminate()));
  }, pingMs);
  socket.on('pong', alive);
  socket.on('message', alive);
  socket.once('close', () => {
    clearInterval(pings);
    clearImmediate(unread);
  });
}
