// Loaded into a process that stands for a machine of its own: its clock is wrong, and its requests carry its name.
import { subscribe } from 'node:diagnostics_channel';

const { MACHINE_NAME = '', MACHINE_CLOCK_MS = '0' } = process.env;
const offset = Number(MACHINE_CLOCK_MS);

globalThis.Date = new Proxy(Date, {
  construct: (real, args, target) => Reflect.construct(real, args.length > 0 ? args : [real.now() + offset], target),
  apply: (real) => new real(real.now() + offset).toString(),
  get: (real, name) => (name === 'now' ? () => real.now() + offset : Reflect.get(real, name)),
});

subscribe('undici:request:create', ({ request }) => request.addHeader('x-machine', MACHINE_NAME));
