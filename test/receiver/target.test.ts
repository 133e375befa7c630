/** Names from outside: whatever a URL says, its delivery stays below the folder, and two names stay two. */
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameOf, safeName, targetOf } from '../../src/receiver/target.ts';

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('..', '.', '%2e%2e', '%2f', '%00', '\\', '..%5c', '%zz', 'received.jsonl', '.receiving', '-rf', '//'),
  fc.string({ minLength: 100, maxLength: 300 }),
);

describe('the place of a delivery', () => {
  it('is below the folder, with names that are short and not hidden, or it is refused', () => {
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 10 }), nasty, (parts, run) => {
        const target = foundTarget(`/${parts.join('/')}?run=${encodeURIComponent(run.toWellFormed())}`);
        if (target === undefined) return;
        const { folders, label } = target;
        const names = [...folders, fileNameOf(label, 'f'.repeat(64), 'notification.json')];
        expect(join('/kept', ...names)).toBe(['/kept', ...names].join(sep));
        for (const name of names) expect(name).toMatch(/^[\w][\w.-]{0,254}$/);
        expect(folders).not.toContain('received.jsonl');
      }),
    );
  });

  it('keeps names apart that only differ in what is not allowed', () => {
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        fc.pre(one.toWellFormed() !== other.toWellFormed());
        expect(safeName(one)).not.toBe(safeName(other));
      }),
    );
  });

  it('is as safe where nothing is left of a name', () => {
    expect(safeName('')).toMatch(/^_-\w{8}$/);
  });

  it.each([
    ['/acme/results', ['acme', 'results']],
    ['/acme.example/prices-2_b/', ['acme.example', 'prices-2_b']],
    ['/', []],
    ['//acme', ['acme']],
    ['/../../etc', ['etc']],
    ['http://elsewhere.example.com/acme', ['acme']],
  ])('of %s is as it was written', (url, folders) => {
    expect(targetOf(url).folders).toEqual(folders);
  });

  const [tick, run] = ['2026-03-01T02-00-00Z', 'r_5f0c2a9d1e7b3c4d8a6f'];

  it.each([
    [`/acme/nightly/${tick}/${run}`, ['acme', 'nightly'], run, [tick, run]],
    [`/acme/nightly/${tick}.${run}`, ['acme', 'nightly'], run, [`${tick}.${run}`]],
    [`/acme/${run}`, ['acme'], run, [run]],
    [`/acme?tick=${tick}&run=${run}`, ['acme'], run, [tick, run]],
    [`/acme?run=j_1`, ['acme'], 'j_1', ['j_1']],
    ['/acme/results', ['acme', 'results'], undefined, []],
  ])('of %s names the tick and the run', (url, folders, id, label) => {
    expect(targetOf(url)).toMatchObject({ folders, run: id, label });
  });
});

function foundTarget(url: string): ReturnType<typeof targetOf> | undefined {
  try {
    return targetOf(url);
  } catch {
    return undefined;
  }
}
