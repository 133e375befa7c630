/** The edit of the declaration that accepts drift, as `webdata drift --accept` hands it to `webdata ci`. */
export interface AcceptedEdit {
  /** Names from the working folder, and texts. */
  files: readonly { file: string; before: string; after: string }[];
  /** The differences that the edit does not accept, as text; empty if there are none. */
  problems: string;
}
