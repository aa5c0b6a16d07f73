// Creates a folder with those above it.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Folder by folder: the recursive `mkdirSync` of Node.js never returns below `/proc`, where nothing can be created.
 *
 * @throws the error of the file system
 */
export function createFolder(path: string, mode = 0o755): void {
  if (existsSync(path)) return;
  createFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
