// The quick neighbour of the Python client's own tests, which need Python and a while: a change of a schema that forgets the client.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentClient, PYTHON_CLIENT } from './generated-part.ts';

test('the operations and shapes of the Python client are those of the schemas', () => {
  expect(readFileSync(PYTHON_CLIENT, 'utf8')).toBe(currentClient());
});
