/** What is told without the secrets of the environment: a log hides those of a job; a comment, an issue or an output would not. */
import { isSecretName, redactor } from '../service/redact.ts';
import type { Outcome, Surroundings } from './front.ts';

export function withoutSecrets(outcome: Outcome, env: Surroundings['env']): Outcome {
  const secrets = Object.entries(env)
    .filter(([name, value = '']) => holdsSecret(name) && value.length >= shortestSecret)
    .map(([, value = '']) => value);
  const redact = redactor(secrets);
  const { summary, markdown, text } = outcome;
  return { ...outcome, summary: redact(summary), markdown: redact(markdown), text: redact(text) };
}

/** A path is no secret, and stands in much that is told. */
function holdsSecret(name: string): boolean {
  return isSecretName(name) && !/^(OLD)?PWD$|_(FILE|PATH)$|^GOOGLE_APPLICATION_CREDENTIALS$/i.test(name);
}

/** Shorter ones would be found in words that have nothing to do with them. */
const shortestSecret = 8;
