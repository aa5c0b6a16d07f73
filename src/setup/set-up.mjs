// The slow part of the set-up: installs what is missing, packages and Redis in parallel, under the clone's
// lock. Ctrl-C at any point leaves a state that the next run completes: the stamp is written last.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.mjs';
import { missingParts } from './missing-parts.mjs';
import { installPackages } from './packages.mjs';
import { requirePort } from './port-check.mjs';
import { startProgress } from './progress.mjs';
import { installRedis, redisMeans } from './redis.mjs';
import { abandonSteps, runStep } from './step.mjs';

const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const INSTALLERS = { packages: installPackages, redis: installRedis };

/**
 * Installs every missing part, showing progress on stderr. Ends the process with one clear message if a
 * part cannot be installed.
 */
export async function setUp(invocation) {
  const startedAt = Date.now();
  const progress = startProgress({ plain: invocation.test });
  const abandon = (signal) => {
    progress.stop();
    const left = abandonSteps();
    lock?.release();
    process.stderr.write(`twapd: set-up interrupted; the next run continues it${left}.\n`);
    process.exit(SIGNAL_CODES[signal]);
  };
  for (const signal of Object.keys(SIGNAL_CODES)) process.on(signal, abandon);
  let lock;
  try {
    mkdirSync(invocation.stateFolder, { recursive: true });
    lock = await takeLock(invocation.stateFolder, progress);
    await installMissing({ ...invocation, progress, lock });
  } catch (error) {
    // Unexamined: whatever it is, it is said and ends the set-up.
    fail(error, progress, lock);
  }
  progress.stop();
  lock.release();
  for (const signal of Object.keys(SIGNAL_CODES)) process.off(signal, abandon);
  if (!invocation.quiet) {
    process.stderr.write(
      `twapd: set-up complete in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`,
    );
  }
}

/** Lets every part finish before reporting the first failure: a package manager must not be interrupted. */
async function installMissing(context) {
  const missing = missingParts(context);
  const parts = missing.filter((part) => part in INSTALLERS);
  // What would fail in the end is said at once.
  await requirePort(context);
  if (parts.includes('redis')) await redisMeans(context);
  const outcomes = await Promise.allSettled(parts.map((part) => INSTALLERS[part](context)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  // Needs the packages. Without a page the daemon trades as well.
  if (missing.includes('page')) {
    // Unexamined: it is said, and the next set-up builds it again.
    await context.progress
      .during('building the page', () => build('page', context))
      .catch((error) => process.stderr.write(`twapd: the page is not built: ${error.message}\n`));
  }
  // Without it the sources are run.
  if (missing.includes('program')) {
    // Unexamined: it is said, and the next set-up bundles it again.
    await context.progress
      .during('bundling the program', () => build('program', context))
      .catch((error) =>
        process.stderr.write(`twapd: the program is not bundled: ${error.message}\n`),
      );
  }
}

/** In a process of its own: the bundler leaves one of its own behind, which would stay alongside the daemon. */
async function build(what, { root, stateFolder }) {
  const script = fileURLToPath(new URL(`build-${what}.mjs`, import.meta.url));
  const logPath = join(stateFolder, `${what}.log`);
  const options = { name: `the ${what}`, logPath, cwd: root, endsWithUs: true };
  const { code, output } = await runStep([process.execPath, script], options);
  if (code !== 0) throw new Error(output);
}

function fail(error, progress, lock) {
  progress.stop();
  lock?.release();
  const isRefused = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code);
  const text = isRefused
    ? `the set-up cannot write where it has to: ${error.message}; run it as the owner of the folder, with space left on its disk.`
    : error.name === 'SetUpError'
      ? error.message
      : error.stack;
  process.stderr.write(`twapd: ${text}\n`);
  process.exit(1);
}
