/** Defects that the campaigns found, with their fixes and tests. */

export interface Defect {
  /** The behavior that a user would have seen. */
  found: string;
  /** The change that removed the cause. */
  mended: string;
  /** `test/part/name.test.ts › title`, with the titles of its describe blocks. */
  test: string;
}

export const defects: readonly Defect[] = [
  {
    found: 'An endless answer of a few bytes at a time kept a command or the worker waiting forever.',
    mended: 'A body with less than 1 KiB in one timeout is an error.',
    test: 'test/client/slowBody.test.ts › an endless answer of a few bytes at a time is abandoned after the timeout',
  },
  {
    found: 'An answer that declared a size of a terabyte was read until it stalled.',
    mended: 'A declared size beyond the limit is rejected before the body is read.',
    test: 'test/client/slowBody.test.ts › an answer whose content-length exceeds the limit is refused at once',
  },
  {
    found:
      'If a delivery or schedule was registered or removed but the answer was 500 or 503, the call counted as failed: apply exited with 1, and the registration was missing in the Pulumi state.',
    mended: 'After any answer that leaves the effect unknown, the registration is read back.',
    test: 'test/cli/registrations/registrations.test.ts › a plan and its apply › know by what is registered whether a call took: one %s',
  },
  {
    found:
      'For an alert that was not delivered, the log did not name the run or the reason, such as a 404 or an unreachable endpoint.',
    mended:
      'Each is logged with its run, its schedule and the status or code, but without the endpoint, which may be secret.',
    test: 'test/triggers/alerts.test.ts › an alert that is %s is logged with its run and the reason, and no word of its endpoint',
  },
  {
    found:
      "If the disk had room for only a part of a file, the emulator's state, a plan file or the file of `--output` was replaced by a partial file, without an error.",
    mended:
      'Files are written completely under another name, synced and renamed; a failure leaves the old file as it was.',
    test: 'test/base/files/wholeFile.test.ts › keeps what there was where the disk has room for only a part, and says so',
  },
  {
    found: 'A `kill -9` while such a file was written left a partial file next to it forever, including its keys.',
    mended: 'The name of the partial file contains the process, and the next writer removes those of dead processes.',
    test: 'test/base/files/wholeFile.test.ts › removes what a process that was killed was writing, and not what another one writes',
  },
  {
    found:
      "After a `kill -9` in the middle of a line of the receiver's record, the next delivery was appended to that line, and neither could be read.",
    mended: 'An incomplete line is ended before the next one is written.',
    test: 'test/e2e/receiver/kill.test.ts › goes on with the record behind a line that was cut off',
  },
  {
    found:
      'If a full disk cut off a line of the journal or of the record, the next line was lost too, once there was space again.',
    mended: 'A line that failed is ended before the next one, also within the same process.',
    test: 'test/base/files/wholeFile.test.ts › does not glue a line to one that a full disk cut off',
  },
  {
    found:
      'Two machines that applied the same declaration at once both reported the IPs as moved, although the service had moved none for one of them; `webdata undo` on that machine undid the moves of the other.',
    mended: 'If the service says that a migrate moved nothing, its IPs are reported as moved by another user.',
    test: 'test/cli/planAndApply/concurrent.test.ts › an IP that another user moves during the run, on the %s account › is not reported as moved by this run if the other user moved it to its target, and an undo leaves it there',
  },
  {
    found: 'The output `moved` of a Pulumi resource also contained such IPs of another user.',
    mended:
      'It contains the IPs that the service says the calls moved; if the service does not say, those that the read-back found.',
    test: 'test/providers/moved.test.ts › lists the IPs that the service %s',
  },
  {
    found: 'A notification with an empty ID was stored under a name that begins with `-`.',
    mended: 'An empty ID is ignored, and the next field with an ID is used; no name begins with `-`.',
    test: 'test/receiver/receiver.test.ts › by its form › %s has a name that says so',
  },
  {
    found:
      'Errors of the command line printed mistyped or pasted words unchanged: an escape sequence in them could clear the screen, and a direction mark could reverse the text.',
    mended: 'Errors, notes and names of files show such characters as escapes.',
    test: 'test/cli/output/steeringWords.test.ts › on the command line › %s',
  },
  {
    found: 'An ID from the service could control the terminal on which `collect` ran.',
    mended: 'Notes of all commands show such characters as escapes.',
    test: 'test/cli/output/steeringWords.test.ts › in an answer of the service › that is an id',
  },
  {
    found: '`--log-http` wrote answers of the service to the terminal unchanged.',
    mended: 'The log of requests shows such characters as escapes.',
    test: 'test/cli/output/steeringWords.test.ts › in an answer of the service › that the log of requests has',
  },
  {
    found: 'The log of deliveries contained direction marks, which reverse text.',
    mended: 'Logs of the receiver and of the trigger service contain them as JSON escapes.',
    test: 'test/e2e/cli/ownProcess.test.ts › webdata receive escapes words that steer a terminal in its log, which stays JSON',
  },
  {
    found: 'Errors quoted text from the service including direction marks, which reverse text.',
    mended: 'Quotations from a service leave out format characters, as they already left out control characters.',
    test: 'test/client/errors.test.ts › what was said is one line of at most 300 characters, without secrets and what steers a terminal',
  },
  {
    found: '`apply plan.json` overflowed the stack if the plan file was nested ten thousand levels deep.',
    mended: 'A plan file that is nested more deeply than any declaration is rejected as not a plan file.',
    test: 'test/cli/planFile/planFile.test.ts › is refused where it is nested more deeply than any declaration',
  },
  {
    found: 'A schedule whose inputs are nested ten thousand levels deep made the trigger service answer 500.',
    mended: 'Bodies have the same limit as files, with an error message.',
    test: 'test/triggers/server.test.ts › the API of the trigger service › refuses inputs that are nested more deeply than a file may be',
  },
  {
    found: 'A file with sixty thousand unknown keys took half a minute to be rejected.',
    mended: 'Problems that follow from another problem are looked up instead of searched for.',
    test: 'test/base/diagnostics/zodProblems.test.ts › parseWith › reports a hundred thousand problems within seconds',
  },
  {
    found: '`--lock-timeout` with a huge number used up the memory before the first attempt to take the lock.',
    mended: 'The planned waits are limited to days.',
    test: 'test/cli/planAndApply/confirmation.test.ts › applies at once where it would wait for another run forever',
  },
  {
    found: 'A partner name that is not well-formed text made `asns` fail with an internal error.',
    mended: 'Such a name is rejected before anything is sent.',
    test: 'test/client/zones.test.ts › the reseller path is a template, and a name stays within its segment',
  },
  {
    found:
      'The undo of an undo that had moved an IP through another zone was incomplete: the IP stayed in the zone between, because only the last call was known to have moved it.',
    mended: 'An undo reads back the effect of a call before the next one moves the same IP.',
    test: 'test/cli/undo/undo.test.ts › brings an IP back that it moved twice, and can be undone itself',
  },
  {
    found: 'An undo moved IPs that another declaration protects if the declaration that had moved them was deleted.',
    mended:
      'The guards of declared resources with the same concurrency key hold for a resource that is no longer declared.',
    test: 'test/cli/undo/guards.test.ts › an undo of what is declared no more moves no IP that another declaration protects',
  },
  {
    found: 'A manually edited journal made `undo` and `history` fail with internal errors.',
    mended: 'Every line is checked when it is read, and the error names the number and field of a wrong one.',
    test: 'test/cli/journal/edits.test.ts › a journal › with %s is refused by undo, and nothing is called',
  },
  {
    found:
      'If the clock was set back after a crash, a plan waited until the time of its last call, possibly for a day.',
    mended: 'A call with a time in the future counts as sent now.',
    test: 'test/cli/journal/edits.test.ts › a journal › whose last call was sent tomorrow, by a clock that was set back since, keeps no one waiting',
  },
  {
    found:
      'A page, such as a sign-in page, as the answer to the removal of a delivery or a schedule counted as its success.',
    mended: 'The answer to a removal has no body; one with a body is unexpected, and the registration is read back.',
    test: 'test/triggers/client.test.ts › %s does not take a page for a removal',
  },
  {
    found:
      'An undo whose answer was lost or wrong sent none of the remaining calls, and was recorded as done; the next undo took it back.',
    mended: 'An undo plans, sends and reads back until nothing is left, as an apply does.',
    test: 'test/cli/undo/lostAnswers.test.ts › an undo whose migrate %s was carried out › sends the rest where its answer %s',
  },
  {
    found: 'An undo overwrote changes that were made while it asked for confirmation.',
    mended: 'Every call is verified again immediately before it is sent.',
    test: 'test/cli/undo/races.test.ts › what changes while an undo asks › stops it before the first call: %s',
  },
  {
    found:
      'Where another user moved an IP of a call and listings lagged, the journal said that the other IPs of the call had stayed.',
    mended: 'Listings are read again until as many IPs have arrived as the service counted.',
    test: 'test/cli/planAndApply/lostIps.test.ts › when another user takes IPs, again and again › waits for the rest of the call in listings that lag, and knows that it moved',
  },
  {
    found: 'A server that was suspended for a minute then sent requests, and gave them up at once: unknown runs.',
    mended: 'What could not be sent in time is not sent, and a server does not end the leases of its own requests.',
    test: 'test/base/values/patientTimeout.test.ts › sends nothing that was to be sent long ago',
  },
];
