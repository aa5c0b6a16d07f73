// Whether a portfolio is shown next to the blotter: where both fit without cutting names of products, unless it was enlarged.
import { computed, signal } from '@preact/signals';
import { shownPortfolio } from './route.ts';

const ROOMY = matchMedia('(min-width: 1360px)');

const isRoomy = signal(ROOMY.matches);
ROOMY.addEventListener('change', ({ matches }) => {
  isRoomy.value = matches;
});

/** It has the whole screen although there is room for both. */
export const isEnlarged = signal(false);

export const mayBeBeside = computed(() => isRoomy.value);

export const isBeside = computed(
  () => shownPortfolio.value !== undefined && isRoomy.value && !isEnlarged.value,
);
