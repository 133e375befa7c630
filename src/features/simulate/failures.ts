/** The failures that a rehearsal can play. */

/**
 * `refused`: the server refuses the call, which has no effect. `lost-answer`: the call takes effect, and the connection breaks before its answer.
 * `killed`: the call takes effect, and webdata is killed before it learns that.
 */
export const failureKinds = ['refused', 'lost-answer', 'killed'] as const;

export type FailureKind = (typeof failureKinds)[number];

/** The words of the refusing server. */
export const simulatedRefusal = 'refused by the simulation';
