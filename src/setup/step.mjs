// Runs one external command of the set-up. Its output goes to a file, not a pipe, so that it survives the
// death of this process, and it leads its own process group, so that Ctrl-C reaches it only through here.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** @type {Map<number, {name: string, endsWithUs: boolean}>} */
const running = new Map();

/**
 * Resolves with the exit code (or 127 when the program cannot be run) and everything printed.
 * @param {string[]} command program and arguments
 * @param {{name: string, logPath: string, cwd?: string, env?: NodeJS.ProcessEnv, endsWithUs: boolean}} options
 *   endsWithUs: ended when the set-up is abandoned; otherwise it is left to finish
 */
export function runStep(command, { name, logPath, cwd, env, endsWithUs }) {
  const [program, ...args] = command;
  const log = openSync(logPath, 'w');
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    if (child.pid !== undefined) running.set(child.pid, { name, endsWithUs });
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('exit', (code, signal) => {
      running.delete(child.pid);
      const output = readFileSync(logPath, 'utf8');
      resolve({
        code: code ?? 1,
        output: signal === null ? output : `${output}\nended by ${signal}`,
      });
    });
  });
}

/** Ids of the process groups of running steps that end with this set-up. */
export function stepsEndingWithUs() {
  return [...running].filter(([, step]) => step.endsWithUs).map(([pid]) => pid);
}

/**
 * Ends the steps that may be interrupted; returns a phrase about those that continue, for the closing
 * message.
 */
export function abandonSteps() {
  for (const pid of stepsEndingWithUs()) endGroup(pid, 'SIGKILL');
  const left = [...running.values()].filter((step) => !step.endsWithUs).map((step) => step.name);
  return left.length === 0 ? '' : ` (${left.join(', ')} goes on in the background)`;
}

/** Signals a process group; one that has already gone counts as ended. */
export function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
