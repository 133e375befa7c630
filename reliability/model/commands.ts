/** The steps of a story: changes of the account by another user, edits of the file, and commands of the tool. */
import fc from 'fast-check';
import { applyCommand, applyFileCommand } from './applying.ts';
import { countries, declarationFrom, drawnDeclaration, yamlOf, zoneNames } from './declaration.ts';
import { driftCommand, planCommand, planOutCommand } from './planning.ts';
import { type ModelCommand, step, stepByStep } from './step.ts';
import { undoCommand } from './undoing.ts';

/** Draws the zone that no declaration names less often. */
const zone = fc.constantFrom(...zoneNames, ...zoneNames.filter((name) => name !== 'foreign'));
const index = fc.nat(99);
const country = fc.constantFrom(...countries);

const edit = drawnDeclaration.map((its) =>
  step(`edit ${JSON.stringify(its)}`, async (account, { tool }) => {
    account.declaration = declarationFrom(its, account);
    await tool.declare(yamlOf(account.declaration));
  }),
);

/** A move by another user, for example in the control panel. */
const moveByHand = fc.tuple(index, zone).map(([of, to]) =>
  step(`move IP ${of} to ${to} by hand`, async (account, { tool }) => {
    const ip = account.ip(of);
    if (ip === undefined) return;
    tool.emulator.move([ip], to);
    account.where.set(ip, to);
  }),
);

/** The removal of an IP, for good or until it returns. */
const ban = fc.tuple(index, fc.boolean()).map(([of, forGood]) =>
  step(`${forGood ? 'ban' : 'lose'} IP ${of}`, async (account, { tool }) => {
    const ip = account.ip(of);
    if (ip === undefined) return;
    if (!forGood) account.away.set(ip, account.where.get(ip) ?? '');
    tool.emulator.removeIps([ip]);
    account.where.delete(ip);
  }),
);

const comeBack = fc.constant(undefined).map(() =>
  step('a lost IP is back', async (account, { tool }) => {
    for (const [ip, zone] of account.away) {
      tool.emulator.addIps(zone, { [account.countryOf(ip)]: [ip] });
      account.where.set(ip, zone);
      account.away.delete(ip);
      return;
    }
  }),
);

/** The replacement of an IP by the service. */
const refresh = index.map((of) =>
  step(`refresh IP ${of}`, async (account, { tool }) => {
    const ip = account.ip(of);
    const zone = ip && account.where.get(ip);
    if (ip === undefined || zone === undefined) return;
    const fresh = account.newIp();
    tool.emulator.removeIps([ip]);
    tool.emulator.addIps(zone, { [account.countryOf(ip)]: [fresh] });
    account.where.delete(ip);
    account.add(fresh, zone, account.countryOf(ip));
  }),
);

const buy = fc.tuple(zone, country).map(([zone, country]) =>
  step(`a new IP of ${country} in ${zone}`, async (account, { tool }) => {
    const ip = account.newIp();
    tool.emulator.addIps(zone, { [country]: [ip] });
    account.add(ip, zone, country);
  }),
);

const allowMoves = fc.option(fc.nat(9), { nil: undefined });
const disturbance = fc.option(fc.record({ request: fc.integer({ min: 1, max: 12 }), ip: index, to: zone }), {
  nil: undefined,
  freq: 2,
});

/** The number of calls at a time. */
const parallelism = fc.constantFrom(1, 10);

const apply = fc
  .tuple(allowMoves, parallelism, disturbance)
  .map(([allow, atATime, disturbed]) => applyCommand(allow, atATime, disturbed));
const undo = fc.tuple(allowMoves, parallelism).map((drawn) => undoCommand(...drawn));

/** Commands of the tool are more frequent, and mostly follow an edit, because without a change nothing moves. */
export const commands: fc.Arbitrary<ModelCommand>[] = [
  edit,
  edit,
  ...Array.from({ length: 5 }, () => fc.tuple(edit, apply).map(stepByStep)),
  ...Array.from({ length: 2 }, () => fc.tuple(edit, apply, undo).map(stepByStep)),
  fc.tuple(edit, fc.constant(planOutCommand()), parallelism.map(applyFileCommand)).map(stepByStep),
  moveByHand,
  ban,
  comeBack,
  refresh,
  buy,
  allowMoves.map(planCommand),
  apply,
  fc.tuple(allowMoves, parallelism).map(([allow, atATime]) => applyCommand(allow, atATime)),
  parallelism.map((atATime) => applyCommand(9, atATime)),
  fc.constant(undefined).map(planOutCommand),
  parallelism.map(applyFileCommand),
  undo,
  parallelism.map((atATime) => undoCommand(9, atATime)),
  fc.constant(undefined).map(driftCommand),
];
