// Lets all pending promises complete: a next-tick callback runs when no promise can continue, and
// costs a quarter of an event-loop turn. Every so often it waits a whole turn, so that other tasks of the process can run.
import process from 'node:process';
import { setImmediate } from 'node:timers';

const TURN_EVERY = 256;
let settled = 0;

export const settle = (): Promise<void> =>
  new Promise((done) => {
    settled += 1;
    if (settled % TURN_EVERY === 0) setImmediate(done);
    else process.nextTick(done);
  });
