import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { forRequest, requestInHand } from '../../../src/gateway/http/request-scope.ts';
import type { Asker } from '../../../src/ports/deployment/engine-line.ts';
import { later } from '../../../src/values/instant.ts';

const RFQ = { rid: '1', method: 'private/create_block_rfq' };
const ASKED: Asker = { ...RFQ, uid: '7', scopes: ['blockRfq'] };

describe('the request scope', () => {
  test('the request scope lasts until the answer, across every await', async () => {
    const seen: unknown[] = [];
    await forRequest(ASKED, async () => {
      seen.push(requestInHand());
      await sleep(1);
      seen.push(requestInHand());
    });
    expect(seen).toEqual([RFQ, RFQ]);
    expect(requestInHand()).toBeUndefined();
  });

  test('the request scope does not extend to timers, intervals and emitters created in it', async () => {
    const seen: unknown[] = [];
    const emitter = new EventEmitter();
    const { promise: ticked, resolve } = Promise.withResolvers<void>();
    await forRequest(ASKED, async () => {
      await sleep(1);
      const ticking = setInterval(() => {
        seen.push(requestInHand());
        emitter.emit('tick');
        if (seen.length < 4) return;
        clearInterval(ticking);
        resolve();
      }, 1);
      emitter.on('tick', () => seen.push(requestInHand()));
    });
    await ticked;
    expect(seen).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('the request scope ends after work that threw, and after synchronous work', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const leave = (): void => {
      setImmediate(() => resolve(requestInHand()));
    };
    const failing = forRequest(ASKED, async () => {
      leave();
      await Promise.reject(new Error('refused'));
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await promise).toBeUndefined();
    expect(forRequest(ASKED, requestInHand)).toEqual(RFQ);
  });

  test('the request scope does not extend to a timer of the clock, even while the request awaits it', async () => {
    const clock = new SystemClock();
    const seen = await forRequest(ASKED, async () => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      clock.at(later(clock.now(), 1), () => resolve(requestInHand()));
      const inTimer = await promise;
      return [inTimer, requestInHand()];
    });
    expect(seen).toEqual([undefined, RFQ]);
  });
});
