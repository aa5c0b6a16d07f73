// Strategy files, parsed in a thread that ends with them.
import { Worker } from 'node:worker_threads';
import { faulty, type Reading } from '../fault.ts';
import { documentOf, type PlainDocument } from '../plain-document.ts';
import type { ReadDocument } from './folder-document.ts';

/** Rejects if the thread fails. The result reads what the thread has read, the holidays of the files too. */
export async function readDocuments(paths: readonly string[]): Promise<ReadDocument> {
  const documents = paths.length === 0 ? new Map() : await parsed(paths);
  return (path) => {
    const reading = documents.get(path);
    if (reading === undefined) {
      return faulty([
        { source: path, field: '', message: 'was not read; it is read at the next change' },
      ]);
    }
    return reading.kind === 'faulty' ? reading : { kind: 'read', value: documentOf(reading.value) };
  };
}

type Documents = ReadonlyMap<string, Reading<PlainDocument>>;

function parsed(paths: readonly string[]): Promise<Documents> {
  const own = import.meta.url;
  const file = new URL(own.endsWith('.ts') ? './document-worker.ts' : './document-worker.js', own);
  const worker = new Worker(file, { workerData: paths });
  return new Promise((resolve, reject) => {
    worker.once('message', (documents: Documents) => resolve(documents));
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`the thread that parses strategy files ended with ${code}`)),
    );
  });
}
