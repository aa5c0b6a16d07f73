// Sends an answer that is JSON text already. What is ASCII throughout is the same bytes in Latin-1 as in UTF-8, and
// Node writes Latin-1 as it is; for UTF-8 it first makes room for three bytes a character.
import type { FastifyReply } from 'fastify';
import { JSON_TYPE } from './envelope.ts';

/** With the headers the reply has so far, as success. */
export function sendJsonText(reply: FastifyReply, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes !== text.length) {
    void reply.type(JSON_TYPE).send(text);
    return;
  }
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': bytes });
  raw.end(text, 'latin1');
}
