/** API of the local proxy manager (F). It requires no API key; an account may give it a token of its own. */
import { z } from 'zod';
import type { EmulatedSettings } from '../core/emulatedManager.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { bodyOf, type Route, type RouteAnswer, type RouteCall } from '../http/route.ts';

export function managerRoutes({ portsRoute }: Dialect): Route[] {
  const common = { server: 'manager', access: 'token' } as const;
  const routes: Route[] = [
    { ...common, name: 'settings/get', method: 'GET', path: '/api/settings', handle: readSettings },
    { ...common, name: 'settings/put', method: 'PUT', path: '/api/settings', handle: updateSettings },
    { ...common, name: 'proxies/delete', method: 'POST', path: '/api/proxies/delete', handle: deletePorts },
    { ...common, name: 'recent_stats', method: 'GET', path: '/api/recent_stats', handle: recentStats },
  ];
  if (portsRoute) routes.push({ ...common, name: 'ports', method: 'GET', path: portsRoute, handle: listPorts });
  return routes;
}

/** Answers the whole settings object. The specification does not name this call, so a dialect may refuse it. */
function readSettings({ manager, dialect }: World): RouteAnswer {
  if (!dialect.answersGetSettings) throw new Refusal('settings-unreadable', 'GET /api/settings');
  return { body: settingsForm(manager.settings(), dialect) };
}

const list = z.array(z.string('an IP as text'), 'a list is required').optional();

/** The fields that a client may set (F1). Others are ignored. */
const settingsBody = z.object(
  {
    zone: z.string('a text is required').optional(),
    www_whitelist_ips: list,
    whitelist_ips: list,
    logs: z.int('an integer is required').nonnegative('an integer of at least 0 is required').optional(),
    request_stats: z.boolean('true or false is required').optional(),
  },
  'an object is required',
);

/** Sets the given fields and answers the whole settings object (F1). */
function updateSettings({ manager, dialect }: World, call: RouteCall): RouteAnswer {
  const settings = manager.update(bodyOf(call, settingsBody));
  const body = settingsForm(manager.settings(), dialect);
  return { body, effect: Object.keys(settings).length > 0 ? { settings } : undefined };
}

const deleteBody = z.looseObject(
  { ports: z.array(z.int('an integer is required'), 'a list of port numbers is required') },
  'an object is required',
);

/** Deletes ports and answers an empty object, because the specification does not show the answer (F2). */
function deletePorts({ manager, dialect }: World, call: RouteCall): RouteAnswer {
  const { ports } = bodyOf(call, deleteBody);
  const unknown = ports.filter((port) => !manager.ports().includes(port));
  if (dialect.unknownPorts === 'refused' && unknown.length > 0) throw new Refusal('unknown-ports', unknown.join(', '));
  const deletedPorts = manager.deletePorts(ports);
  return { body: {}, effect: deletedPorts.length > 0 ? { deletedPorts } : undefined };
}

/** Answers statistics of a manager without traffic (F3). */
function recentStats({ manager, dialect }: World): RouteAnswer {
  const idle = { reqs: 0, success: 0, bw_up: 0, bw_down: 0 };
  const byPort = Object.fromEntries(manager.ports().map((port) => [port, idle]));
  const answers: Record<Dialect['recentStats'], () => RouteAnswer> = {
    'by-port': () => ({ body: { ports: byPort, total: idle } }),
    totals: () => ({ body: { ...idle, success_ratio: 1, domains: [] } }),
    empty: () => ({ body: {} }),
    html: () => ({ body: htmlPage, headers: { 'content-type': 'text/html; charset=utf-8' } }),
    refused: () => {
      throw new Refusal('unknown-route', 'GET /api/recent_stats');
    },
  };
  return answers[dialect.recentStats]();
}

const htmlPage =
  '<!doctype html>\n<html><head><title>Proxy manager</title></head><body><h1>Overview</h1></body></html>\n';

/** Returns the settings object with the changes of the dialect. */
function settingsForm(settings: EmulatedSettings, { settingsFields }: Dialect): Record<string, unknown> {
  const entries = Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
    const form = settingsFields[name as keyof EmulatedSettings];
    if (form === 'missing') return [];
    return [[name, form === 'null' ? null : form === 'text' ? String(value) : value]];
  });
  return Object.fromEntries(entries);
}

/** Answers the running ports: `[{port: 24000}]`. */
function listPorts({ manager }: World): RouteAnswer {
  return { body: manager.ports().map((port) => ({ port })) };
}
