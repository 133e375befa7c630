/** What the sample kind provides besides `Kind`. */

import { isMapValue } from '../../../src/base/values/plain.ts';
import { callWords } from '../../../src/kinds/seam/callWords.ts';
import { noteTypes } from '../../../src/kinds/seam/noteTypes.ts';
import { references } from '../../../src/kinds/seam/references.ts';
import { bannerWords, hangBanner } from './calls/bannerCalls.ts';
import { banner } from './kind.ts';

callWords.provide(hangBanner, bannerWords);
noteTypes.provide(banner, [{ code: 'no-banner', description: 'There is no banner to take down.' }]);
references.provide(banner, { destinations: (written) => (isMapValue(written) ? [['server']] : []) });
