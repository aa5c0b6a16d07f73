// Says before anything is installed that the port of the daemon is taken: the start would fail with the same words, after the
// installation. The configuration is not parsed here; where its port cannot be found, the start itself will tell.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { SetUpError } from './set-up-error.mjs';

const CONFIG = 'config/paper.yaml';

/**
 * Throws SetUpError if `start` would listen on a port that another process has.
 * @param {{ root: string, args: readonly string[], env?: NodeJS.ProcessEnv }} invocation
 */
export async function requirePort({ root, args, env = process.env }) {
  if (args[0] !== 'start') return;
  const config = configOf(args, env);
  const { host, port } = listening(readText(join(root, config)) ?? readText(config) ?? '', env);
  if (port === undefined || port === 0 || (await isFree(host, port))) return;
  throw new SetUpError(
    `port ${port} of ${host} is in use by another process; stop that one, or set another port: ` +
      `service.port in ${config}, or TWAPD_PORT. Nothing was installed.`,
  );
}

/** @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
function configOf(args, env) {
  const at = args.findIndex((word) => word === '--config' || word === '-c');
  const joined = args.find((word) => word.startsWith('--config='))?.slice('--config='.length);
  return (at === -1 ? joined : args[at + 1]) ?? env.TWAPD_CONFIG ?? CONFIG;
}

/** @param {string} text @param {NodeJS.ProcessEnv} env */
function listening(text, env) {
  const section =
    /^service:[^\n]*\n((?:[ \t]+[^\n]*\n|[ \t]*#[^\n]*\n|\n)*)/m.exec(text)?.[1] ?? '';
  const port = env.TWAPD_PORT || /^[ \t]{2}port:[ \t]*(\d+)/m.exec(section)?.[1];
  const host = env.TWAPD_HOST || /^[ \t]{2}host:[ \t]*([\w.:-]+)/m.exec(section)?.[1];
  return { host: host ?? '127.0.0.1', port: port === undefined ? undefined : Number(port) };
}

/**
 * Only a port that is taken counts: any other fault is the start's to report.
 * @param {string} host @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(/** @type {any} */ (error).code !== 'EADDRINUSE'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Unexamined: a file that cannot be read names no port.
    return undefined;
  }
}
