// Assertions without chai's proxies, which take more than half of the time of an `expect`. All that they add is an error for the
// name of an assertion that does not exist, and the compiler refuses such a name. Loaded before each file.
import { chai } from 'vitest';

chai.config.useProxy = false;
