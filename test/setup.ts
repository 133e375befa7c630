/** Runs before each test file. */
import fc from 'fast-check';

// On a busy machine, a property ends with fewer runs: a failure would say nothing about the code.
fc.configureGlobal({ interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false });
