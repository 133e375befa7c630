/**
 * The addresses of error codes, which say nothing that their errors do not say: `test/report/problems.test.ts` and the terminal's golden file
 * have them, and `test/docs/errors.test.ts` compares the codes with the page.
 */
const docsLine = /^ {2}docs: \S+\n/gm;

export function withoutDocsLines(output: string): string {
  return output.replaceAll(docsLine, '');
}
