/** Removes secrets of the environment from texts that leave the job. CI masks them in its log, but not in comments, issues and outputs. */
import { isSecretName, redactor } from '../service/redact.ts';
import type { JobIo, Outcome } from './runner.ts';

export function withoutSecrets(outcome: Outcome, env: JobIo['env']): Outcome {
  const secrets = Object.entries(env)
    .filter(([name, value = '']) => holdsSecret(name) && value.length >= shortestSecret)
    .map(([, value = '']) => value);
  const redact = redactor(secrets);
  const { summary, markdown, text } = outcome;
  return { ...outcome, summary: redact(summary), markdown: redact(markdown), text: redact(text) };
}

/** Paths are not secret and appear in much of the output. */
function holdsSecret(name: string): boolean {
  return isSecretName(name) && !/^(OLD)?PWD$|_(FILE|PATH)$|^GOOGLE_APPLICATION_CREDENTIALS$/i.test(name);
}

/** Shorter values would also match unrelated words. */
const shortestSecret = 8;
