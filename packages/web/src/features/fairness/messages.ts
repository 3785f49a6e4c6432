import type { Outcome, Report, StepName } from '@fairball/domain/fairness/report'
import type { CollectStage } from '../../proof/collect.ts'

/** The words of a draw's proof. */
export const PROOF_TEXTS = {
  noScript: 'This page recalculates the draw in your browser and needs JavaScript. The verifier works offline:',
  noScriptVerifier: 'download the verifier',
  title: (game: string, draw: number) => `Check draw ${draw.toLocaleString('en-US')} of ${game}`,
  lead: 'Your browser downloads the public record and recalculates everything.',
  printed: (when: string) => `The draw’s start: ${when}`,
  printedAt: 'Checked at',
  toDraw: (draw: number) => `Draw ${draw.toLocaleString('en-US')}`,
  toFairness: 'How fairness works here',

  outcomes: { passed: 'Passed', failed: 'Failed', unchecked: 'Not checkable here' } satisfies Record<Outcome, string>,
  waiting: 'Waiting',
  running: 'Checking',
  steps: {
    log: 'The log',
    open: 'The promise before the first sale',
    close: 'The sealed list',
    beacon: 'The beacon',
    numbers: 'The numbers',
    prizes: 'The prizes',
    receipts: 'Your own lines',
  } satisfies Record<StepName, string>,
  stepList: 'The seven steps',
  stepListLead: 'Each step opens: what should be so, what was found, and the values that went into it.',

  stages: {
    log: 'Fetching the log of signed statements…',
    draw: 'Fetching the statements about this draw…',
    entries: 'Fetching the sealed entries…',
    receipts: 'Fetching your receipts…',
  } satisfies Record<CollectStage, string>,
  starting: 'Getting ready…',
  verifying: (done: number, all: number) => `Computing: ${done} of ${all} steps done…`,

  summary: 'Result',
  holds: 'All checks passed.',
  fails: 'A check failed.',
  failsLead:
    'The steps marked “Failed” say what. Please keep the evidence: it is a file with everything that was published and what is wrong with it, for anybody to check.',
  demoHint: 'Was this demo reset? This browser still remembers the one before.',
  demoHintLink: 'What this browser remembers',
  notYet: 'Not drawn yet',
  states: {
    open: 'This draw has not been drawn yet: it is open for sale. What has been published so far is in order.',
    closed: 'This draw has not been drawn yet: its entries are sealed. What has been published so far is in order.',
    settled: 'Nothing fails here, but not everything could be checked.',
    void: 'This draw did not take place. What was published about it holds.',
  } satisfies Record<Report['state'], string>,
  couldNotFetch: 'What was published about this draw could not be fetched. That says nothing about the draw.',
  couldNotCompute: 'This browser could not run the check. That says nothing about the draw.',
  tryAgain: 'Try again',
  checkAgain: 'Check again',
  downloadBundle: 'Download bundle',
  downloadEvidence: 'Download evidence',
  bundleNote:
    'The bundle is one file with everything that was checked here. It can be checked again without this site, today or in ten years.',
  bundlePrivate:
    'Your copy contains your receipts, which show which lines are yours. Keep it private, or log out before downloading.',

  fingerprint: 'The operator’s key',
  fingerprintLead: (operator: string) =>
    `Every statement of ${operator} is signed with this key, or with one that it handed over to in the log. Compare its fingerprint with what a friend sees, or with one you noted earlier: if two people are shown different keys, they are shown different logs.`,
  fingerprintLabel: 'fingerprint',
  keySeen: (when: string) => `This browser first saw it on ${when}.`,

  derivation: 'From the sealed seed to the balls',
  derivationLead:
    'Nobody chose these numbers. They follow from a seed that was fixed before the first sale, from all entries, and from randomness that did not exist until the draw.',
  ingredients: 'What goes in',
  seed: 'Seed, published at the sealing',
  openHash: 'Hash of the promise before the first sale',
  closeHash: 'Hash of the sealing, and so of all entries',
  round: 'Round of the beacon',
  signature: 'Signature of that round',
  randomness: 'Its SHA-256: the randomness',
  key: 'Key: HMAC-SHA-256 of them all with the seed',
  stream: 'The stream of bytes',
  streamLead: 'The key gives an endless row of bytes. They are taken one by one from the left.',
  streamLabel: 'Bytes taken from the stream, in order',
  thrownAway: 'discarded',
  gives: (ball: number) => `gives ball ${ball}`,
  balls: 'Ball by ball',
  ballsLead: (pool: number) =>
    `The balls 1 to ${pool} lie in a row. A byte points at a place in it, counted from 0; the ball there is drawn and taken out, and the row closes up. A byte at or above the limit is discarded, since keeping it would favour the balls at the front.`,
  ball: (place: number, number: number) => `Ball ${place}: ${number}`,
  rejected: (hex: string, byte: number, limit: number, remaining: number) =>
    `Byte ${hex} = ${byte} is discarded: it is not below ${limit}, the largest multiple of ${remaining} in 256.`,
  used: (hex: string, byte: number, remaining: number, place: number, ball: number) =>
    `Byte ${hex} = ${byte}. ${byte} mod ${remaining} left = place ${place} → ball ${ball}`,

  tiers: 'Prizes, computed and signed',
  tiersLead: 'Recounted from the sealed entries, beside what the operator signed. Amounts are for each winner.',
  tiersCaption: 'Winners and prizes per tier',
  matches: 'Matches',
  matchCount: (count: number, kind: string) => {
    const words = count === 1 ? '1 match' : `${count} matches`
    return kind === 'jackpot' ? `${words}, jackpot` : words
  },
  computed: 'Computed here',
  signed: 'Signed by the operator',
  comparison: 'Comparison',
  same: 'The same',
  different: 'Different',
  notSigned: 'Not signed yet',
  tier: (winners: number, kind: string, satsEach: string) => {
    const count = winners === 1 ? '1 winner' : `${winners.toLocaleString('en-US')} winners`
    if (kind === 'free') return `${count}, a free ticket`
    return winners === 0 ? count : `${count}, ${satsEach} satoshis`
  },
} as const

