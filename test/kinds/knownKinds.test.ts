import { describe, expect, it } from 'vitest';
import { addKind, kinds } from '../../src/kinds/knownKinds.ts';
import { hangBanner } from './sampleKind/calls/bannerCalls.ts';
import { banner } from './sampleKind/kind.ts';

describe('addKind', () => {
  it('refuses a second kind with the same name or collection', () => {
    const [known] = kinds;
    expect(() => addKind({ ...banner, name: known?.name ?? '' })).toThrow('is already registered');
    expect(() => addKind({ ...banner, collection: known?.collection ?? '' })).toThrow('is already registered');
  });

  it('refuses another type of call under a known name, which a journal could not tell apart', () => {
    const remove = addKind(banner);
    try {
      const other = { ...banner, name: 'Flag', collection: 'flags', calls: [{ ...hangBanner }] };
      expect(() => addKind(other)).toThrow('Banner already defines calls of type hangBanner');
      expect(() => addKind({ ...other, calls: [hangBanner] })()).not.toThrow();
    } finally {
      remove();
    }
  });
});
