/** Recognizes a CI job by its environment. */

/** Reports whether the command runs in a CI job. `webdata ci` sets CI for the commands that it runs. */
export function isInCi({ CI, GITHUB_ACTIONS, GITLAB_CI }: Readonly<Record<string, string | undefined>>): boolean {
  return [CI, GITHUB_ACTIONS, GITLAB_CI].some((value) => value !== undefined && !/^(|0|false)$/i.test(value));
}
