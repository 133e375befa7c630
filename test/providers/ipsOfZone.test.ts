import { expect, it } from 'vitest';
import { ipsOfZone } from '../../providers/core/ipsOfZone.ts';

const zones = { checkout: { ips: ['192.0.2.10', '192.0.2.9'] }, pricing: { ips: null }, archive: {} };

it('returns listed IPs and those of the outputs, each once, sorted by address', () => {
  // Version 0.1.0 stored listed IPs in the outputs too.
  const placements = { '192.0.2.100': 'checkout', '192.0.2.20': 'pricing', '192.0.2.10': 'checkout' };
  expect(ipsOfZone({ zones, placements }, 'checkout')).toEqual(['192.0.2.9', '192.0.2.10', '192.0.2.100']);
  expect(ipsOfZone({ zones, placements }, 'pricing')).toEqual(['192.0.2.20']);
  expect(ipsOfZone({ zones, placements }, 'archive')).toEqual([]);
});

it('returns an IP that another zone lists where it is', () => {
  const [placements, missingIps] = [{ '192.0.2.10': 'pricing' }, { '192.0.2.10': 'checkout' }];
  expect(ipsOfZone({ zones, placements, missingIps }, 'checkout')).toEqual(['192.0.2.9']);
  expect(ipsOfZone({ zones, placements, missingIps }, 'pricing')).toEqual(['192.0.2.10']);
});
