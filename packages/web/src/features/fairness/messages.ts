import { minorText } from '@fairball/domain/minor-text'

/** What is said of the first rules of a game. */
interface FirstRules {
  readonly pick: number
  readonly pool: number
  readonly currency: string
  /** hundredths */
  readonly price_minor: number
}

/** The words of the page about fairness. */
export const FAIRNESS_TEXTS = {
  games: 'The rules of each game',
  gamesLead:
    'A draw keeps the version it was announced with. A change is in the public record at least a week before its first draw.',
  ended: 'Ended',
  version: (version: number) => `Version ${version}`,
  versionFirst: (draw: number) => `applies from draw ${draw}.`,
  versionFrom: (draw: number, start: string) => `applies from draw ${draw}, on ${start}.`,
  versionEnds: (moment: string) => `ends the game: no draw starts after ${moment}.`,
  versionTakenBack: 'was taken back before it had a draw.',
  announcedAt: (when: string) => `Announced on ${when}:`,
  firstRules: ({ pick, pool, currency, price_minor }: FirstRules) => [
    `${pick} of ${pool} numbers.`,
    `A line costs ${minorText(price_minor, currency)}.`,
  ],

  title: 'Fairness you can check',
  summary:
    'Before tickets go on sale, we fix the rules and lock away a secret number. When sales close, the list of all lines is sealed and published. Only then does a public random number appear. The balls follow from these by arithmetic, so nobody can choose them, and your browser can repeat the calculation. What you still have to trust is listed below.',
  pictures: 'How a draw comes about',
  latest: 'Check the latest draw',
  latestLead: 'Your browser downloads the public record and recalculates everything.',
  latestOf: (game: string, draw: number) => `Check ${game}, draw ${draw.toLocaleString('en-US')}`,
  latestNone: 'There has been no draw yet. What has been published of the next ones can be checked already:',
  latestNext: 'What has been published of the next draws can be checked already:',
  experts: 'For experts',
  expertsLead:
    'What is fixed when, verifiers, witnesses, the hash of the build, the public log, and what this browser keeps.',
  lead: 'A lottery usually asks you to believe that the draw was honest. This one publishes everything you need to check every draw yourself, before, during and after it.',

  timeline: 'What is fixed, and when',
  timelineLead: 'Every commitment is signed and added to a public log. Nothing can be removed without a trace.',
  timelineSteps: [
    {
      name: 'Announced',
      when: 'before the first sale',
      text: 'The operator publishes the rules, the times, the exact public random number that will decide, and the hash of a secret seed. None of them can be changed unseen.',
    },
    {
      name: 'Promised',
      when: 'before you pay',
      text: 'Your browser makes a secret for your order and gets a signed promise: this payment buys these lines in these draws. It shows a code to scan only when the promise is right.',
    },
    {
      name: 'Sold',
      when: 'at least every 10 minutes',
      text: 'Paid plays are added to the draw’s list, whose fingerprint is logged each time. You get a signed receipt for your place in it.',
    },
    {
      name: 'Sealed',
      when: 'at least a minute before the random number',
      text: 'Sales are closed. The list, the seed and the money of the draw are fixed in one statement. Outside witnesses sign that they saw it in time.',
    },
    {
      name: 'Random number',
      when: 'at the draw’s start',
      text: 'The public random number appears. Nobody can know it before, and there is exactly one.',
    },
    {
      name: 'Drawn and paid',
      when: 'after the last ball',
      text: 'Numbers, winners and every satoshi follow by arithmetic. What was paid is logged each day.',
    },
  ],

  check: 'How to check a draw',
  checkLead: 'The quick way, and the way that doesn’t rely on us.',
  onSite: 'On this site',
  onSiteText:
    'Every draw has a page on which your browser checks it and shows how each ball came about. While you are logged in and a page of this site is open, your browser also fetches the sealed list of each draw you are in as soon as it is due, keeps when it saw it, and checks before the draw that your lines are in it.',
  outcomes: 'What a check can say',
  outcomeList: [
    { title: 'Proved', text: 'Everything was checked, and nobody chose the numbers.' },
    {
      title: 'Holds',
      text: 'Everything that could be checked is right. The check says what is not proved, such as that the list was sealed in time.',
    },
    { title: 'Not drawn yet', text: 'What has been published so far is right.' },
    { title: 'Failed', text: 'What the operator signed breaks the rules. The file is evidence that anyone can check.' },
    { title: 'Incomplete or damaged', text: 'The file is not what the operator signed. That accuses no one.' },
  ],
  saved: 'Check a saved bundle',
  savedText:
    'The page of a draw gives you a bundle: one file with everything that was published. Check one here: nothing is sent anywhere, and it works without a connection once this page is open.',
  savedLabel: 'Bundle or evidence file',
  savedHint: 'A file whose name ends in .bundle.json',
  savedOf: (name: string) => `What is in ${name}`,
  standalone: 'Without this site',
  standaloneText:
    'A page that a dishonest operator serves could lie about its own checks. So there is a verifier in one file: save it, compare its hash with the one others see, open it without a connection, and give it a bundle.',
  command: 'By command',
  commandText:
    'The source code holds two verifiers that were written independently, one for Node and one for Python 3.11. Each takes a bundle or evidence, and a file that says whom you trust:',
  commands: [
    'fairball-verify draw.bundle.json --trust trust.json',
    'python3 fairball_verify.py draw.bundle.json --trust trust.json',
  ],
  commandCodes: 'Their exit status is 0 for proved, 1 for failed, 2 for broken, 3 for holds and 4 for not yet.',
  standaloneDownload: 'Download the verifier',
  standaloneHash: 'SHA-256 of the file',
  standaloneHashLabel: 'hash of the verifier',
  standaloneMissing: 'The verifier’s file is not on this server at the moment.',

  promised: 'What is promised',
  promisedList: [
    'Nobody chooses or foresees the numbers, unless the operator and enough of those who make the random number work together.',
    'Once the numbers exist, nothing can be added, dropped, changed or stopped.',
    'Every amount follows from what is published: stakes, prize pool, prizes, and what is left for the next draw.',
    'A paid play is in its draw as promised. If it is not, promise and payment prove it.',
  ],
  trust: 'What you still have to trust',
  trustLead: 'Mathematics cannot cover everything. This is what remains.',
  trustList: [
    {
      title: 'That the operator and the source of randomness don’t collude',
      text: 'The numbers need the operator’s seed and the public random number. Only the operator together with enough of those who make the random number could know both in advance.',
    },
    {
      title: 'That the operator pays',
      text: 'The operator holds the money. Your receipt and the result prove what you are owed, and a missing payment can be proved, but not prevented.',
    },
    {
      title: 'That the operator doesn’t play',
      text: 'It may buy plays like anyone else. Each costs its full stake, of which the players’ share goes into the prize pool.',
    },
    {
      title: 'That someone saw the list in time',
      text: 'A list that was sealed too late is noticed only by those who looked before the draw: your own browser, or witnesses that you trust. Without either, a check says “holds” and not “proved”.',
    },
  ],
  trustLocal: 'This site uses a private beacon',
  trustLocalText:
    'This demo makes its own random numbers, so this proves the arithmetic, not honesty. For real draws the operator uses drand’s public beacon, run by many independent organisations together.',

  witness: 'Witnesses',
  witnessText:
    'A witness is a program run by someone independent. It signs only heads of the log that continue the last one it saw, with the time. A draw counts only once the witnesses that it names have signed its sealed list in time.',
  witnessTrust:
    'You choose whom to trust: name the witnesses you trust here, and this browser asks for their signatures. Those that only the operator names prove nothing to you.',
  witnessNone:
    'This operator names no outside witness. A check on this site is proved only if your own browser saw the sealed list before the draw; otherwise no one can say that it was sealed in time.',
  witnessNamed: (names: readonly string[]) => `The newest draw names these witnesses: ${names.join(', ')}.`,
  witnessRun:
    'Anyone may run one: fairball-witness is part of the source code and speaks the standard of public logs (C2SP tlog-witness).',
  witnessDownload: 'Download the witness',
  policyLabel: 'Witnesses you trust, as a policy (C2SP tlog-policy)',
  policyHint: 'Lines such as “witness w1 example.org+…” and one “quorum w1”. Leave it empty to name none.',
  policySave: 'Save the policy',
  policySaved: 'Saved. The next check asks for these witnesses.',

  build: 'What this site runs',
  buildLead:
    'Anyone can build this software from its source code, and gets the same files to the last byte, on any computer.',
  buildCheck: (version: string) =>
    `Get the source code of version ${version}, run “npm run build-hash” in it, and compare what it prints with this:`,
  buildHash: (version: string) => `SHA-256 of the build, version ${version}`,
  buildHashLabel: 'hash of the build',
  buildLicences: 'Download the licences of the libraries in these pages',
  buildCompare: (address: string) =>
    `The hash is only this server’s claim. “npm run build-hash -- ${address}” fetches the files that your browser is sent, and compares each with yours. No one outside can see what happens inside a server, so every draw can be checked without it.`,

  log: 'The log',
  logLead: 'The latest statements, newest first.',
  logKey: 'Key of the log',
  logSize: (size: number) => (size === 1 ? '1 statement in all' : `${size.toLocaleString('en-US')} statements in all`),
  logMore: 'Show earlier statements',
  logCaption: 'Latest statements of the log',
  logTextLabel: (index: number) => `Text of statement ${index}`,
  logStatements: {
    log: 'The log begins',
    key: 'The key of the log changes',
    chain: 'A source of random numbers is described',
    game: 'The rules of a game are announced',
    open: 'A draw is announced',
    sold: 'Plays are added to a draw',
    close: 'A draw is sealed',
    postpone: 'A draw is delayed',
    result: 'A draw has its result',
    void: 'A draw does not take place',
    paid: 'What was paid',
    solvency: 'What is owed and held',
    code: 'The program that is served changes',
  } as Readonly<Record<string, string>>,
  draw: (game: string, draw: number) => `${game}, draw ${draw.toLocaleString('en-US')}`,

  logKeyLabel: 'key',

  memory: 'What this browser keeps',
  memoryNone: 'Nothing yet. From your first order, or the first draw you check here, it keeps what it saw.',
  memoryKey: 'Log first seen',
  memoryLog: 'Log checked up to',
  memoryStatement: (size: number) => (size === 1 ? '1 statement' : `${size.toLocaleString('en-US')} statements`),
  memoryOrders: 'Secrets of orders made here',
  memoryPapers: 'Promises and receipts',
  memorySeals: 'Sealed lists seen before their draws',
  memoryLead:
    'It is kept on this device only, and each later answer is compared with it. Against a changed log it is your evidence. It includes the secrets of your orders, which show which plays are yours.',
  forget: 'Delete all of it',
  forgetAsk: 'This cannot be undone: your browser could then no longer distinguish a changed log from the first one.',
  forgetYes: 'Yes, delete it',
  forgetNo: 'Keep it',
} as const
