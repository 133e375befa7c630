/** Defects of the product that the campaigns led to, and what holds each of them now. */

export interface Defect {
  /** What a user would have met. */
  found: string;
  /** What was changed, at its cause. */
  mended: string;
  /** `test/part/name.test.ts › title`, the title with those of the describes around it. */
  test: string;
}

export const defects: readonly Defect[] = [
  {
    found: 'An answer that came a few bytes at a time, and for ever, kept a command or the worker waiting for ever.',
    mended: 'A body with less than 10 KiB in ten time-outs is given up.',
    test: 'test/service/slowBody.test.ts › an answer that comes a few bytes at a time, and for ever, is given up after ten time-outs',
  },
  {
    found: 'An answer that declared a size of a terabyte was waited for until it stalled.',
    mended: 'A declared size beyond the limit is refused before anything is read.',
    test: 'test/service/slowBody.test.ts › an answer that says itself that it is too long is not waited for',
  },
  {
    found:
      'A delivery or schedule that was registered or removed, and answered 500 or 503, counted as failed: apply ended with 1, and a Pulumi state did not have what was registered.',
    mended: 'After any answer that leaves the effect open, what is registered tells whether it took.',
    test: 'test/cli/registrations.test.ts › a plan and its apply › know by what is registered whether a call took: one %s',
  },
  {
    found:
      'Of an alert that was not taken the log had no more than that there was one: not of which run, not whether its endpoint answered 404 or was not there.',
    mended:
      'Each is logged with its run, its schedule and the status or code, and never the endpoint, which may be secret.',
    test: 'test/triggers/alerts.test.ts › an alert that is %s is logged with its run and the reason, and no word of its endpoint',
  },
  {
    found:
      "On a disk with room for only a part, the emulator's state, a plan file or what `--out` names was replaced by a half file, without an error.",
    mended: 'Files are written whole beside their place, synced and renamed; what fails leaves the file as it was.',
    test: 'test/files/wholeFile.test.ts › keeps what there was where the disk has room for only a part, and says so',
  },
  {
    found: 'A `kill -9` while such a file was written left a part of it beside it for good, keys included.',
    mended: 'The part bears the name of its process, and whoever writes there next removes those of dead ones.',
    test: 'test/files/wholeFile.test.ts › removes what a process that was killed was writing, and not what another one writes',
  },
  {
    found:
      "After a `kill -9` in the middle of a line of the receiver's record, the next delivery was written behind it, and neither could be read.",
    mended: 'A line that was cut off is ended before the next one is written.',
    test: 'test/receiver/kill.test.ts › goes on with the record behind a line that was cut off',
  },
  {
    found:
      'A full disk that had taken a part of a line of the journal or of the record swallowed the next line too, once there was room.',
    mended: 'A line that failed is ended before the next one, in the same process too.',
    test: 'test/files/wholeFile.test.ts › does not glue a line to one that a full disk cut off',
  },
  {
    found:
      'Two machines that applied the same at once both reported the IPs as moved, though the service said that it had moved none for one of them; `webdata undo` there took back what the other had done.',
    mended: "A migrate that moved nothing by the service's own word is told so: its IPs were moved by somebody else.",
    test: 'test/cli/concurrent.test.ts › an IP that somebody else moves during the run, on the %s account › is not told as moved by this run where the other one brought it to where it was to go, and an undo leaves it there',
  },
  {
    found: 'The output `moved` of a Pulumi resource held such IPs of somebody else too.',
    mended: 'It holds what the service says that the calls moved, and what was found where it said nothing.',
    test: 'test/providers/moved.test.ts › holds the IPs that the service %s',
  },
  {
    found: 'A notification whose id is empty was kept under a name that begins with `-`.',
    mended: 'An empty id names no run, and the next field that has one does; no name begins with `-`.',
    test: 'test/receiver/receiver.test.ts › by its form › %s has a name that says so',
  },
  {
    found:
      'Words that were mistyped, or pasted, went to the terminal as they were in errors of the command line: an escape in them could clear the screen, a mark could reverse the text.',
    mended: 'Errors, notes and names of files are written with such characters as escapes.',
    test: 'test/cli/steeringWords.test.ts › on the command line › %s',
  },
  {
    found: 'An id that a service made up steered the terminal on which `collect` ran.',
    mended: 'Notes of all commands are written with such characters as escapes.',
    test: 'test/cli/steeringWords.test.ts › in an answer of the service › that is an id',
  },
  {
    found: '`--log-http` wrote what a service answered to the terminal as it was.',
    mended: 'The log of requests has such characters as escapes.',
    test: 'test/cli/steeringWords.test.ts › in an answer of the service › that the log of requests has',
  },
  {
    found: 'The log of deliveries held marks that reverse the direction of text.',
    mended: 'Logs of the receiver and of the trigger service have them as JSON escapes.',
    test: 'test/cli/steeringWords.test.ts › in the log of deliveries, which stays JSON',
  },
  {
    found: 'Errors quoted a service with marks in it that reverse the direction of text.',
    mended: 'What a service said is told without format characters, as it was without control characters.',
    test: 'test/service/errors.test.ts › what was said is one line of at most 300 characters, without secrets and what steers a terminal',
  },
  {
    found: '`apply plan.json` overflowed the stack where the plan file was nested ten thousand levels deep.',
    mended: 'A plan file that is nested more deeply than any declaration is refused as no plan file.',
    test: 'test/cli/planFile.test.ts › is refused where it is nested more deeply than any declaration',
  },
  {
    found: 'A schedule whose inputs are nested ten thousand levels deep made the trigger service answer 500.',
    mended: 'Bodies have the limit that files have, and a refusal in words.',
    test: 'test/triggers/server.test.ts › the API of the trigger service › refuses inputs that are nested more deeply than a file may be',
  },
  {
    found: 'A file with sixty thousand unknown keys took half a minute to be refused.',
    mended: 'What follows from another problem is looked up, not searched for among all of them.',
    test: 'test/diagnostics/zodProblems.test.ts › parseWith › reports a hundred thousand problems within seconds',
  },
  {
    found: '`--lock-timeout` with a huge number filled the memory before the first look at the lock.',
    mended: 'The waits that are planned have a bound of days.',
    test: 'test/cli/agreed.test.ts › applies at once where it would wait for another run for ever',
  },
  {
    found: 'A partner whose name is no well-formed text ended `asns` as an internal error.',
    mended: 'Such a name is refused before anything is sent.',
    test: 'test/service/zones.test.ts › the reseller path is a template, and a name stays within its segment',
  },
  {
    found:
      'An undo that moved an IP by way of another zone was taken back half: the IP stayed in the zone between, as only its last call was seen to move it.',
    mended: 'An undo reads back what became of a call before the next one moves the same IP on.',
    test: 'test/cli/undo.test.ts › brings an IP back that it moved twice, and can be undone itself',
  },
  {
    found: 'An undo moved IPs that another declaration protects where the one that moved them was taken away.',
    mended:
      'The guards of declared resources with the same concurrency key hold for a resource that is no longer declared.',
    test: 'test/cli/undoGuards.test.ts › an undo of what is declared no more moves no IP that another declaration protects',
  },
  {
    found: 'A journal that was edited by hand ended `undo` and `history` as internal errors.',
    mended: 'Every line is checked as it is read, and a wrong one named by its number and field.',
    test: 'test/cli/journalEdits.test.ts › a journal › with %s is refused by undo, and nothing is called',
  },
  {
    found:
      'After a crash, a plan waited until the time of its last call, where the clock was set back since: for a day, say.',
    mended: 'A call that was sent later than now is waited for as if it was sent now.',
    test: 'test/cli/journalEdits.test.ts › a journal › whose last call was sent tomorrow, by a clock that was set back since, keeps nobody waiting',
  },
  {
    found:
      'A page, such as one to sign in, that answered the removal of a delivery or a schedule passed for the removal.',
    mended:
      'The answer to a removal has no body; what has one is an unexpected answer, and what is registered is read.',
    test: 'test/triggers/client.test.ts › %s does not take a page for a removal',
  },
  {
    found:
      'An undo whose answer was lost or wrong sent none of the remaining calls, and was recorded as done; the next undo took it back.',
    mended: 'An undo plans, sends and reads back until nothing is left, as an apply does.',
    test: 'test/cli/undoLostAnswers.test.ts › an undo whose migrate %s was carried out › sends the rest where its answer %s',
  },
  {
    found: 'An undo overwrote what changed while it asked for confirmation.',
    mended: 'Every call is verified again immediately before it is sent.',
    test: 'test/cli/undoRaces.test.ts › what changes while an undo asks › stops it before the first call: %s',
  },
  {
    found:
      'Where another user moved an IP of a call and listings lagged, the journal said that the other IPs of the call had stayed.',
    mended: 'Listings are read again until as many IPs have arrived as the service counted.',
    test: 'test/cli/lostIps.test.ts › when somebody else takes IPs, again and again › waits for the rest of the call in listings that lag, and knows that it moved',
  },
];
