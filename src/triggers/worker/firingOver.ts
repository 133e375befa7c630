/** What sending needs, over a store. */
import type { DeliverySpec } from '../deliverySpec.ts';
import type { Database } from '../store/database.ts';
import type { Firing } from './fire.ts';

export function firingOver({ database, ...rest }: Omit<Firing, 'delivery'> & { database: Database }): Firing {
  return {
    ...rest,
    async delivery(owner, name) {
      const [row] = await database.query<{ spec: string }>('SELECT spec FROM deliveries WHERE owner = ? AND name = ?', [
        owner,
        name,
      ]);
      return row && (JSON.parse(row.spec) as DeliverySpec);
    },
  };
}
