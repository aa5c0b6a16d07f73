// Closes a WebSocket with a code and a reason. A close frame holds 123 bytes of reason and `ws` throws above that: a longer
// one, such as a message of the other side, is cut between two characters.
import type { WebSocket } from 'ws';

/** A control frame has 125 bytes, of which the close code takes two. */
const REASON_BYTES_MAX = 123;
const CUT = '…';

export function closeSocket(socket: Pick<WebSocket, 'close'>, code: number, reason: string): void {
  socket.close(code, closeReason(reason));
}

/** The reason as it fits into a close frame. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= REASON_BYTES_MAX) return text;
  let end = REASON_BYTES_MAX - Buffer.byteLength(CUT);
  while (isContinuation(bytes[end])) end -= 1;
  return `${bytes.subarray(0, end).toString()}${CUT}`;
}

/** Inside a character of UTF-8, after its first byte. */
const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;
