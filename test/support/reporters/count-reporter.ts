// Keeps the numbers of tests passed and failed so far in a file, for who may have to stop the run before it is over.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export class CountReporter implements Reporter {
  readonly #file: string;
  #passed = 0;
  #failed = 0;

  constructor(file: string) {
    this.#file = file;
  }

  onTestModuleEnd(module: TestModule): void {
    const before = this.#failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed += 1;
      if (state === 'failed') this.#failed += 1;
    }
    // A file that could not be loaded, or failed in a hook, has no failed test.
    if (module.state() === 'failed' && this.#failed === before) this.#failed += 1;
    writeFileSync(this.#file, JSON.stringify({ passed: this.#passed, failed: this.#failed }));
  }
}
