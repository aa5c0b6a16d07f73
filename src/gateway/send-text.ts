// Sends JSON that is already text, or text and bytes that other answers share.
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type AnswerPieces, bytesOf } from './order-api/method-envelope.ts';
import { JSON_TYPE } from './wire/envelope.ts';

export function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((made: unknown) => String(made))
    .send(text);
}

/** Bypasses the framework, so that bytes shared by many answers are not copied for each of them. */
export function sendPieces(
  reply: FastifyReply,
  pieces: Exclude<AnswerPieces, string>,
): FastifyReply {
  const { raw } = reply.headers({ 'content-type': JSON_TYPE, 'content-length': bytesOf(pieces) });
  reply.hijack();
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  const [before, value, after] = pieces;
  raw.cork();
  raw.write(before);
  raw.write(value);
  raw.end(after);
  raw.uncork();
  return reply;
}
