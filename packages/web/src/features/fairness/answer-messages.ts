import type { CheckGroup } from './check-groups.ts'

/** The questions about a draw, and the sentences that answer them. Which of them is said follows from the checks. */
export const ANSWER_TEXTS = {
  questions: {
    log: 'Is the public record unbroken?',
    open: 'Were the rules fixed in advance?',
    seal: 'Could a ticket be added after sales closed?',
    beacon: 'Where did the random number come from?',
    numbers: 'Do the balls follow from it?',
    money: 'Were the winners counted correctly?',
    papers: 'Were my lines included?',
  } satisfies Record<CheckGroup, string>,
  failed: (why: string) => `This check failed: ${why}.`,
  broken: (why: string) => `This part of the record is incomplete or damaged: ${why}.`,
  notYet: (why: string) => `Not yet: ${why}.`,
  notShown: (why: string) => `Not proved here: ${why}.`,
  warned: (answer: string, why: string) => `${answer} Please note: ${why}.`,
  notChecked: 'Not checked here.',

  log: (size: number) => `Yes. Its ${entriesOf(size)} signed as one, and those of this draw are among them, in order.`,
  open: (when: string) => `Yes. Signed and published on ${when}, before any ticket for this draw.`,
  sealed: (lines: number, when: string) => `${allLines(lines)} the list sealed at ${when}.`,
  sealedProved: (sealed: string) => `Not without a trace. ${sealed}`,
  sealedSigned: (names: readonly string[]) => `Signed in time by ${names.join(', ')}.`,
  sealedUnproved: (sealed: string, reasons: readonly string[]) => `${sealed} Not proved here: ${reasons.join('; ')}.`,
  toBeSealed: (when: string) => `Not yet. The list is sealed once sales have closed, ${when}.`,
  beacons: {
    public: 'From drand’s public beacon',
    demo: 'From this demo’s own beacon',
    own: 'From the operator’s own beacon',
  },
  round: (beacon: string, round: number, due: string) =>
    `${beacon}, round ${round.toLocaleString('en-US')}, due at ${due}.`,
  signatures: {
    pass: 'The signature is valid.',
    wait: 'It is not here yet.',
    unknown: 'Its signature could not be checked here.',
  },
  numbers: (numbers: readonly number[]) => `Yes. Recalculated here: ${numbers.join(', ')}.`,
  otherNumbers: (numbers: readonly number[], published: readonly number[]) =>
    `No. Recalculated here: ${numbers.join(', ')}. Published: ${published.join(', ')}.`,
  notDrawn: 'Not drawn yet.',
  winners: (lines: number) => {
    if (lines === 0) return 'Yes. No line won, and every sum matches.'
    return lines === 1
      ? 'Yes. 1 winning line, and its prize matches.'
      : `Yes. ${lines.toLocaleString('en-US')} winning lines, and every prize matches.`
  },
  moneySoFar: 'Not counted yet. So far every sum matches.',
  moneyOfVoid: 'Nobody won: the draw did not take place. Every sum matches.',
  visitor: 'Log in, or scan your printed ticket, to check your lines.',
  scanned: 'Your printed ticket is checked above.',
  noPapers: 'This browser keeps no promise or receipt for this draw.',
  included: (lines: number) =>
    lines === 1
      ? 'Yes. Your 1 line is in the sealed list.'
      : `Yes. All ${lines.toLocaleString('en-US')} of your lines are in the sealed list.`,
  promised: 'They are promised. The list is sealed once sales have closed.',
  moved: 'They moved to another draw, as their receipt says.',
  unseen: 'The part of the sealed list with your lines is not here.',
  missing: 'No. Lines that you paid for are not in the sealed list.',
  papers: 'Yes. The promises and receipts in this file match the sealed list.',
} as const

function entriesOf(size: number): string {
  return size === 1 ? '1 entry is' : `${size.toLocaleString('en-US')} entries are`
}

function allLines(lines: number): string {
  return lines === 1 ? 'The only line matches' : `All ${lines.toLocaleString('en-US')} lines match`
}
