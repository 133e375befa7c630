/** The floor of the Terraform provider: the same schema and protocol, but it keeps every configuration, and reads and sends nothing. */
import { toWireObject } from '../../providers/terraform/attributes.ts';
import { handshakeLine, makeIdentity } from '../../providers/terraform/handshake.ts';
import { type ResourceChange, type Stored, TerraformProvider } from '../../providers/terraform/provider.ts';
import type { ResourceType } from '../../providers/terraform/resources.ts';
import { servePlugin } from '../../providers/terraform/server.ts';
import type { WireObject } from '../../providers/terraform/wire.ts';

const outputs = { id: 'made', placements: {}, missingIps: {}, unmanagedIps: {}, moved: {}, billableMoves: 0 };

class NothingProvider extends TerraformProvider {
  override async plan({ computed }: ResourceType, prior: Stored | null, config: WireObject): Promise<ResourceChange> {
    const wire = prior?.wire ?? { ...config, ...toWireObject(computed, outputs) };
    return { wire, replaces: [], change: { hidden: {} } };
  }

  override async apply(_type: ResourceType, _prior: Stored | null, planned: WireObject): Promise<Stored> {
    return { wire: planned, hidden: {} };
  }

  override async read(_type: ResourceType, prior: Stored): Promise<Stored> {
    return prior;
  }
}

const identity = await makeIdentity(process.env);
const { port } = await servePlugin(new NothingProvider(), identity.credentials, () => process.exit());
process.stdout.write(handshakeLine(port, identity));
