/** A declaration or a command line that is refused, and all that is said about it. Texts begin on the line after their quote. */
export interface BadCase {
  name: string;
  /** `validate` by default. */
  args?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
  /** webdata.yaml; without it there is none. */
  yaml?: string;
  /** Stdout: the plan, where there is one. `{api}` stands for the URL of the service. */
  plan?: string;
  /** Stderr. */
  says?: string;
}
