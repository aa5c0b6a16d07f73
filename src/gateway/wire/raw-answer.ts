// Answers written directly to a socket: if HTTP itself is broken or an upgrade is refused, there is no reply
// object.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Envelope, transportFault } from './envelope.ts';

/** How long a client has to read the answer and close its end of the connection. */
const LINGER_MS = 1_000;

/** Sends one JSON answer and ends the connection, also if the client keeps its own end open. */
export function answerRaw(
  socket: Duplex,
  status: number,
  body: Envelope,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerRawText(socket, status, JSON.stringify(body), headers);
}

/** Same as {@link answerRaw}, for JSON text. */
export function answerRawText(
  socket: Duplex,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  lingering.unref();
  socket.once('close', () => clearTimeout(lingering));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
}

/** Answers requests that Node's HTTP parser refuses. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
  } else if (error.code === 'HPE_HEADER_OVERFLOW') {
    answerRaw(socket, 431, transportFault('headers_too_large', 'the headers are too large'));
  } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    answerRaw(socket, 408, transportFault('timed_out', 'the request took too long to arrive'));
  } else {
    answerRaw(socket, 400, transportFault('malformed', 'this is not HTTP'));
  }
}
