// Contract of every idempotency store.
import { describe, expect, test } from 'vitest';
import type { KeptAnswers } from '../../src/ports/kept-answers.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from './refusals.ts';

const NOW = instant(1_800_000_000_000);

export interface KeptAnswersStage {
  readonly kept: KeptAnswers;
  setNow(at: Instant): void;
}

/** `open` returns an empty store whose clock is set by the test. */
export function keptAnswersConformance(open: () => Promise<KeptAnswersStage>): void {
  const begin = async (): Promise<KeptAnswersStage> => {
    const stage = await open();
    stage.setNow(NOW);
    return stage;
  };
  const asked = (key: string, digest = 'a', until = later(NOW, 1_000)) => ({ key, digest, until });

  describe('an idempotency key', () => {
    test('the first request claims the key, its repeat gets the stored answer, and a different request gets neither', async () => {
      const { kept } = await begin();
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'first' });
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'unanswered' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'other' });
      await kept.keep('k', '{"a":"ü"}');
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'again', answer: '{"a":"ü"}' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'other' });
      expect(await kept.claim(asked('another'))).toEqual({ kind: 'first' });
    });

    test('a released key is free, and a key with an answer cannot be released', async () => {
      const { kept } = await begin();
      await kept.claim(asked('k'));
      await kept.release('k');
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'first' });
      await kept.keep('k', '1');
      await kept.release('k');
      await kept.release('nobody');
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'again', answer: '1' });
    });

    test('a key is free after its lifetime, and its answer is deleted', async () => {
      const { kept, setNow } = await begin();
      await kept.claim(asked('k'));
      await kept.keep('k', '1');
      setNow(later(NOW, 999));
      expect(await kept.claim(asked('k'))).toMatchObject({ kind: 'again' });
      setNow(later(NOW, 1_000));
      expect(await kept.claim(asked('k', 'b', later(NOW, 5_000)))).toEqual({ kind: 'first' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'unanswered' });
    });

    test('only one of many concurrent requests claims the key', async () => {
      const { kept } = await begin();
      const claims = await Promise.all(Array.from({ length: 20 }, () => kept.claim(asked('k'))));
      expect(claims.filter(({ kind }) => kind === 'first')).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind === 'unanswered')).toHaveLength(19);
    });

    test('an answer is replaced by a later one, also by an empty one, and is kept for no key that was not claimed', async () => {
      const { kept } = await begin();
      await kept.keep('k', 'early');
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'first' });
      await kept.keep('k', '1');
      await kept.keep('k', '');
      await kept.release('k');
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'again', answer: '' });
    });

    test('a claim that has ended already is replaced by the next', async () => {
      const { kept } = await begin();
      expect(await kept.claim(asked('k', 'a', NOW))).toEqual({ kind: 'first' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'first' });
      expect(await kept.claim(asked('k', 'a'))).toEqual({ kind: 'other' });
    });

    test('text with a NUL character is refused, and leaves keys and answers as they were', async () => {
      const { kept } = await begin();
      await kept.claim(asked('k'));
      await expectRefused({
        key: () => kept.claim(asked(NUL_TEXT)),
        digest: () => kept.claim(asked('other', NUL_TEXT)),
        answer: () => kept.keep('k', NUL_TEXT),
        keep: () => kept.keep(NUL_TEXT, '1'),
        release: () => kept.release(NUL_TEXT),
      });
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'unanswered' });
      expect(await kept.claim(asked('other'))).toEqual({ kind: 'first' });
    });
  });
}
