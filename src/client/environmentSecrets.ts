/** The secrets in the environment of a CI job, which none of its texts may contain when they leave the job. */
import { isSecretName } from '../base/values/secretName.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the environment without the variables that hold secrets. */
export function variablesWithoutSecrets(env: Env): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !holdsSecret(name)));
}

export function environmentSecrets(env: Env): string[] {
  return Object.entries(env)
    .filter(([name, value = '']) => holdsSecret(name) && value.length >= shortestSecret)
    .map(([, value = '']) => value);
}

/** Paths are not secret and appear in much of the output. */
function holdsSecret(name: string): boolean {
  return isSecretName(name) && !/^(OLD)?PWD$|_(FILE|PATH)$|^GOOGLE_APPLICATION_CREDENTIALS$/i.test(name);
}

/** Shorter values would also match unrelated words. */
const shortestSecret = 8;
