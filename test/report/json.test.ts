import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasChanges, summarize } from '../../src/engine/plan/plan.ts';
import { countsByName } from '../../src/kinds/knownCalls.ts';
import { historyJson } from '../../src/report/json/json.ts';
import { accountsSchema, applySchema, historySchema, planSchema } from '../../src/report/json/schema.ts';
import {
  allocationId,
  anyApplyResult,
  anyPlan,
  anyRuns,
  journaled,
  migrate,
  resource,
  run,
  samplePlan,
  seen,
} from './samples.ts';
import { applyJson, planJson } from './texts.ts';

const meta = { origin: 'https://api.example.com', version: '0.1.0', createdAt: '2026-07-01T10:00:00.000Z' };
const at = '2026-07-01T10:00:01.000Z';

describe('a plan as JSON', () => {
  it('holds the calls as they are sent, with what to know about them', () => {
    const plan = { resources: samplePlan.resources.slice(0, 1) };
    expect(planJson(plan, meta)).toMatchInlineSnapshot(`
      "{
        "format": "webdata.plan/1",
        "origin": "https://api.example.com",
        "version": "0.1.0",
        "createdAt": "2026-07-01T10:00:00.000Z",
        "mode": "plan",
        "summary": {
          "ips": 3,
          "migrateCalls": 2,
          "settings": 0,
          "ports": 0,
          "registrations": 0,
          "removals": 0,
          "add": 0,
          "change": 0,
          "remove": 0,
          "schedulesAmiss": 0,
          "unmanagedIps": 1,
          "problems": 0
        },
        "problems": [],
        "resources": [
          {
            "kind": "ZoneIpAllocation",
            "collection": "zoneIpAllocations",
            "name": "static",
            "calls": [
              {
                "type": "migrate",
                "from": "pricing",
                "to": "checkout",
                "ips": [
                  {
                    "ip": "192.0.2.10",
                    "country": "us",
                    "reason": "declared"
                  },
                  {
                    "ip": "192.0.2.11",
                    "country": "us",
                    "reason": "declared"
                  }
                ],
                "mayIncurCharges": true
              },
              {
                "type": "migrate",
                "from": "checkout",
                "to": "parked",
                "ips": [
                  {
                    "ip": "192.0.2.40",
                    "country": "us",
                    "reason": "surplus"
                  }
                ],
                "mayIncurCharges": true
              }
            ],
            "changes": [],
            "notes": [
              {
                "code": "unmanaged",
                "text": "pricing: 1 unmanaged IP is left there",
                "ips": [
                  "198.51.100.9"
                ]
              },
              {
                "code": "geolocation-disagrees",
                "text": "198.51.100.7 in pricing: geolocation databases disagree (us, us, ca, us)",
                "ips": [
                  "198.51.100.7"
                ]
              }
            ],
            "problems": []
          }
        ]
      }
      "
    `);
  });

  it('holds problems with their places, and no absolute path', () => {
    const place = { file: '/home/somebody/infra/webdata.yaml', line: 7, column: 3 };
    const problem = {
      code: 'x',
      found: 'y',
      path: ['zones', 0],
      place,
      also: [{ path: ['a'], place: { ...place, file: 'C:\\infra\\webdata.yaml' }, what: 'is the other' }],
    };
    const document = planSchema().parse(
      JSON.parse(planJson({ resources: [resource(allocationId, [], [], [problem])] }, meta)),
    );
    expect(document.resources[0]?.problems).toEqual([
      {
        code: 'x',
        found: 'y',
        path: ['zones', 0],
        place: { file: 'webdata.yaml', line: 7, column: 3 },
        also: [{ path: ['a'], place: { file: 'webdata.yaml', line: 7, column: 3 }, what: 'is the other' }],
      },
    ]);
  });

  it('says what its calls are for', () => {
    expect(JSON.parse(planJson(samplePlan, { ...meta, mode: 'drift' }))).toMatchObject({ mode: 'drift' });
  });

  it('is what its schema says, and its totals are those of the plan', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const document = JSON.parse(planJson(plan, meta));
        expect(planSchema().parse(document)).toEqual(document);
        const { totals, tally, ...summary } = summarize(plan);
        expect(document.summary).toEqual({ ...countsByName(totals), ...tally, ...summary });
        expect(document.resources.some(({ calls }: { calls: unknown[] }) => calls.length > 0)).toBe(hasChanges(plan));
      }),
    );
  });
});

