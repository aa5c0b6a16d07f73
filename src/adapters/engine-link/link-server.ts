// The answering end of the links to an engine: other engines pass calls to it and follow notices, gateways call and follow its interface. A
// connection that is silent for five seconds before it has proved that it knows the deployment's secret is closed; until then it
// may send nothing else, and nothing is answered. Strangers have few places and bytes, and none of the places of the others.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServeLine } from '../../ports/deployment/engine-line.ts';
import type { AnswerCall, AnswerFollow } from '../../ports/deployment/engine-peers.ts';
import { FrameBatch } from './frame-batch.ts';
import {
  type AskingEnd,
  CALL_BYTES_MAX,
  frameOf,
  framesOf,
  HelloFrame,
  type LinkFrame,
  PROTOCOL,
  ProofFrame,
} from './link-frames.ts';
import { type Challenges, isProof, newChallenge, proofOf, UNPROVEN } from './link-proof.ts';
import { UnprovenConnections, watchUnproven } from './unproven-connections.ts';

export interface LinkServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly secret: string;
  /** Answers other engines. */
  readonly answer: AnswerCall;
  /** Notifies other engines; absent: of nothing. */
  readonly notify?: AnswerFollow | undefined;
  /** Serves gateways; absent: they are refused. */
  readonly gateways?: (() => ServeLine | undefined) | undefined;
  readonly onFault: (error: unknown) => void;
}

export interface LinkServer {
  /** Where the other engines reach this one. */
  readonly address: string;
  close(): Promise<void>;
}

/** For each of the two messages of the asking end: on a busy machine it may still be loading its code. */
const SILENT_MS_MAX = 5_000;
const CHECK_MS = 1_000;
/** More than the engines and gateways of a deployment. Strangers have places of their own. */
const LINKS_MAX = 256;
const HEADER_BYTES_MAX = 4 * 1024;
/** A gateway that does not read what it follows is cut off here; it begins again. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
const FOLLOWED_MAX = 20_000;

export async function openLinkServer(options: LinkServerOptions): Promise<LinkServer> {
  const http = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: SILENT_MS_MAX,
      requestTimeout: SILENT_MS_MAX,
      connectionsCheckingInterval: CHECK_MS,
    },
    // Only links are served here.
    (_request, response) => void response.writeHead(426, { connection: 'close' }).end(),
  );
  const unproven = new UnprovenConnections();
  const connections = new Set<Socket>();
  http.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    unproven.admit(connection);
  });
  const server = new WebSocketServer({
    server: http,
    maxPayload: CALL_BYTES_MAX,
    perMessageDeflate: false,
  });
  await new Promise<void>((done, failed) => {
    http.once('listening', done);
    http.once('error', failed);
    http.listen(options.port, options.host);
  });
  server.on('error', options.onFault);
  const links = new Set<WebSocket>();
  server.on('connection', (socket, { socket: connection }) =>
    greet(socket, { connection, unproven, links }, options),
  );
  const { port } = http.address() as AddressInfo;
  return {
    address: `ws://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: () => closed(http, connections),
  };
}

function closed(http: Server, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((done) => {
    http.close(() => done());
    for (const connection of connections) connection.destroy();
  });
}

interface Stranger {
  readonly connection: Socket;
  readonly unproven: UnprovenConnections;
  /** Those that have proved themselves. */
  readonly links: Set<WebSocket>;
}

function greet(
  socket: WebSocket,
  { connection, unproven, links }: Stranger,
  options: LinkServerOptions,
): void {
  const { secret, onFault } = options;
  let challenges: Challenges | undefined;
  const stopCounting = watchUnproven(connection);
  const stopWaiting = endIfSilent(socket);
  socket.once('close', stopWaiting);
  socket.on('error', onFault);
  const refuse = (refused: string): void => {
    socket.send(JSON.stringify({ refused }));
    socket.close();
  };
  const listen = (message: unknown): void => {
    if (challenges === undefined) {
      const hello = frameOf(HelloFrame, String(message));
      if (hello === undefined) return socket.terminate();
      if (hello.protocol !== PROTOCOL) {
        return refuse(`speaks protocol ${hello.protocol}; accepted: ${PROTOCOL}, the same version`);
      }
      challenges = { asking: hello.challenge, answering: newChallenge(), as: hello.as };
      const proof = proofOf(secret, 'answering', challenges);
      return socket.send(JSON.stringify({ challenge: challenges.answering, proof }));
    }
    const shown = frameOf(ProofFrame, String(message));
    if (shown === undefined || !isProof(shown.proof, secret, 'asking', challenges)) {
      onFault(new Error(`an end that asked for a link was refused: ${UNPROVEN}`));
      return socket.terminate();
    }
    stopWaiting();
    stopCounting();
    unproven.proved(connection);
    socket.off('message', listen);
    if (links.size >= LINKS_MAX) return refuse(`serves ${LINKS_MAX} links already`);
    links.add(socket);
    socket.once('close', () => links.delete(socket));
    const serving = servingFor(challenges.as, options);
    if (serving === undefined) return refuse('that engine does not serve gateways yet');
    socket.send(JSON.stringify({ welcome: true }));
    serve(socket, serving, onFault);
  };
  socket.on('message', listen);
}

/**
 * Ends the connection when a message of it does not come in time. What came while this process was busy, as an engine that
 * has just started is, is read before that is decided.
 */
function endIfSilent(socket: WebSocket): () => void {
  let unread: NodeJS.Immediate | undefined;
  const late = setTimeout(() => {
    unread = setImmediate(() => socket.terminate());
  }, SILENT_MS_MAX);
  const heard = (): void => {
    clearImmediate(unread);
    late.refresh();
  };
  socket.on('message', heard);
  return () => {
    socket.off('message', heard);
    clearImmediate(unread);
    clearTimeout(late);
  };
}

const NO_NOTICES: AnswerFollow = () => () => undefined;

function servingFor(
  as: AskingEnd,
  { answer, notify = NO_NOTICES, gateways }: LinkServerOptions,
): ServeLine | undefined {
  return as === 'gateway' ? gateways?.() : { call: answer, follow: notify };
}

/** Calls begin in the order in which they come; their answers leave when they are there. */
function serve(socket: WebSocket, serving: ServeLine, onFault: (error: unknown) => void): void {
  const out = new FrameBatch(socket);
  const leaves = new Map<number, () => void>();
  const send = (frame: LinkFrame): void => {
    if (socket.readyState !== socket.OPEN) return;
    out.send(frame);
    if (out.waiting > WAITING_BYTES_MAX) {
      onFault(new Error('a link was cut off: the other end does not read'));
      socket.terminate();
    }
  };
  const receive = (frame: LinkFrame): void => {
    const { id } = frame;
    switch (frame.kind) {
      case 'call':
        void serving.call(frame).then((text) => send({ kind: 'answer', id, text }));
        return;
      case 'follow':
        if (leaves.size >= FOLLOWED_MAX || leaves.has(id)) return socket.terminate();
        leaves.set(
          id,
          serving.follow(frame, (text) => send({ kind: 'notice', id, text })),
        );
        return;
      case 'leave':
        leaves.get(id)?.();
        leaves.delete(id);
        return;
      default:
        socket.terminate();
    }
  };
  socket.on('message', (message) => {
    const frames = framesOf(String(message));
    if (frames === undefined) {
      onFault(new Error('an engine link sent a message that cannot be read'));
      return socket.terminate();
    }
    for (const frame of frames) receive(frame);
  });
  socket.once('close', () => {
    for (const leave of leaves.values()) leave();
    leaves.clear();
  });
}
