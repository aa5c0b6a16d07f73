import { instant } from '../../../src/values/instant.ts';
import { MemoryKeptAnswers } from '../../../src/virtual/memory/memory-kept-answers.ts';
import { keptAnswersConformance } from '../../conformance/kept-answers.ts';

keptAnswersConformance(() => {
  let now = instant(0);
  return Promise.resolve({
    kept: new MemoryKeptAnswers(() => now),
    setNow: (at) => {
      now = at;
    },
  });
});
