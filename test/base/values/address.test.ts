import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/base/values/address.ts';

describe('the address of a store', () => {
  it.each([
    '.webdata',
    'runs/acme',
    'my folder/runs.db',
    './a:b=c',
    '.',
    '..',
    '/var/lib/webdata/ledger.db',
    '/srv/a b=c/x',
    'C:\\webdata\\ledger.db',
    'backup~',
  ])('%s is a path', (text) => {
    expect(parseAddress(text)).toEqual({ kind: 'path', path: text });
  });

  it.each([
    ['postgres://u:p@db/x', 'postgres', 'postgres://u:p@db/x'],
    ['POSTGRES://u:P@db/X', 'postgres', 'postgres://u:P@db/X'],
    ['s3://bucket/prefix', 's3', 's3://bucket/prefix'],
    ['jdbc+postgresql://db/x', 'jdbc+postgresql', 'jdbc+postgresql://db/x'],
  ])('%s names a server', (text, scheme, url) => {
    expect(parseAddress(text)).toEqual({ kind: 'server', scheme, url });
  });

  it.each([
    '',
    ' ',
    ' ./runs',
    './runs\n',
    '\u00a0postgres://u:p@db/x',
    '"postgres://u:hunter2@db/x"',
    "'./runs'",
    'host=db dbname=ledger user=u password=hunter2',
    'postgres:u:hunter2@db/x',
    '//u:hunter2@db/x',
    'u:hunter2@db.example.com/x',
    'hunter2@db',
    'db.example.com:5432/x',
    'file:./runs',
    ':memory:',
    './postgres://u:hunter2@db/x',
    'Server=db;Password=hunter2',
    '~/runs',
    '$HOME/runs',
  ])('%j is refused, and not quoted', (text) => {
    const parsed = parseAddress(text);
    expect(parsed).toMatchObject({ kind: 'unclear' });
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });

  it('never takes a text with a password for a path, however it is written', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{6,12}$/);
    const shapes: ((password: string) => string)[] = [
      (password) => `postgres://u:${password}@db/x`,
      (password) => `u:${password}@db/x`,
      (password) => `host=db password=${password}`,
      (password) => `password = '${password}' host = db`,
    ];
    const around = fc.constantFrom('', ' ', '"', "'", '\n', '`');
    fc.assert(
      fc.property(secret, fc.constantFrom(...shapes), around, around, (password, shape, before, after) => {
        const parsed = parseAddress(before + shape(password) + after);
        expect(parsed.kind).not.toBe('path');
        if (parsed.kind === 'unclear') expect(JSON.stringify(parsed)).not.toContain(password);
      }),
    );
  });
});
