/** A policy pack for Pulumi: `pulumi preview --policy-pack examples/policy/pulumi`, after `npm install` in that folder. */
const { PolicyPack } = require('@pulumi/policy');

/** IPs may enter these zones, and never leave them. */
const keptZones = ['checkout'];

/** The most IPs that may move in one update. */
const mostMoves = 20;

/** Each move of the preview is a resource. */
function movesIn({ resources }) {
  return resources.filter(({ type }) => type === 'webdata:index:Move').map(({ props }) => props);
}

new PolicyPack('webdata', {
  policies: [
    {
      name: 'keep-zones',
      description: 'IPs must not leave the zones that keep theirs.',
      enforcementLevel: 'mandatory',
      validateStack(stack, reportViolation) {
        for (const { from, to, ips } of movesIn(stack))
          if (keptZones.includes(from))
            reportViolation(`${from} must keep its IPs, and ${ips.join(', ')} would move to ${to}`);
      },
    },
    {
      name: 'cap-moves',
      description: 'An update must not move too many IPs.',
      enforcementLevel: 'mandatory',
      validateStack(stack, reportViolation) {
        const planned = movesIn(stack).flatMap(({ ips }) => ips).length;
        if (planned > mostMoves)
          reportViolation(`at most ${mostMoves} IPs may move in one update, and ${planned} would`);
      },
    },
  ],
});
