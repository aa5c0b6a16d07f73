// The answering end of the links between the engines of a deployment. A connection that does not prove within a second
// that it knows the deployment's secret is closed; until then it may send nothing else, and nothing is answered.
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AnswerCall } from '../../ports/deployment/engine-peers.ts';
import { CallFrame, FRAME_BYTES_MAX, frameOf, HelloFrame, ProofFrame } from './link-frames.ts';
import { type Challenges, isProof, newChallenge, proofOf } from './link-proof.ts';

export interface LinkServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly secret: string;
  readonly answer: AnswerCall;
  readonly onFault: (error: unknown) => void;
}

export interface LinkServer {
  /** Where the other engines reach this one. */
  readonly address: string;
  close(): Promise<void>;
}

const PROOF_MS_MAX = 1_000;
/** More than the engines of a deployment; strangers cannot exhaust it for longer than a second. */
const CONNECTIONS_MAX = 256;

export async function openLinkServer(options: LinkServerOptions): Promise<LinkServer> {
  const server = new WebSocketServer({
    ...{ host: options.host, port: options.port, maxPayload: FRAME_BYTES_MAX },
    perMessageDeflate: false,
    verifyClient: () => server.clients.size < CONNECTIONS_MAX,
  });
  await new Promise<void>((done, failed) => {
    server.once('listening', done);
    server.once('error', failed);
  });
  server.on('error', options.onFault);
  server.on('connection', (socket) => greet(socket, options));
  const { port } = server.address() as AddressInfo;
  return {
    address: `ws://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: () => closed(server),
  };
}

function closed(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate();
  return new Promise((done) => {
    server.close(() => done());
  });
}

function greet(socket: WebSocket, options: LinkServerOptions): void {
  const { secret, onFault } = options;
  let challenges: Challenges | undefined;
  const late = setTimeout(() => socket.terminate(), PROOF_MS_MAX);
  socket.once('close', () => clearTimeout(late));
  socket.on('error', onFault);
  const listen = (message: unknown): void => {
    if (challenges === undefined) {
      const hello = frameOf(HelloFrame, String(message));
      if (hello === undefined) return socket.terminate();
      challenges = { asking: hello.challenge, answering: newChallenge() };
      const proof = proofOf(secret, 'answering', challenges);
      return socket.send(JSON.stringify({ challenge: challenges.answering, proof }));
    }
    const shown = frameOf(ProofFrame, String(message));
    if (shown === undefined || !isProof(shown.proof, secret, 'asking', challenges)) {
      onFault(new Error('an engine link without the secret of this deployment was refused'));
      return socket.terminate();
    }
    clearTimeout(late);
    socket.off('message', listen);
    socket.on('message', (call) => void answer(socket, String(call), options));
    socket.send(JSON.stringify({ welcome: true }));
  };
  socket.on('message', listen);
}

/** Calls begin in the order in which they come; their answers leave when they are there. */
async function answer(
  socket: WebSocket,
  message: string,
  { answer: answerOf, onFault }: LinkServerOptions,
): Promise<void> {
  const call = frameOf(CallFrame, message);
  if (call === undefined) {
    onFault(new Error('an engine link sent a message that is no call'));
    return socket.terminate();
  }
  const text = await answerOf({ method: call.method, text: call.text });
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ id: call.id, text }));
}
