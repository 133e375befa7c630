/** The URL of a server in a declaration: the service, a manager, the trigger service. */
import { z } from 'zod';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { wrongServerUrl } from '../../base/values/serverUrl.ts';

export const serverUrl = z
  .url({ protocol: /^https?$/ })
  .superRefine((text, context) => {
    // The format has a problem of its own. No problem quotes the URL, which may contain a password.
    const wrong = /^https?:/.test(URL.parse(text)?.protocol ?? '') ? wrongServerUrl(text) : undefined;
    if (wrong !== undefined)
      problemIssue(context, { code: 'unusable-url', found: `the URL ${wrong.why}`, fix: wrong.fix });
  })
  .meta({ pattern: '^https?://' });
