// Reads the file that a command submits or plans; a failure lists every fault.
import type { PortfolioBody } from '../../gateway/client/client.ts';
import { readSubmitFile, type Submission } from '../strategy/strategy-file.ts';
import { fromCaller } from './caller-path.ts';
import { readOrFail } from './files.ts';

export interface FileSubmission extends Omit<Submission, 'body'> {
  readonly body: PortfolioBody;
}

/** The submit body of a strategy file, or of a file that is only a body, with the schedule the file gives for it. */
export const readSubmission = (path: string): FileSubmission =>
  readOrFail(readSubmitFile(fromCaller(path))) as FileSubmission;
