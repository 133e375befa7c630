/** The manifests that users copy: valid by the schemas of Kubernetes, without rights that they do not need, and their containers run. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { openHarness, serviceYaml } from '../../cli/harness.ts';
import { temporaryFolder } from '../../temporary.ts';
import { type Running, start } from '../process.ts';

const models = {
  ConfigMap,
  CronJob,
  Deployment,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Secret,
  Service,
};

interface Model {
  validate(): void;
}

const files = readdirSync('ci/kubernetes').map((name) => `ci/kubernetes/${name}`);

function objects(file: string): Model[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    const value = document.toJS() as { kind: keyof typeof models };
    if (!(value.kind in models)) throw new Error(`${file} has a ${value.kind}, which nobody checks`);
    return new (models[value.kind] as new (value: unknown) => Model)(value);
  });
}

function only<Kind extends Model>(file: string, type: new (value?: never) => Kind): Kind {
  const found = objects(file).find((each) => each instanceof type);
  if (found === undefined) throw new Error(`${file} has no ${type.name}`);
  return found as Kind;
}

function podOf(file: string) {
  const [workload] = objects(file).filter((each) => each instanceof CronJob || each instanceof Deployment);
  const spec =
    workload instanceof CronJob ? workload.spec?.jobTemplate.spec?.template.spec : workload?.spec?.template.spec;
  if (spec === undefined) throw new Error(`${file} has no pod`);
  return spec;
}

describe.each(files)('%s', (file) => {
  it('is valid by the schemas of Kubernetes', () => {
    expect(objects(file).length).toBeGreaterThan(1);
    for (const each of objects(file)) expect(() => each.validate()).not.toThrow();
    expect(() => new CronJob({ spec: { schedule: 5 } } as never).validate()).toThrow();
    expect(() => new Deployment({ spec: { replicas: 'two' } } as never).validate()).toThrow();
  });

  it('has no rights that it does not need', () => {
    const pod = podOf(file);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod.containers).toMatchObject([
      {
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.any(String) } },
      },
    ]);
  });
});

it.each([
  'ci/kubernetes/drift.yaml',
  'ci/kubernetes/pulumi-drift.yaml',
])('%s runs one job at a time, and does not repeat it', (file) => {
  const { concurrencyPolicy, jobTemplate } = only(file, CronJob).spec ?? {};
  expect(concurrencyPolicy).toBe('Forbid');
  expect(jobTemplate?.spec).toMatchObject({ backoffLimit: 0, template: { spec: { restartPolicy: 'Never' } } });
});

it('the drift job exits with 0, and with 2 on drift, and writes nothing', async () => {
  await using harness = await openHarness('plain');
  const file = 'ci/kubernetes/drift.yaml';
  await harness.write('webdata.yaml', serviceYaml('plain') + only(file, ConfigMap).data?.['webdata.yaml']);
  const [container] = podOf(file).containers;
  const args = (container?.args ?? []).map((arg) => arg.replace('/etc/webdata/', `${harness.folder}/`));
  const { emulator } = harness;
  const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.user };
  expect(await start(args, { cwd: '/', env }).finished).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No drift'),
  });
  emulator.move(['192.0.2.12'], 'parked');
  expect(await start(args, { cwd: '/', env }).finished).toMatchObject({ code: 2 });
  expect(await readdir(harness.folder)).toEqual(['webdata.yaml']);
});

/** Returns the environment of a container, from the objects of its file. */
function environmentOf(file: string): Record<string, string> {
  const [container] = podOf(file).containers;
  const named = (container?.envFrom ?? []).map(({ secretRef, configMapRef }) => secretRef?.name ?? configMapRef?.name);
  const sources = objects(file).filter((each) => each instanceof Secret || each instanceof ConfigMap);
  const used = sources.filter(({ metadata }) => named.includes(metadata?.name));
  expect(used.length).toBe(named.length);
  return Object.assign({}, ...used.map((each) => (each instanceof Secret ? each.stringData : each.data)));
}

/** Starts the server of a file on a free port; the text after `change` are its arguments and variables. */
async function serve(file: string, change: (arg: string) => string, env: Record<string, string>) {
  const [container] = podOf(file).containers;
  const port = String(container?.ports?.[0]?.containerPort);
  const args = (container?.args ?? []).map((arg) => (arg === port ? '0' : change(arg)));
  expect(args).toContain('0');
  const running = start(args, { cwd: '/', env: { ...environmentOf(file), ...env } });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const url = await listening(running);
  const probe = async (name: 'livenessProbe' | 'readinessProbe') => {
    const { path = '', port: target } = container?.[name]?.httpGet ?? {};
    expect(target).toBe(container?.ports?.[0]?.name);
    return (await fetch(new URL(path, url))).status;
  };
  return { running, url, probe };
}

async function listening({ child, finished }: Running): Promise<string> {
  const said = child.stdout === null ? [] : await Promise.race([once(child.stdout, 'data'), finished]);
  const [, port] = /http:\/\/[^\s/]+:(\d+)/.exec(String(said)) ?? [];
  if (port === undefined) throw new Error(`it does not listen: ${JSON.stringify(await finished)}`);
  return `http://127.0.0.1:${port}/`;
}

describe('the servers', () => {
  it.each(['triggers', 'receiver'])('of %s.yaml are reached by the selector of the service', (name) => {
    const file = `ci/kubernetes/${name}.yaml`;
    const { selector, template } = only(file, Deployment).spec ?? {};
    expect(template?.metadata?.labels).toEqual(selector?.matchLabels);
    const service = only(file, Service).spec;
    expect(service?.selector).toEqual(selector?.matchLabels);
    expect(service?.ports?.[0]?.targetPort).toBe(podOf(file).containers[0]?.ports?.[0]?.name);
  });

  it('the trigger service answers its probes, shows metrics, and ends on SIGTERM', async () => {
    const store = join(temporaryFolder(), 'ledger.db');
    const file = 'ci/kubernetes/triggers.yaml';
    const { running, url, probe } = await serve(file, (arg) => arg, { WEBDATA_TRIGGERS_STORE: store });
    expect(await probe('livenessProbe')).toBe(200);
    expect(await probe('readinessProbe')).toBe(200);
    expect(await (await fetch(`${url}metrics`)).text()).toContain('webdata_triggers');
    expect((await fetch(`${url}v1/owners/acme`)).status).toBe(401);
    running.child.kill('SIGTERM');
    expect(await running.finished).toMatchObject({ code: 0 });
  });

  it('the receiver answers its probes, and stores what has the header of its secret', async () => {
    const folder = temporaryFolder();
    const file = 'ci/kubernetes/receiver.yaml';
    const { running, url, probe } = await serve(file, (arg) => (arg === '/deliveries' ? folder : arg), {});
    expect(podOf(file).containers[0]?.volumeMounts).toMatchObject([{ mountPath: '/deliveries' }]);
    expect(await probe('livenessProbe')).toBe(200);
    expect(await probe('readinessProbe')).toBe(200);
    const deliver = async (authorization: string) =>
      (await fetch(`${url}acme`, { method: 'POST', body: '[{"a":1}]', headers: { authorization } })).status;
    expect(await deliver('Bearer another')).toBe(401);
    expect(await deliver(environmentOf(file).HOOK_AUTHORIZATION ?? '')).toBe(200);
    expect(await readdir(join(folder, 'acme'))).toHaveLength(1);
    running.child.kill('SIGTERM');
    expect(await running.finished).toMatchObject({ code: 0 });
  });
});
