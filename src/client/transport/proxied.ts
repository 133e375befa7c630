/** Connections through a proxy. Loaded only where the environment names one. */
import { type Dispatcher, ProxyAgent } from 'undici';

interface ProxiedOptions {
  origin: string;
  proxy: URL;
  timeoutMs: number;
  most: number | null;
}

/** Opens connections to one origin through the proxy: a tunnel for https, and whole URLs for http. */
export function connectThrough({ origin, proxy, timeoutMs, most }: ProxiedOptions): Dispatcher {
  const agent = new ProxyAgent({
    uri: proxy.href,
    connections: most,
    connectTimeout: timeoutMs,
    allowH2: false,
    pipelining: 1,
  });
  // An http request goes to a pool of the proxy, which takes its limits from the request.
  return agent.compose((dispatch) => (options, handler) => {
    const headers = options.headers ?? {};
    return dispatch({ ...options, origin, headers, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }, handler);
  });
}
