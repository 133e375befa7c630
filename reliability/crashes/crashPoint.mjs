/**
 * Loaded before a program (`node --import`): kills it with SIGKILL at one of its boundaries: before or after an operation on a file below
 * CRASH_UNDER or a commit of SQLite, or halfway through a write. With CRASH_COUNT, it lists the boundaries in that file instead.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';

const { CRASH_UNDER: under = '/', CRASH_AT, CRASH_HOW, CRASH_COUNT, CRASH_COMMITS } = process.env;
const target = Number(CRASH_AT ?? 0);
/** Used to write the list and half of the data; these calls are not counted. */
const { appendFileSync, writeSync, openSync } = fs;
let seen = 0;

/** Counts an operation, and kills the process if it is the selected one; `half` does half of it. */
function reached(operation, half) {
  if (CRASH_COUNT !== undefined) appendFileSync(CRASH_COUNT, `${operation}\n`);
  seen += 1;
  if (seen !== target) return false;
  if (CRASH_HOW === 'half') half?.();
  if (CRASH_HOW !== 'after') end();
  return true;
}

function end() {
  process.kill(process.pid, 'SIGKILL');
}

function isOurs(path) {
  return typeof path === 'string' && resolve(path).startsWith(under);
}

function halfOf(data) {
  const bytes = ArrayBuffer.isView(data) ? data : Buffer.from(String(data));
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** Watches a function that returns a promise; `half` gets the same arguments. */
function watchPromise(on, name, concerns, half) {
  const original = on[name];
  on[name] = async function watched(...given) {
    if (!concerns.call(this, ...given)) return original.apply(this, given);
    const isLast = reached(name, () => half?.call(this, ...given));
    try {
      return await original.apply(this, given);
    } finally {
      if (isLast) end();
    }
  };
}

/** Watches a function whose last argument is a callback. */
function watchCallback(name, concerns, half) {
  const original = fs[name];
  fs[name] = (...given) => {
    if (!concerns(...given)) return original(...given);
    const isLast = reached(name, () => half?.(...given));
    const done = given.pop();
    return original(...given, (...answer) => {
      if (isLast) end();
      done(...answer);
    });
  };
}

const { O_WRONLY, O_RDWR } = fs.constants;
const writes = (flags) => (typeof flags === 'string' ? /[wa+]/.test(flags) : (flags & (O_WRONLY | O_RDWR)) !== 0);
const handles = new WeakSet();
const descriptors = new Set();

const { promises } = fs;
const openHandle = promises.open;
promises.open = async (path, flags = 'r', ...rest) => {
  if (!isOurs(path) || !writes(flags)) return openHandle(path, flags, ...rest);
  const isLast = reached('open');
  const handle = await openHandle(path, flags, ...rest).finally(() => isLast && end());
  handles.add(handle);
  return handle;
};
for (const name of ['mkdir', 'rename', 'rm', 'unlink']) watchPromise(promises, name, isOurs);
for (const name of ['appendFile', 'writeFile'])
  watchPromise(promises, name, isOurs, (path, data) => {
    writeSync(openSync(path, name === 'appendFile' ? 'a' : 'w'), halfOf(data));
  });

const probe = await openHandle(join(import.meta.dirname, 'crashPoint.mjs'));
const prototype = Object.getPrototypeOf(probe);
await probe.close();
function isOfOurs() {
  return handles.has(this);
}
for (const name of ['appendFile', 'writeFile', 'write'])
  watchPromise(prototype, name, isOfOurs, function half(data) {
    writeSync(this.fd, halfOf(data));
  });
for (const name of ['sync', 'datasync', 'truncate']) watchPromise(prototype, name, isOfOurs);

const openDescriptor = fs.open;
fs.open = (path, flags, ...rest) => {
  if (!isOurs(path) || !writes(flags)) return openDescriptor(path, flags, ...rest);
  const isLast = reached('open');
  const done = rest.pop();
  return openDescriptor(path, flags, ...rest, (error, descriptor) => {
    if (isLast) end();
    if (!error) descriptors.add(descriptor);
    done(error, descriptor);
  });
};
const isOpen = (descriptor) => descriptors.has(descriptor);
watchCallback('write', isOpen, (descriptor, data) => writeSync(descriptor, halfOf(data)));
watchCallback('fsync', isOpen);
watchCallback('rename', isOurs);
const closeDescriptor = fs.close;
fs.close = (descriptor, ...rest) => {
  descriptors.delete(descriptor);
  return closeDescriptor(descriptor, ...rest);
};

if (CRASH_COMMITS !== undefined) {
  const { DatabaseSync } = await import('node:sqlite');
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function watched(sql) {
    if (sql !== 'COMMIT') return exec.call(this, sql);
    const isLast = reached(sql);
    exec.call(this, sql);
    if (isLast) end();
  };
}
syncBuiltinESMExports();
