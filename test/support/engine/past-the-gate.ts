// Clears requests for tests that call a venue directly; the gate itself is tested elsewhere.
import type { Cleared } from '../../../src/ports/cleared.ts';

export const pastTheGate = <T>(request: T): Cleared<T> => request as Cleared<T>;
