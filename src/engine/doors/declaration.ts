/** The declaration with its resources, as commands and features read it. */
export { bareConfigFrom, configFrom, configIfAny, journalFile } from '../configuredDeclaration.ts';
export { type Config, configOf, liveTarget } from '../declaration/config.ts';
export { declaredFileProblems } from '../declaration/declaredFile.ts';
export { configOfSource, readDeclaration } from '../declaration/loadConfig.ts';
export { recordedPlace } from '../declaration/places.ts';
export { expandShortLists, type ListContents, withShortLists } from '../declaration/shortLists.ts';
export { type DeclarationFile, filesNamed, isPiped, readDeclarationText } from '../declaration/sources.ts';
export { explainedProblems, systemProblem } from '../explainedProblems.ts';
