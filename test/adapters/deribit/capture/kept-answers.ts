// The answers that tests rely on where no source states what Deribit does: one file for each point. They are those of the
// paper exchange until somebody captures them on the test network.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Answer,
  type CapturePoint,
  fileNameOf,
  type Verdict,
} from '../../../../src/adapters/deribit/capture/capture-point.ts';
import { CAPTURE_POINTS } from '../../../../src/adapters/deribit/capture/open-points.ts';
import { must } from '../../../../src/values/assert.ts';

export interface KeptPoint {
  readonly point: CapturePoint;
  /** Where and when it was captured. */
  readonly url: string;
  readonly day: string;
  readonly answers: readonly Answer[];
  /** Of the code as it is now. */
  readonly verdict: Verdict;
  /** The file as it is. */
  readonly text: string;
}

export const KEPT_FOLDER = join(import.meta.dirname, 'answers');

/** By file; @throws Error for a file that is of no point */
export function keptPoints(folder: string): ReadonlyMap<string, KeptPoint> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(files.map((name) => [name, keptPoint(join(folder, name))]));
}

function keptPoint(path: string): KeptPoint {
  const text = readFileSync(path, 'utf8');
  const { url, day, answers } = JSON.parse(text);
  const point = CAPTURE_POINTS.find((one) => fileNameOf(one) === basename(path));
  const known = must(point, `${basename(path)} is of a point that is asked`);
  return { point: known, url, day, answers, text, verdict: known.judge(answers) };
}
