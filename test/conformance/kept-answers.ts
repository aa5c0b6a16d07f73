// What every store of first answers keeps.
import { describe, expect, test } from 'vitest';
import type { KeptAnswers } from '../../src/ports/kept-answers.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';

const NOW = instant(1_800_000_000_000);

export interface KeptAnswersStage {
  readonly kept: KeptAnswers;
  setNow(at: Instant): void;
}

/** `open` gives an empty store whose clock is set by the test. */
export function keptAnswersConformance(open: () => Promise<KeptAnswersStage>): void {
  const begin = async (): Promise<KeptAnswersStage> => {
    const stage = await open();
    stage.setNow(NOW);
    return stage;
  };
  const asked = (key: string, digest = 'a', until = later(NOW, 1_000)) => ({ key, digest, until });

  describe('a key', () => {
    test('is had by the first; the same request gets its answer, another nothing', async () => {
      const { kept } = await begin();
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'first' });
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'unanswered' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'other' });
      await kept.keep('k', '{"a":"ü"}');
      expect(await kept.claim(asked('k'))).toEqual({ kind: 'again', answer: '{"a":"ü"}' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'other' });
      expect(await kept.claim(asked('another'))).toEqual({ kind: 'first' });
    });

    test('that is let go is free, one with an answer is not', async () => {
      const { kept } = await begin();
      await kept.claim(asked('k'));
      await kept.letGo('k');
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'first' });
      await kept.keep('k', '1');
      await kept.letGo('k');
      await kept.letGo('nobody');
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'again', answer: '1' });
    });

    test('is free when its time is over, and forgets its answer', async () => {
      const { kept, setNow } = await begin();
      await kept.claim(asked('k'));
      await kept.keep('k', '1');
      setNow(later(NOW, 999));
      expect(await kept.claim(asked('k'))).toMatchObject({ kind: 'again' });
      setNow(later(NOW, 1_000));
      expect(await kept.claim(asked('k', 'b', later(NOW, 5_000)))).toEqual({ kind: 'first' });
      expect(await kept.claim(asked('k', 'b'))).toEqual({ kind: 'unanswered' });
    });

    test('has one first, however many ask at once', async () => {
      const { kept } = await begin();
      const claims = await Promise.all(Array.from({ length: 20 }, () => kept.claim(asked('k'))));
      expect(claims.filter(({ kind }) => kind === 'first')).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind === 'unanswered')).toHaveLength(19);
    });
  });
}
