/** Errors of the native proxy as ServiceErrors with advice. */
import type { Dispatcher } from 'undici';
import { failing, type ServiceError, type ServiceErrorCode } from '../../errors.ts';
import { paymentFix } from '../../reading/answers.ts';
import { redactor } from '../../redact.ts';

/** Translates undici's errors about the proxy and passes on all others. None contains a secret. */
export function explained(proxy: string, secrets: readonly string[]): Dispatcher.DispatcherComposeInterceptor {
  const redact = redactor(secrets);
  return (dispatch) => (options, handler) => {
    const url = redact(`${options.origin ?? ''}${options.path}`);
    const tell = handler.onResponseError?.bind(handler);
    handler.onResponseError = (controller, error) => {
      const found = findingOf(error, proxy);
      tell?.(controller, found ? serviceError(found, options.method, url, error) : error);
    };
    return dispatch(options, handler);
  };
}

interface Finding {
  code: ServiceErrorCode;
  what: string;
  fix: string;
  status?: number;
  /** False if no byte reached the target. */
  sent: boolean;
}

function serviceError({ code, what, fix, ...rest }: Finding, method: string, url: string, cause: Error): ServiceError {
  return failing({ method, url, read: false }, { [code]: fix })(code, what, { ...rest, cause });
}

function findingOf(error: Error & { code?: unknown }, proxy: string): Finding | undefined {
  const status = /^(?:Proxy Authentication Required|Proxy response) \((\d{3})\)/.exec(error.message)?.[1];
  if (status !== undefined) return refusalOf(Number(status), proxy);
  const code = String(error.code);
  if (!untrusted.test(code)) return undefined;
  const what = `was not sent: the certificate of the target is not trusted (${code})`;
  return { code: 'unreachable', what, fix: untrustedFix, sent: false };
}

function refusalOf(status: number, proxy: string): Finding {
  const what = `was refused by the native proxy ${proxy} with ${status}`;
  const refused = { what, status, sent: false };
  if (status === 407) return { ...refused, code: 'unauthorized', fix: credentialsFix };
  if (status === 402) return { ...refused, code: 'refused', fix: paymentFix };
  if (status === 403) return { ...refused, code: 'forbidden', fix: 'Check that the zone may be used for this target.' };
  if (status >= 500)
    return { ...refused, code: 'server-error', fix: 'Check that the target exists; then try again later.' };
  return { ...refused, code: 'refused', fix: 'Check the address of the proxy and the target.' };
}

const untrusted = /^(UNABLE_TO_(GET_ISSUER|VERIFY)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/;

const untrustedFix =
  'If the zone needs the certificate of the service (residential zones and unlockers do), give it as `ca`.';

const credentialsFix =
  "Check the account ID (hl_…), the name of the zone, and the zone's own password, which is not an API key. All are case-sensitive, and the password changes when it is regenerated. For a prefix other than svc, set proxyUserPrefix in the service profile.";
