/**
 * The policy pack of examples/policy/pulumi. The Node host that can be built from public Go modules starts no policy packs, so the engine does not
 * load it here: the test starts its server as the engine does, and sends it the resources of a real preview by the engine's protocol.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts } from '../../cli/harness.ts';
import { npm } from '../packed.ts';
import { describeOnEngine } from '../pulumi/harness.ts';
import { openNativeProject } from '../pulumi/native/project.ts';

/** Sends the resources of a preview to the server of a policy pack, and prints the messages of its diagnostics as JSON. */
const analyze = `
  const grpc = require('@grpc/grpc-js');
  const { AnalyzerClient } = require('@pulumi/pulumi/proto/analyzer_grpc_pb');
  const { AnalyzeStackRequest, AnalyzerResource, AnalyzerResourceOptions } = require('@pulumi/pulumi/proto/analyzer_pb');
  const { Struct } = require('google-protobuf/google/protobuf/struct_pb');
  const { steps } = require('./preview.json');
  const request = new AnalyzeStackRequest();
  request.setResourcesList(steps.map(({ urn, newState }) => {
    const resource = new AnalyzerResource();
    resource.setType(newState.type);
    resource.setUrn(urn);
    resource.setOptions(new AnalyzerResourceOptions());
    resource.setName(urn.split('::').at(-1));
    resource.setProperties(Struct.fromJavaScript(newState.outputs ?? newState.inputs ?? {}));
    return resource;
  }));
  const client = new AnalyzerClient('127.0.0.1:' + process.argv[2], grpc.credentials.createInsecure());
  client.analyzeStack(request, (error, answer) => {
    if (error) throw error;
    const found = answer.getDiagnosticsList();
    console.log(JSON.stringify(found.map((each) => [each.getPolicyname(), each.getEnforcementlevel(), each.getMessage()])));
    client.close();
  });
`;

const mandatory = 1;

describeOnEngine('the policy pack', () => {
  let folder: string;
  let server: ChildProcess;
  let port: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-policy-'));
    await cp('examples/policy/pulumi', folder, { recursive: true });
    npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund');
    await writeFile(join(folder, 'analyze.js'), analyze);
    const runner = join(folder, 'node_modules/@pulumi/pulumi/cmd/run-policy-pack');
    server = spawn(process.execPath, [runner, '127.0.0.1:0', folder], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (server.stdout === null) throw new Error('the server has no output');
    const [said] = await once(server.stdout, 'data');
    port = String(said).trim();
  });

  afterAll(async () => {
    server.kill();
    await rm(folder, { recursive: true });
  });

  async function diagnostics(zones: string, sources: string): Promise<unknown> {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    await project.resources(
      `\n  static:\n    type: webdata:ZoneIpAllocation\n    properties: { zones: ${zones}, sources: [${sources}] }\n`,
    );
    const { output } = await project.pulumi('preview', '--json');
    await writeFile(join(folder, 'preview.json'), output);
    return JSON.parse(execFileSync(process.execPath, ['analyze.js', port], { cwd: folder, encoding: 'utf8' }));
  }

  it('allows IPs to enter a zone', async () => {
    expect(await diagnostics('{ checkout: { ips: [192.0.2.10] } }', 'pricing')).toEqual([]);
  });

  it('denies that IPs leave a zone that keeps its own', async () => {
    expect(await diagnostics('{ parked: { ips: [192.0.2.12] } }', 'checkout')).toEqual([
      [
        'keep-zones',
        mandatory,
        expect.stringContaining('checkout must keep its IPs, and 192.0.2.12 would move to parked'),
      ],
    ]);
  });
});