describe('a result as JSON', () => {
  it('holds what was made, what was not, and what became of it', () => {
    const call = migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.9']);
    const partly = journaled(allocationId, call, {
      answered: { at, count: 1 },
      seen: seen(call, { notMoved: ['192.0.2.9'] }),
    });
    const result = {
      plan: samplePlan,
      resources: [{ ...allocationId, outcome: 'failed' as const, made: [partly], notMade: [], problems: [] }],
    };
    expect(applyJson(result, { ...meta, createdAt: undefined })).toMatchInlineSnapshot(`
      "{
        "format": "webdata.apply/1",
        "origin": "https://api.example.com",
        "version": "0.1.0",
        "command": "apply",
        "result": "failed",
        "summary": {
          "calls": 1,
          "made": 1,
          "refused": 0,
          "unknown": 0,
          "notSent": 0,
          "ips": 1,
          "migrateCalls": 1,
          "settings": 0,
          "ports": 0,
          "registrations": 0,
          "removals": 0,
          "problems": 0
        },
        "resources": [
          {
            "kind": "ZoneIpAllocation",
            "collection": "zoneIpAllocations",
            "name": "static",
            "outcome": "failed",
            "made": [
              {
                "call": {
                  "type": "migrate",
                  "from": "pricing",
                  "to": "checkout",
                  "ips": [
                    {
                      "ip": "192.0.2.10",
                      "country": "us",
                      "reason": "declared"
                    },
                    {
                      "ip": "192.0.2.9",
                      "country": "us",
                      "reason": "declared"
                    }
                  ],
                  "mayIncurCharges": true
                },
                "outcome": "partly",
                "movedIps": [
                  "192.0.2.10"
                ],
                "sentAt": "2026-07-01T10:00:00.000Z",
                "answered": {
                  "at": "2026-07-01T10:00:01.000Z",
                  "count": 1
                },
                "seen": {
                  "at": "2026-07-01T10:00:00.000Z",
                  "moved": [
                    "192.0.2.10"
                  ],
                  "notMoved": [
                    "192.0.2.9"
                  ],
                  "elsewhere": [],
                  "notVisible": []
                }
              }
            ],
            "notMade": [],
            "problems": []
          }
        ]
      }
      "
    `);
  });

  it('is what its schema says, and its totals add up', () => {
    fc.assert(
      fc.property(anyApplyResult, (result) => {
        const document = JSON.parse(applyJson(result, meta));
        expect(applySchema().parse(document)).toEqual(document);
        const { calls, made, refused, unknown, notSent } = document.summary;
        expect(made + refused + unknown + notSent).toBe(calls);
        expect(calls).toBe(result.resources.flatMap(({ made: its, notMade }) => [...its, ...notMade]).length);
      }),
    );
  });
});

describe('the history as JSON', () => {
  it('holds the newest run first, and only the name of a plan file that was given by its full path', () => {
    const runs = [run('a', [], { ended: { at, result: 'done' }, plan: '/tmp/plans/friday.plan' }), run('b', [])];
    expect([...historyJson(runs)]).toHaveLength(runs.length);
    expect(historySchema().parse(JSON.parse([...historyJson(runs)].join(''))).runs).toMatchObject([
      { id: 'b', result: 'interrupted' },
      { id: 'a', result: 'done', endedAt: at, plan: 'friday.plan' },
    ]);
  });

  it('is what its schema says', () => {
    fc.assert(
      fc.property(anyRuns, (runs) => {
        const document = JSON.parse([...historyJson(runs)].join(''));
        expect(historySchema().parse(document)).toEqual(document);
      }),
    );
  });
});

it('has schemas that can be published', () => {
  for (const schema of [planSchema(), applySchema(), accountsSchema(), historySchema()]) {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: 'object', description: expect.any(String) });
  }
});