/** The words of the page about fairness. */
export const FAIRNESS_TEXTS = {
  title: 'Fairness you can check',
  lead: 'A lottery usually asks you to believe that the draw was honest. This one publishes what it takes to check every draw yourself, before, during and after it.',

  timeline: 'What is fixed, and when',
  timelineLead: 'Every commitment is signed and added to a public log. Nothing can be removed without a trace.',
  timelineSteps: [
    {
      name: 'Opened',
      when: 'before the first sale',
      text: 'The operator makes a secret seed and publishes its hash, together with the rules, the times and the exact round of public randomness that will decide. From then on none of them can be changed unseen.',
    },
    {
      name: 'Sold',
      when: 'until sales close',
      text: 'Each line that is played becomes an entry, and its player gets a signed receipt for it, with a secret that nobody else is shown.',
    },
    {
      name: 'Sealed',
      when: 'before the draw, at least a minute',
      text: 'Sales are closed. One hash over all entries is published, with the entries and the seed themselves. No entry can be added, changed or dropped any more without leaving evidence.',
    },
    {
      name: 'Beacon',
      when: 'at the draw’s start',
      text: 'The round of public randomness comes into being. Nobody could know it while entries were sold or sealed, and there is exactly one valid value.',
    },
    {
      name: 'Drawn',
      when: 'at the same moment',
      text: 'The numbers follow from seed, entries and randomness by arithmetic alone. Anybody can compute them, whether the operator answers or not.',
    },
    {
      name: 'Paid',
      when: 'after the last ball',
      text: 'Winners and prizes are counted and signed. You can count them again from the sealed entries.',
    },
  ],

  check: 'How to check a draw',
  checkLead: 'The quick way, and the way that doesn’t rely on us.',
  onSite: 'On this site',
  onSiteText:
    'Every draw has a page on which your browser checks it step by step and shows how each ball came about. While you are signed in and a page of this site is open, your browser also fetches the sealing of each draw you are in as soon as it is due, remembers when it saw it, and checks before the draw that your own lines are in it.',
  saved: 'Check a saved bundle',
  savedText:
    'The page of a draw gives you a bundle: one file with all that was published. Check one here: nothing is sent anywhere, and it works without a connection once this page is open.',
  savedLabel: 'Bundle or evidence file',
  savedHint: 'A file named like fairball-bitcoin-lotto-17.bundle.json',
  savedOf: (name: string) => `What is in ${name}`,
  standalone: 'Without this site',
  standaloneText:
    'A page that a dishonest operator serves could lie about its own checks. So there is a verifier in one file: save it, compare its hash with the one that others see, open it without a connection, and give it a bundle. The source code of this software also holds a verifier for the command line and a second one, written independently in Python.',
  standaloneDownload: 'Download the verifier',
  standaloneHash: 'SHA-256 of the file',
  standaloneHashLabel: 'hash of the verifier',
  standaloneMissing: 'The verifier’s file is not on this server at the moment.',

  trust: 'What you still have to trust',
  trustLead: 'No mathematics covers everything. This is what is left.',
  trustList: [
    {
      title: 'That the operator and the source of randomness don’t collude',
      text: 'The numbers need the operator’s seed and the public randomness. Only the operator together with enough of those who make the randomness could know both in advance. No scheme of this kind prevents that one coalition.',
    },
    {
      title: 'That the operator pays',
      text: 'The operator holds the money. A proof shows what you have won, not that it will be sent. What the operator owes and holds is published, but it is the operator’s own word.',
    },
    {
      title: 'That someone is watching',
      text: 'Changing a sealing leaves evidence only if someone outside saw the first one before the draw. Your browser does that for the draws you are in while a page of this site is open, and witnesses do it around the clock.',
    },
  ],
  trustLocal: 'This site uses a beacon of its own',
  trustLocalText:
    'This is a demo: its randomness comes from a key on this very server. It shows the arithmetic, not the honesty. For real draws the operator uses drand’s public beacon, run by many independent organisations together.',

  witness: 'Witnesses',
  witnessText:
    'A witness is a program run by someone independent. It follows the log, checks every statement, signs each sealing with the time it saw it, keeps what it saw, and raises an alarm if the log is split in two, a sealing is late, or the operator falls silent. A draw can promise before its first sale that its sealing counts only with the signatures of named witnesses.',
  witnessRun:
    'Anyone may run one: the program fairball-witness is part of this software’s source code, needs nothing but this site’s address, and keeps its findings in a file of its own.',
  witnessDownload: 'Download the witness',

  build: 'What this site runs',
  buildLead:
    'Anybody can build this software from its source code, and gets the same files to the last byte, on any computer.',
  buildCheck: (version: string) =>
    `Get the source code of version ${version}, run “npm run build-hash” in it, and compare what it prints with this:`,
  buildHash: (version: string) => `SHA-256 of the build, version ${version}`,
  buildHashLabel: 'hash of the build',
  buildLicences: 'Download the licences of the libraries in these pages',
  buildCompare: (address: string) =>
    `The hash is this server’s own word. “npm run build-hash -- ${address}” fetches the files that your browser is sent, and compares each with yours. What happens inside a server nobody can see from outside: this is why every draw can be checked without it.`,

  log: 'The log',
  logLead: 'The latest signed statements, newest first. Each names the hash of the one before it.',
  logFingerprint: 'Fingerprint of the operator’s key',
  logMore: 'Show earlier statements',
  logCaption: 'Latest statements of the log',
  logText: 'Text',
  logTextLabel: (seq: number) => `Text of statement ${seq}`,
  logProof: 'Check',
  logProofLabel: (game: string, draw: number) => `Check draw ${draw.toLocaleString('en-US')} of ${game}`,
  logStatements: {
    log: () => 'The log begins with the operator’s key',
    key: () => 'The operator’s key changes',
    chain: (name: string) => `The beacon “${name}” is described`,
    open: (draw: string) => `${draw} is opened`,
    close: (draw: string, entries: number) =>
      `${draw} is sealed with ${entries === 1 ? '1 entry' : `${entries.toLocaleString('en-US')} entries`}`,
    postpone: (draw: string) => `${draw} is put off`,
    result: (draw: string, numbers: readonly number[]) => `${draw} is drawn: ${numbers.join(', ')}`,
    void: (draw: string) => `${draw} does not take place`,
  },
  draw: (game: string, draw: number) => `${game}, draw ${draw.toLocaleString('en-US')}`,
  someDraw: 'An earlier draw',

  memory: 'What this browser remembers',
  memoryNone:
    'Nothing yet. From the first draw you check here on, it remembers the operator’s key and how far it has seen the log.',
  memoryKey: 'Operator’s key first seen',
  memoryLog: 'Log verified up to',
  memoryStatement: (seq: number) => `statement ${seq.toLocaleString('en-US')}`,
  memoryCloses: 'Sealings seen before their draws',
  memoryLead: 'It is kept on this device only. Against a changed log it is your evidence.',
  forget: 'Delete all of it',
  forgetAsk: 'This cannot be undone: a log that was changed could then no longer be told from the first one.',
  forgetYes: 'Yes, delete it',
  forgetNo: 'Keep it',
} as const
