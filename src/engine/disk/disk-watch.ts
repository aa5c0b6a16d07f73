// Samples the free space and inodes of the disks of the folders that this daemon writes to. Below bounds it is a reason not to be ready, and new
// portfolios are refused; what ends or slows execution, such as cancels and pauses, never is.
import {
  type DiskSpace,
  enoughText,
  type FolderSpace,
  isAtLeast,
  nextSpaceLevel,
  type SpaceLevel,
  spaceText,
} from '../../core/disk/disk-space.ts';
import { type Rejection, reject } from '../../core/rejection.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import { PeriodicTask } from '../../lifetime/periodic-task.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SpaceReading, SpaceReads } from '../../ports/disk/space-reads.ts';
import type { Observer } from '../../ports/observer.ts';

export interface WatchedFolder {
  /** Label of its metrics, such as `data`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Execution depends on it; of the others, space is reported only. */
  readonly isVital: boolean;
}

export interface DiskWatchOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly reads: SpaceReads;
  readonly folders: readonly WatchedFolder[];
}

interface Disk {
  readonly level: SpaceLevel;
  readonly space: DiskSpace;
  readonly folders: readonly WatchedFolder[];
}

const EVERY_MS = 2_000;
const REFUSED_SEC = 30;

export class DiskWatch implements Lifetime {
  readonly #options: DiskWatchOptions;
  readonly #samples: PeriodicTask;
  /** Those that answered at the last sample: of the others, nothing is known. */
  #disks: ReadonlyMap<string, Disk> = new Map();

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    const { clock, observer } = options;
    this.#samples = new PeriodicTask({
      clock,
      observer,
      everyMs: EVERY_MS,
      where: 'disk',
      what: () => this.sample(),
    });
  }

  async start(): Promise<void> {
    await this.sample();
    await this.#samples.start();
  }

  drain(): Promise<void> {
    return this.#samples.drain();
  }

  stop(): void {
    this.#samples.stop();
  }

  async sample(): Promise<void> {
    const before = this.#disks;
    const found = new Map<string, Disk>();
    for (const { folder, reading } of await this.#readings()) {
      const known = found.get(reading.disk);
      const level = nextSpaceLevel(before.get(reading.disk)?.level ?? 'ample', reading);
      const { disk: _disk, ...space } = reading;
      found.set(reading.disk, { level, space, folders: [...(known?.folders ?? []), folder] });
    }
    this.#disks = found;
    for (const [id, { level, space, folders }] of found) {
      const was = before.get(id)?.level ?? 'ample';
      if (level === was) continue;
      const paths = folders.map(({ path }) => path);
      this.#options.observer.observe({
        event: 'disk_space_changed',
        paths,
        space,
        before: was,
        level,
      });
    }
  }

  /** Of each folder, as of the last sample; those that could not be read are missing. */
  spaces(): readonly FolderSpace[] {
    return [...this.#disks.values()].flatMap(({ folders, space }) =>
      folders.map(({ name }) => ({ name, space })),
    );
  }

  reasonsNotReady(): readonly string[] {
    return this.#vital('critical').map(({ folders, space }) => {
      const paths = folders.map(({ path }) => path).join(', ');
      return `disk: ${paths}: ${spaceText(space)}; free some, or enlarge the disk`;
    });
  }

  /** Why a new portfolio is refused; `undefined`: it is not for lack of space. */
  refusal(): Rejection | undefined {
    const [disk] = this.#vital('exhausted');
    if (disk === undefined) return undefined;
    const { space, folders } = disk;
    const enough = enoughText('exhausted', space);
    const message =
      `the disk of ${folders[0]?.path} has ${spaceText(space)}, which portfolios at work need; nothing was done; ` +
      `accepted: the same request once ${enough} are free there`;
    return { ...reject('unavailable', '', message), retryAfterSec: REFUSED_SEC };
  }

  #vital(level: SpaceLevel): readonly Disk[] {
    return [...this.#disks.values()].filter(
      (disk) => isAtLeast(disk.level, level) && disk.folders.some(({ isVital }) => isVital),
    );
  }

  async #readings(): Promise<
    readonly { readonly folder: WatchedFolder; readonly reading: SpaceReading }[]
  > {
    const { folders, reads, observer } = this.#options;
    const all = folders.map(async (folder) => {
      try {
        return [{ folder, reading: await reads.read(folder.path) }];
      } catch (error) {
        observer.observe({ event: 'failed', where: 'disk', error });
        return [];
      }
    });
    return (await Promise.all(all)).flat();
  }
}

/** Where free space is not watched: nothing is refused for lack of it. */
export const AMPLE_DISK: Pick<DiskWatch, 'refusal'> = { refusal: () => undefined };
