// A proxy with TLS that signs people in, as a process of its own: it stands for one that speaks OIDC to a provider. Who is signed in is
// what a file says; headers of its own that a client sends are removed. Prints its port once it listens.
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

const [certPath = '', keyPath = '', personPath = '', secret = ''] = process.argv.slice(2);
/** Where it passes requests on to; written after it listens, because the daemon has to know its port. */
const upstreamPath = process.argv[6] ?? '';

const PERSON = 'x-forwarded-user';
const SECRET = 'x-twapd-proxy-secret';

function passedOn({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
  const { [PERSON]: _person, [SECRET]: _secret, ...rest } = headers;
  const person = readFileSync(personPath, 'utf8').trim();
  return {
    ...rest,
    ...(person !== '' && { [PERSON]: person, [SECRET]: secret }),
    'x-forwarded-for': socket.remoteAddress ?? '',
  };
}

const onward = (asked: IncomingMessage) => {
  const { hostname, port } = new URL(readFileSync(upstreamPath, 'utf8').trim());
  const { method, url: path } = asked;
  return request({ hostname, port, method, path, headers: passedOn(asked), agent: false });
};

const server = createServer({ cert: readFileSync(certPath), key: readFileSync(keyPath) });
server.on('request', (asked, answer) => {
  const sent = onward(asked);
  sent.on('response', (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  sent.on('error', () => answer.destroy());
  asked.pipe(sent);
});
server.on('upgrade', (asked, socket, head) => {
  const sent = onward(asked);
  const end = (): void => {
    socket.destroy();
    sent.destroy();
  };
  sent.on('upgrade', (got, upstream, first) => {
    const lines = got.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    if (first.length > 0) socket.write(first);
    if (head.length > 0) upstream.write(head);
    upstream.on('error', end).on('close', end).pipe(socket).pipe(upstream);
  });
  sent.on('response', (got) => {
    socket.end(`HTTP/1.1 ${got.statusCode} Refused\r\nconnection: close\r\n\r\n`);
  });
  sent.on('error', end);
  socket.on('error', end).on('close', end);
  sent.end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
