// Lets everything that was begun come to rest: what is asked of the next tick runs when no promise can go on any
// more, and costs a quarter of a turn of the event loop. Now and then it is a whole turn, for whoever else lives in it.
import process from 'node:process';

const TURN_EVERY = 256;
let settled = 0;

export const settle = (): Promise<void> =>
  new Promise((done) => {
    settled += 1;
    if (settled % TURN_EVERY === 0) setImmediate(done);
    else process.nextTick(done);
  });
