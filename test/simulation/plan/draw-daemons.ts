// Draws the daemons of a run: how many, their clocks, when they end, and what an operator changes between two lives.
import type { Settings } from '../../../src/core/terms/settings.ts';
import type { Rng } from '../../../src/values/rng.ts';
import type { Margins } from '../checks/bounds.ts';
import { chance, pick } from './pick.ts';
import type { DaemonPlan, Size } from './plan.ts';

/** Mostly at the edge of what is allowed, where a margin that is too small shows. */
export function offset(draw: Rng, { skewMs }: Margins): number {
  const most = skewMs / 2;
  const kind = draw.below(5);
  if (kind === 0) return 0;
  if (kind < 3) return -most;
  return kind === 3 ? most : draw.below(skewMs + 1) - most;
}

export function drawDaemons(
  draw: Rng,
  { profile, margins }: { readonly profile: Size; readonly margins: Margins },
): readonly DaemonPlan[] {
  const count = profile === 'cheap' ? pick(draw, [1, 1, 2]) : pick(draw, [1, 2, 2, 3]);
  const dies = chance(draw, 0.5);
  return Array.from({ length: count }, () => ({
    offsetMs: offset(draw, margins),
    crashes: dies ? drawCrashes(draw, profile === 'cheap' ? 60 : 150) : [],
    restMs: 50 + draw.below(3_000),
    settings: chance(draw, 0.2) ? [{}, drawSettings(draw)] : [],
  }));
}

function drawCrashes(draw: Rng, within: number): readonly number[] {
  const lives = 1 + draw.below(3);
  return Array.from({ length: lives }, () => 1 + draw.below(within));
}

/** What an operator may have changed before starting a daemon again. */
function drawSettings(draw: Rng): Partial<Settings> {
  return {
    validForMs: 700 + 100 * draw.below(8),
    retryMs: 200 + 100 * draw.below(5),
    cancelRetryMs: 400 + 100 * draw.below(6),
    attemptsMax: 3 + draw.below(5),
  };
}
