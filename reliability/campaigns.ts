/** The campaigns, in the order of the page. Each is loaded when it starts. */
import type { Campaign } from './frame/campaign.ts';

export const campaigns: Readonly<Record<string, () => Promise<Campaign>>> = {
  faults: async () => (await import('./faults/faults.ts')).faults,
  crashes: async () => (await import('./crashes/crashes.ts')).crashes,
  backends: async () => (await import('./crashes/backends.ts')).backends,
  undo: async () => (await import('./crashes/undoCampaign.ts')).undoCampaign,
  races: async () => (await import('./races/races.ts')).races,
  teams: async () => (await import('./races/races.ts')).teamRaces,
  turns: async () => (await import('./races/races.ts')).turnRaces,
  outages: async () => (await import('./races/races.ts')).outages,
  model: async () => (await import('./model/model.ts')).model,
  fuzz: async () => (await import('./fuzz/fuzz.ts')).fuzz,
  secrets: async () => (await import('./secrets/secrets.ts')).secrets,
  servers: async () => (await import('./servers/servers.ts')).servers,
  soak: async () => (await import('./soak/soak.ts')).soak,
};
