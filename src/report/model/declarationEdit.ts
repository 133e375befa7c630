/** An edit of the declaration that accepts drift, as `drift --accept` offers it and `webdata ci` proposes it. */
export interface DeclarationEdit {
  /** Names from the working folder, and texts. */
  files: readonly { file: string; before: string; after: string }[];
  /** The differences that the edit does not accept, as text; empty if there are none. */
  problems: string;
}
