/** Exports a Kubernetes CronJob for each schedule. */
import { Document } from 'yaml';
import { version } from '../../version.ts';
import { linesWithClockChanges } from './clockChangeLines.ts';
import { cronLines, fiveFieldProblem, fiveFields } from './cronLines.ts';
import { labelFor } from './names.ts';
import { type ExportedSchedule, type ExportTarget, environment, namedSecrets, remarks, tickWords } from './target.ts';

const SECRET = 'webdata-triggers';

export const kubernetes: ExportTarget = {
  uses: ['image'],
  problem: ({ timing }) => fiveFieldProblem(timing, 'a CronJob'),
  files(schedules, { image = `registry.example.com/webdata:${version}`, now = Date.now() }) {
    const [first, ...rest] = schedules
      .flatMap((schedule) => cronJobs(schedule, image, now))
      .map((job) => new Document(job, { aliasDuplicateObjects: false }));
    if (first) first.commentBefore = head.map((line) => ` ${line}`).join('\n');
    const text = [first, ...rest].map((document) => document?.toString({ lineWidth: 0 }) ?? '').join('---\n');
    return [{ file: 'webdata-triggers.yaml', text }];
  },
};

const head = remarks(
  'kubernetes',
  'Build the image from ci/Dockerfile. Two secrets are required: kubectl create secret generic webdata-triggers --from-env-file=FILE',
  `with ${environment.required.join(', ')}, and WEBDATA_TRIGGERS_KEY if the store contains secrets;`,
  'and webdata-deliveries with the variables that deliveries refer to, if any. The store must be a PostgreSQL database.',
  ...namedSecrets,
);

function cronJobs(schedule: ExportedSchedule, image: string, now: number): object[] {
  const lines = linesWithClockChanges(schedule.timing, now);
  const isOne = cronLines(schedule.timing).length === 1;
  return lines.map(({ cron, timeZone }, index) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: labelFor(schedule.owner, schedule.name, isOne && index === 0 ? 0 : index + 1),
      labels,
      annotations: { 'webdata/owner': schedule.owner, 'webdata/schedule': schedule.name },
    },
    spec: {
      schedule: fiveFields(cron),
      timeZone,
      suspend: schedule.paused,
      // The ledger decides about overlapping runs.
      concurrencyPolicy: 'Allow',
      startingDeadlineSeconds: 300,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: { spec: jobSpec(schedule, image) },
    },
  }));
}

const labels = { 'app.kubernetes.io/name': 'webdata-triggers' };

function jobSpec({ owner, name }: ExportedSchedule, image: string): object {
  return {
    // Retries are safe: a tick is claimed once.
    backoffLimit: 2,
    activeDeadlineSeconds: 600,
    template: {
      metadata: { labels },
      spec: {
        restartPolicy: 'Never',
        // Enough time to record the outcome of a running trigger.
        terminationGracePeriodSeconds: 60,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name: 'tick',
            image,
            args: tickWords(owner, name).map(escapeDollars),
            env: [...environment.required.map(fromSecret), ...environment.optional.map(fromOptionalSecret)],
            envFrom: [{ secretRef: { name: 'webdata-deliveries', optional: true } }],
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
          },
        ],
      },
    },
  };
}

/** Escapes `$`: Kubernetes expands `$(NAME)` in arguments, and reads `$$` as one `$`. */
function escapeDollars(word: string): string {
  return word.replaceAll('$', '$$$$');
}

function fromSecret(name: string): object {
  return { name, valueFrom: { secretKeyRef: { name: SECRET, key: name } } };
}

function fromOptionalSecret(name: string): object {
  return { name, valueFrom: { secretKeyRef: { name: SECRET, key: name, optional: true } } };
}
