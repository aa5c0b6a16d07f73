// The messages of a link between two engines: the greeting of both ends, then numbered calls and their answers.
import { z } from 'zod';

/** Longest message; a submit of the largest portfolio is a fraction of it. */
export const FRAME_BYTES_MAX = 4 * 1024 * 1024;

const text = z.string().max(FRAME_BYTES_MAX);
const short = z.string().min(1).max(128);

/** The asking end greets first. */
export const HelloFrame = z.object({ challenge: short });
/** The answering end proves itself and challenges in turn. */
export const GreetingFrame = z.object({ challenge: short, proof: short });
export const ProofFrame = z.object({ proof: short });
export const WelcomeFrame = z.object({ welcome: z.literal(true) });
export const CallFrame = z.object({ id: z.int().positive(), method: short, text });
export const AnswerFrame = z.object({ id: z.int().positive(), text });

/** The frame, or `undefined` if the message is not one of this shape. */
export function frameOf<T>(shape: z.ZodType<T>, message: string): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  const read = shape.safeParse(value);
  return read.success ? read.data : undefined;
}
