// Requests for tests that stand where the gate stands: what the gate itself does is tested elsewhere.
import type { Cleared } from '../../../src/ports/cleared.ts';

export const pastTheGate = <T>(request: T): Cleared<T> => request as Cleared<T>;
