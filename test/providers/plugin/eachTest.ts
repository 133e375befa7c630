/** A stack and a configured provider for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { openTestStack, type TestStack } from '../testStack.ts';
import { openEngine, type TestEngine } from './client.ts';

/** The stack of the current test. */
export let test: TestStack;
/** The client of the current test. */
export let engine: TestEngine;

/** Opens both before each test of the file, and closes them after it. */
export function openBeforeEachTest(): void {
  beforeEach(async () => {
    [test, engine] = await Promise.all([openTestStack(), openEngine()]);
    await engine.configure(test.settings);
  });
  afterEach(() => Promise.all([engine[Symbol.asyncDispose](), test[Symbol.asyncDispose]()]));
}
