// A WebSocket client that only parses frame headers over a bare socket, so that a bench with a thousand of them
// measures the gateway and not its listeners.
import { connect, type Socket } from 'node:net';
import { FrameWalk } from './frame-walk.ts';

const HEAD_END = '\r\n\r\n';
/** Each read is parsed at once, so one buffer is enough for all. */
const READ = Buffer.alloc(256 * 1_024);

export interface Listening {
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Frames sent as soon as the connection is open. */
  readonly first: readonly string[];
  readonly receive: (frame: Buffer) => void;
}

export function bareListener({ port, path, first, receive }: Listening): Socket {
  const walk = new FrameWalk(receive);
  let head: string | undefined = '';
  const callback = (count: number): boolean => {
    const bytes = READ.subarray(0, count);
    if (head === undefined) {
      walk.take(bytes);
      return true;
    }
    head += bytes.toString('latin1');
    const end = head.indexOf(HEAD_END);
    if (end < 0) return true;
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(head);
    walk.take(Buffer.from(head.slice(end + HEAD_END.length), 'latin1'));
    head = undefined;
    for (const frame of first) socket.write(masked(frame));
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: READ, callback } });
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.from('listener of a be').toString('base64')}`,
  ];
  socket.write(`${lines.join('\r\n')}${HEAD_END}`);
  return socket;
}

/** Client frames must be masked (RFC 6455, 5.3); a mask of zeros leaves the text unchanged. */
function masked(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 125) throw new Error('a frame of a listener has at most 125 bytes');
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}
