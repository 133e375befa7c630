/** The parts of undici that calls need. Loading all of it takes a tenth of a short command. */
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  function request<Opaque>(
    this: Dispatcher,
    options: Dispatcher.RequestOptions<Opaque>,
  ): Promise<Dispatcher.ResponseData<Opaque>>;
  export = request;
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici';
  export = errors;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export = Pool;
}
