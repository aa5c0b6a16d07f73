// No process that a test starts may log a programming error. Loaded before each file.
import { afterAll, afterEach } from 'vitest';
import { takeProgrammingErrors } from './daemon-logs.ts';

function expectNone(): void {
  const lines = takeProgrammingErrors();
  if (lines.length > 0)
    throw new Error(`a process logged programming errors:\n${lines.join('\n')}`);
}

afterEach(expectNone);
// What is logged while the processes of the file are ended.
afterAll(expectNone);
