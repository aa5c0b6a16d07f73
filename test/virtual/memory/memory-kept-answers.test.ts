import { instant } from '../../../src/values/instant.ts';
import { keptAnswersConformance } from '../../conformance/kept-answers.ts';
import { MemoryKeptAnswers } from '../../doubles/memory/memory-kept-answers.ts';

keptAnswersConformance(() => {
  let now = instant(0);
  return Promise.resolve({
    kept: new MemoryKeptAnswers(() => now),
    setNow: (at) => {
      now = at;
    },
  });
});
