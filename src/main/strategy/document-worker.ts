// The thread that parses strategy files and the holidays they name: a file in bounds can still take a tenth of a second, in
// which the engine would place no order.
import { dirname, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../values/assert.ts';
import type { Reading } from '../fault.ts';
import { type PlainDocument, plainDocument } from '../plain-document.ts';
import {
  HOLIDAYS_ACCEPTED,
  holidaysOf,
  readFolderDocument,
  STRATEGY_ACCEPTED,
} from './folder-document.ts';

const port = must(parentPort, 'strategy files are parsed in a thread of their own');
const paths = workerData as readonly string[];
const documents = new Map<string, Reading<PlainDocument>>();

function read(path: string, accepted: string): void {
  const { kind, ...reading } = readFolderDocument(path, accepted);
  if (!('value' in reading)) {
    documents.set(path, { kind: 'faulty', faults: reading.faults });
    return;
  }
  documents.set(path, { kind: 'read', value: plainDocument(reading.value) });
  const holidays = accepted === STRATEGY_ACCEPTED ? holidaysOf(reading.value.value) : undefined;
  if (holidays !== undefined) read(resolve(dirname(path), holidays), HOLIDAYS_ACCEPTED);
}

for (const path of paths) read(path, STRATEGY_ACCEPTED);
port.postMessage(documents);
