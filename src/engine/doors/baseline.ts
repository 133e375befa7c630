/** The declared state that was applied last. */
export {
  type DeclarationBaseline,
  declarationsIn,
  entryOf,
  otherDeclarations,
  ownBaseline,
} from '../baseline/baseline.ts';
export { readBaseline } from '../baseline/baselineDocument.ts';
export { agreedRemoval, type GoneDeclaration, goneDeclarations, goneProblem } from '../baseline/gone.ts';
export { accountDrift, planLive } from '../planAccount.ts';
