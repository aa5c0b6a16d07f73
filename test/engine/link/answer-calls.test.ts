// What other daemons can call, and how a call that cannot be carried out is answered.

import { describe, expect, test } from 'vitest';
import { answerCalls } from '../../../src/engine/link/answer-calls.ts';
import { argsText, resultOf } from '../../../src/engine/link/call-codec.ts';
import { type AnswerCall, PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';
import { accountId } from '../../../src/values/ids.ts';
import { lonePeer } from '../../doubles/lone-api.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { CANCELS, CHANGES, LOCAL_READS, OF, READS, stage, TRADES } from './owned-methods.ts';

describe('calls of other daemons', () => {
  const asked = async (answer: AnswerCall, method: string, text: string): Promise<unknown> => {
    const answered = await answer({ method, text });
    try {
      return resultOf(answered);
    } catch (error) {
      return error;
    }
  };

  test('a method that is not passed between daemons counts as not reached, and nothing is called', async () => {
    const { there } = stage();
    const answer = answerCalls({ ...there, ...lonePeer() });
    const names = LOCAL_READS.map(({ method }) => method);
    for (const method of nonEmpty([
      ...names,
      'orders.',
      '',
      'toString',
      'portfolios.constructor',
    ])) {
      expect(await asked(answer, method, '[]'), method).toMatchObject({
        name: 'PeerUnreached',
        message: expect.stringContaining('is not passed between daemons'),
      });
    }
    expect(there.made).toEqual([]);
  });

  test('a malformed text counts as not reached, and nothing is called', async () => {
    const { there } = stage();
    const answer = answerCalls({ ...there, ...lonePeer() });
    for (const text of nonEmpty([
      '',
      '{',
      '[',
      'null',
      '{}',
      '[{"price":"$done"}]',
      '["$n1.5"]',
      '["$x1"]',
    ])) {
      for (const { method } of [...CHANGES, ...READS]) {
        expect(await asked(answer, method, text), `${method} ${text}`).toBeInstanceOf(
          PeerUnreached,
        );
      }
    }
    expect(there.made).toEqual([]);
  });

  test('an account that sends no orders there counts as not reached', async () => {
    const { there } = stage();
    const answer = answerCalls({ ...there, ...lonePeer() });
    const account = accountId('20001');
    const desks = [...TRADES, ...CANCELS, ...READS].filter(
      ({ method }) => !method.startsWith('mmp'),
    );
    for (const { method } of nonEmpty(desks)) {
      const failure = await asked(answer, method, argsText([{ ...OF, account }]));
      expect(failure, method).toMatchObject({
        name: 'PeerUnreached',
        message: expect.stringContaining('20001'),
      });
    }
    expect(there.made).toEqual([]);
  });

  test('arguments that name no account count as not reached, and nothing is called', async () => {
    const { there } = stage();
    const answer = answerCalls({ ...there, ...lonePeer() });
    for (const { method } of nonEmpty([...TRADES, ...CANCELS, ...READS])) {
      for (const args of [[], [null], [{}], [{ account: 7 }], [7]]) {
        const failure = await asked(answer, method, argsText(args));
        expect(failure, method).toMatchObject({
          name: 'PeerUnreached',
          message: `${method} names no account`,
        });
      }
    }
    expect(there.made).toEqual([]);
  });
});
