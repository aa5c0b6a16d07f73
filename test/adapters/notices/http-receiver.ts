// A receiver of messages over HTTP on this machine, which answers as a test tells it.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** It never answers. */
  readonly isSilent?: boolean;
}

export interface HttpReceiver {
  readonly url: string;
  readonly received: Received[];
  answer: Answer;
  close(): Promise<void>;
}

export async function httpReceiver(): Promise<HttpReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, body: text = '', headers = {}, isSilent = false } = receiver.answer;
      if (!isSilent) response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: { status: 200, body: '{"ok":true}' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
