import type { CheckId, Outcome, Status } from '@fairball/domain/protocol/report'
import type { ProofStage } from '../../proof/draw-proof.ts'
import type { Contradiction } from '../../proof/memory.ts'
import type { OwnPlay } from '../../proof/prove.ts'
import type { CheckGroup } from './check-groups.ts'

/** The words of a verdict. */
export interface VerdictWords {
  readonly title: string
  readonly text: string
}

/** The words of a draw's proof. */
export const PROOF_TEXTS = {
  noScript: 'This page recalculates the draw in your browser and needs JavaScript. The verifier below works offline.',
  noScriptVerifier: 'Download the verifier',
  title: (game: string, draw: number) => `Check draw ${draw.toLocaleString('en-US')} of ${game}`,
  printed: (when: string) => `The draw’s start: ${when}`,
  printedAt: 'Checked at',
  toDraw: (draw: number) => `Draw ${draw.toLocaleString('en-US')}`,
  toFairness: 'How fairness works here',

  statuses: {
    pass: 'Passed',
    warn: 'Passed, with a warning',
    unknown: 'Not shown here',
    wait: 'Not yet',
    fail: 'Failed',
    broken: 'Incomplete or damaged',
  } satisfies Record<Status, string>,
  notJudged: 'Not judged',
  waiting: 'Waiting',
  running: 'Checking',
  groups: {
    log: 'The public log',
    open: 'The announcement before the first sale',
    seal: 'The sealed list',
    beacon: 'The random number',
    numbers: 'The numbers',
    money: 'Money and prizes',
    papers: 'Your promises and receipts',
  } satisfies Record<CheckGroup, string>,
  checkList: 'Seven questions, seven answers',
  checkListLead: 'Your browser checked each one. Open a question to see the values behind it.',
  noPapers: 'No promise or receipt was given for this check.',

  stages: {
    papers: 'Fetching your promises and receipts…',
    record: 'Fetching the public record…',
    checking: 'Checking…',
  } satisfies Record<ProofStage, string>,
  starting: 'Getting ready…',
  checking: 'Checking this draw',

  drawOf: (game: string, draw: number) => `${game}, draw ${draw.toLocaleString('en-US')}`,
  outcomes: {
    proved: { title: 'It matches.', text: 'Your browser recalculated this draw. Nobody chose these numbers.' },
    holds: { title: 'It matches.', text: 'Your browser recalculated this draw. Not proved here:' },
    'not yet': { title: 'Not drawn yet.', text: 'What has been published so far is in order.' },
    failed: {
      title: 'It does not match.',
      text: 'What the operator has signed breaks the rules of the draw. Please keep the evidence.',
    },
    broken: { title: 'This record is incomplete or damaged.', text: 'That accuses no one. Check again later.' },
  } satisfies Record<Outcome, VerdictWords>,
  /** If numbers, random number, sealed list or prizes could not be checked. */
  partly: (count: number) => ({
    title: 'Nothing failed.',
    text: `${count} of 7 ${count === 1 ? 'check' : 'checks'} could not be made here.`,
  }),
  voidOutcomes: {
    proved: { title: 'This draw did not take place.', text: 'What has been published about it is in order.' },
    holds: {
      title: 'This draw did not take place.',
      text: 'What has been published about it is in order. Not proved here:',
    },
  } satisfies Partial<Record<Outcome, VerdictWords>>,
  words: {
    proved: 'Proved',
    holds: 'Holds, not proved',
    'not yet': 'Not drawn yet',
    failed: 'Failed',
    broken: 'Incomplete or damaged',
  } satisfies Record<Outcome, string>,
  reasons: {
    'open.postponed': 'that it was delayed before its random number was known',
    'beacon.chain': 'that nobody knew the random number before: it comes from a private beacon',
    'beacon.signature': 'that the random number is genuine',
    'void.reason': 'that there was a reason to void the draw',
  } satisfies Partial<Record<CheckId, string>>,
  notSealedInTime: 'that the list was sealed before the random number',
  notAnnounced: 'the whole announcement',
  warnings: 'Please note:',
  published: 'Published',
  recalculated: 'Recalculated here',
  publishedBalls: 'Published numbers',
  recalculatedBalls: 'Numbers recalculated here',
  equals: 'equals',
  differs: 'differs from',
  allSealed: (lines: number) =>
    lines === 1
      ? 'Your 1 line was in the sealed list.'
      : `Your ${lines.toLocaleString('en-US')} lines were all in the sealed list.`,
  alsoMoved: 'Lines of another order moved to another draw, as their receipt says.',
  noneSealed: 'Your lines moved to another draw, as their receipt says.',

  moments: 'What happened, and when',
  rulesFixed: 'Rules fixed',
  entriesSealed: 'Entries sealed',
  randomNumber: 'Random number',
  ballsDrawn: 'Balls drawn',
  drawVoid: 'Draw void',
  due: 'Due',

  contradiction: {
    promise: 'The operator has signed two different promises for one order.',
    receipt: 'The operator no longer provides a receipt that this browser keeps.',
  } satisfies Record<Contradiction['kind'], string>,
  contradictionKeep: 'Please keep what it signed.',
  downloadNotes: 'Download what was signed',
  couldNotFetch: { title: 'Couldn’t load the records.', text: 'That says nothing about the draw.' },
  couldNotCompute: {
    title: 'This browser could not run the check.',
    text: 'That says nothing about the draw.',
  },
  tryAgain: 'Try again',
  checkAgain: 'Check again',
  downloadBundle: 'Download bundle',
  downloadTrust: 'Download what this browser trusts',
  downloadEvidence: 'Download evidence',
  keep: 'Keep the proof',
  keepLead: 'One file with everything checked here. It can be checked again without this site, years from now.',
  keepWhenDone: 'Ready when the check has ended.',
  keepTrust: 'What this browser trusts is a second file, for the verifier’s option --trust.',
  bundlePrivate: 'Your copy contains your receipts. Keep it private, or log out before downloading.',

  playMissing:
    'A play that you paid for is not in the sealed list of this draw, and no receipt says why. Please keep the bundle: with your payment it is evidence.',
  plays: 'Your plays',
  playsLead: 'According to the promises and receipts that this browser keeps.',
  playsNone: 'This browser keeps no promise or receipt for this draw.',
  playWhere: {
    found: 'In the sealed list',
    missing: 'Not in the sealed list, and no receipt says why',
    moved: 'Moved to another draw, as its receipt says',
    unknown: 'Its part of the sealed list is not here',
  } satisfies Record<OwnPlay['where'], string>,
  playPlace: (index: number) => `place ${(index + 1).toLocaleString('en-US')}`,
  playId: 'Play',
  playLines: (lines: number) => (lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`),

  seeAgain: 'See it again',
  seeAgainLead: (isPlayer: boolean) => `Watch the balls drop${isPlayer ? ', with your lines beside them' : ''}.`,
  fingerprint: 'The log’s key',
  fingerprintLead: (origin: string) =>
    `Heads, promises and receipts of ${origin} are signed with this key, or with one that it named before. Compare it with what a friend sees: two people who are shown different keys are shown different logs.`,
  fingerprintLabel: 'key',
  keySeen: (when: string) => `This browser first saw it on ${when}.`,

  derivation: 'From the sealed seed to the balls',
  derivationLead:
    'They follow from a seed fixed before the first sale, from all plays, and from a random number that did not exist until the draw.',
  ingredients: 'What goes in',
  seed: 'Seed, published when the list was sealed',
  openHash: 'Hash of the announcement',
  closeHash: 'Hash of the sealed list’s statement, and so of all plays',
  round: 'Round of the random number',
  signature: 'Signature of that round',
  randomness: 'Its SHA-256',
  key: 'Key: HMAC-SHA-256 of them all with the seed',
  stream: 'The stream of bytes',
  streamLead: 'The key generates an endless stream of bytes. They are taken one by one from the left.',
  streamLabel: 'Bytes taken from the stream, in order',
  thrownAway: 'discarded',
  gives: (ball: number) => `gives ball ${ball}`,
  balls: 'Ball by ball',
  ballsLead: (pool: number) =>
    `Balls 1 to ${pool} are in a row. A byte points at a place in it, counted from 0; the ball there is drawn and removed, and the row closes up. A byte at or above the limit is discarded, since keeping it would favour the balls at the front.`,
  ball: (place: number, number: number) => `Ball ${place}: ${number}`,
  rejected: (hex: string, byte: number, limit: number, remaining: number) =>
    `Byte ${hex} = ${byte} is discarded: it is not below ${limit}, the largest multiple of ${remaining} in 256.`,
  used: (hex: string, byte: number, remaining: number, place: number, ball: number) =>
    `Byte ${hex} = ${byte}. ${byte} mod ${remaining} left = place ${place} → ball ${ball}`,

  tiers: 'Prizes',
  tiersLead: 'Winners and prizes as the operator signed them, recounted here. Amounts are for each winner.',
  tiersCaption: 'Winners and prizes per tier',
  matches: 'Matches',
  matchCount: (count: number, kind: string) => {
    const words = count === 1 ? '1 match' : `${count} matches`
    return kind === 'jackpot' ? `${words}, jackpot` : words
  },
  signed: 'Signed by the operator',
  tier: (winners: number, kind: string, satsEach: string) => {
    const count = winners === 1 ? '1 winner' : `${winners.toLocaleString('en-US')} winners`
    if (kind === 'free') return `${count}, a free ticket`
    return winners === 0 ? count : `${count}, ${satsEach} satoshis`
  },
} as const
