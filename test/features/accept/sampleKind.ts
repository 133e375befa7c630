/** What the sample kind provides for `drift --accept`. */
import { accepting } from '../../../src/features/accept/capability.ts';
import { banner, type State } from '../../kinds/sampleKind/kind.ts';

accepting.provide(banner, {
  acceptLive: ({ written }, { text }: State) => ({ fields: text === null ? undefined : { ...written, text } }),
});
