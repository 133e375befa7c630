/** What the sample kind provides besides `Kind`. */

import { isMapValue } from '../../../src/base/values/plain.ts';
import { accepting } from '../../../src/features/accept/capability.ts';
import { noteTypes } from '../../../src/kinds/noteTypes.ts';
import { references } from '../../../src/kinds/references.ts';
import { banner, type State } from './kind.ts';

noteTypes.provide(banner, [{ code: 'no-banner', description: 'There is no banner to take down.' }]);
references.provide(banner, { destinations: (written) => (isMapValue(written) ? [['server']] : []) });
accepting.provide(banner, {
  acceptLive: ({ written }, { text }: State) => ({ fields: text === null ? undefined : { ...written, text } }),
});
