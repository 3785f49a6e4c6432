import type { Bundle, OwnRecord } from '@fairball/domain/fairness/bundle'
import { toHex } from '@fairball/domain/fairness/bytes'
import { roundDueAt } from '@fairball/domain/fairness/chain'
import { ENTRY_RECORD_BYTES } from '@fairball/domain/fairness/entry'
import { fixedBytes, publishedBytes } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { resigned, textOf } from '@fairball/domain/fairness/resigned-fixture'

import {
  afterwards,
  changing,
  cleverly,
  type ExampleBundle,
  freeTickets,
  missedOnce,
  opened,
  settled,
} from './example-draws.ts'
import {
  chainUnknown,
  EMPTY_OWN,
  settledAfterKeyChange,
  settledWithBadKeyChange,
  oneKeyTwice,
  postponedFor,
  unsealedVoid,
  forkedReceipt,
  roundShifted,
  postponedAfterSealing,
  postponedTimes,
  postponedTooLittle,
  voidOf,
  sealedAt,
  sealedTwice,
  witnessedAt,
  resealed,
  longLine,
  movedNumber,
  freeNumber,
  resultTwice,
  notSealed,
} from './dishonest-draws.ts'

/** Dishonest draws, each with one thing wrong. */
export function dishonestBundles(): ExampleBundle[] {
  const list: ExampleBundle[] = []
  const add = (
    name: string,
    about: string,
    bundle: Bundle,
    failed: readonly string[],
    state: ExampleBundle['state'] = 'settled',
  ): void => {
    list.push({ name, about, outcome: 'failed', state, failed, bundle })
  }
  const { operator, draw, bundle, closeHash } = settled()
  const open = operator.openOf(draw)
  const entries = bundle.entries ?? new Uint8Array()
  const dueAt = roundDueAt(open.round, operator.chain)
  const note = (type: string): number => bundle.log.findIndex((one) => one.startsWith(`fairball/${type}/v1\n`))

  // The log.
  const cut = bundle.log.with(note('close'), (bundle.log[note('close')] ?? '').replace('stake 60000', 'stake 50000'))
  add(
    'statement-changed',
    'A figure was changed without signing anew.',
    { ...bundle, log: cut },
    ['log.signatures'],
    'open',
  )
  add(
    'statement-missing',
    'A statement was left out.',
    { ...bundle, log: bundle.log.toSpliced(1, 1) },
    ['log.chain'],
    'open',
  )
  const unreadable = bundle.log.with(1, (bundle.log[1] ?? '').replace('period 3', 'period 03'))
  add(
    'statement-not-canonical',
    'A number has a leading zero.',
    { ...bundle, log: unreadable },
    ['log.readable'],
    'open',
  )
  const early = afterwards(
    bundle,
    operator,
    changing('result', () => ({ time: 1 })),
  )
  add('time-goes-back', 'The result is dated before the seal.', early, ['log.chain'], 'closed')
  const stranger = { name: operator.name, keySeed: fixedBytes('a stranger') }
  const foreign = {
    ...bundle,
    log: resigned(
      bundle.log,
      stranger,
      changing('result', ({ time }) => ({ time: time + 1 })),
    ),
  }
  add(
    'signed-by-another-key',
    'The result is signed with a key that the log never named.',
    foreign,
    ['log.signatures'],
    'closed',
  )
  const other: OwnRecord = { ...EMPTY_OWN, key: toHex(fixedBytes('another key')) }
  add('key-is-another', 'Another first key was seen of this operator before.', { ...bundle, own: other }, ['log.key'])
  const { operator: renewed, bundle: renewedBundle } = settledAfterKeyChange()
  const later: OwnRecord = { ...EMPTY_OWN, key: toHex(renewed.publicKey) }
  add(
    'key-is-a-later-one',
    'The key that was seen first is not the first of the log, but a later one.',
    { ...renewedBundle, own: later },
    ['log.key'],
  )
  const replaced = settledWithBadKeyChange()
  add('key-changed-alone', 'A new key was not signed by the old one.', replaced, ['log.signatures'], 'open')
  const twice = new OperatorFixture()
  const seed = fixedBytes('one seed')
  twice.settle(twice.open(1, [], { seed }))
  const again = twice.open(2, [], { seed })
  twice.settle(again)
  add(
    'seed-used-twice',
    'The draw was opened with the seed of an earlier one.',
    twice.bundle(again),
    ['log.seeds'],
    'open',
  )
  const doubled = opened()
  doubled.operator.open(1, [], { seed: fixedBytes('a second seed') })
  doubled.operator.settle(doubled.draw)
  add('opened-twice', 'The draw was opened a second time with another seed.', doubled.operator.bundle(doubled.draw), [
    'open.once',
  ])
  const sight = { ...EMPTY_OWN, sights: [{ hash: '5e'.repeat(32), seenAt: open.close + 20 }] }
  add('another-seal-was-seen', 'A player saw another seal before the round.', { ...bundle, own: sight }, ['log.fork'])
  const forked = forkedReceipt(operator, draw, bundle)
  add('another-seal-was-signed', 'A player holds another seal, signed, with its receipt.', forked, [
    'log.fork',
    'receipts.close',
    'receipts.sealed',
  ])

  // What was fixed.
  add('round-of-another-time', 'The round is not the first at or after the start.', roundShifted(), ['open.round'])
  add(
    'rules-changed',
    'The rules have another prize.',
    { ...bundle, rules: bundle.rules.replace('tier 5 fixed 500000', 'tier 5 fixed 400000') },
    ['open.rules'],
  )
  add(
    'receipt-before-opening',
    'A receipt is older than the opening.',
    { ...bundle, own: { ...EMPTY_OWN, receipts: [operator.receipt(draw, 0, closeHash, open.time - 1)] } },
    ['open.receipts'],
  )
  add('postponed-after-sealing', 'The draw was postponed once its seed was public.', postponedAfterSealing(), [
    'open.postponed',
    'close.once',
  ])
  add('postponed-thrice', 'The draw was postponed a third time.', postponedTimes(3), ['open.postponed'])
  add('postponed-too-little', 'The new start is five minutes away.', postponedTooLittle(), ['open.postponed'])
  add('postponed-too-early', 'It was postponed while it could still be sealed in time.', postponedFor('outage', -90), [
    'open.postponed',
  ])
  add(
    'postponed-for-no-witness',
    'It was postponed for witnesses that it did not need.',
    postponedFor('witness', -30),
    ['open.postponed'],
  )
  add(
    'void-beacon-unsealed',
    'A draw that was never sealed was given up for want of a beacon.',
    unsealedVoid('beacon', 7 * 86_400),
    ['open.void'],
    'void',
  )
  add(
    'void-outage-too-early',
    'It was given up while it could still be sealed in time.',
    unsealedVoid('outage', -90),
    ['open.void'],
    'void',
  )
  const { operator: hasty, draw: wanted } = missedOnce()
  add(
    'void-at-first-miss-with-receipt',
    'A draw that somebody was in was given up when it was not sealed in time once.',
    hasty.bundle(wanted, { own: { ...EMPTY_OWN, username: 'alice', receipts: [hasty.receipt(wanted, 0, null)] } }),
    ['open.void'],
    'void',
  )
  add('void-after-sealing', 'A sealed draw was given up for an outage.', voidOf('outage', 1000), ['open.void'], 'void')
  add('void-too-early', 'A sealed draw was given up after a day.', voidOf('beacon', 86_400), ['open.void'], 'void')

  add('chain-unknown', 'The log describes no chain of this hash.', chainUnknown(), ['open.chain'])

  // The seal.
  const otherSeed = toHex(fixedBytes('another seed'))
  add(
    'seed-changed',
    'The seed in the seal is another one.',
    cleverly(
      bundle,
      operator,
      changing('close', () => ({ seed: otherSeed })),
    ),
    ['close.seed'],
  )
  add(
    'root-changed',
    'The root in the seal is another one.',
    cleverly(
      bundle,
      operator,
      changing('close', () => ({ root: 'ab'.repeat(32) })),
    ),
    ['close.root'],
  )
  const changed = publishedBytes(
    draw.entries.map((entry, place) => (place === 1 ? { ...entry, mask: movedNumber(entry.mask) } : entry)),
  )
  add('entry-changed', 'A number of an entry was changed after the sealing.', { ...bundle, entries: changed }, [
    'close.root',
  ])
  add(
    'entry-dropped',
    'An entry was dropped after the sealing.',
    { ...bundle, entries: entries.slice(ENTRY_RECORD_BYTES) },
    ['close.count', 'close.root'],
  )
  add('entry-cut-off', 'The entries end in the middle of one.', { ...bundle, entries: entries.slice(0, -1) }, [
    'close.count',
    'close.root',
  ])
  add(
    'entries-unordered',
    'Two entries were sealed in the wrong order.',
    resealed(bundle, operator, draw, [1, 0, 2, 3, 4]),
    ['close.order'],
  )
  add('entry-sealed-twice', 'One entry was sealed twice.', resealed(bundle, operator, draw, [0, 0, 1, 2, 3, 4]), [
    'close.order',
  ])
  add(
    'count-of-free-wrong',
    'The seal says that one entry was free.',
    cleverly(
      bundle,
      operator,
      changing('close', () => ({ free: 1 })),
    ),
    ['close.count', 'prizes.free'],
  )
  add('line-too-long', 'An entry with seven numbers was sealed.', longLine(bundle, operator, draw), ['close.lines'])
  add('sealed-too-late', 'It was sealed half a minute before its round.', sealedAt(dueAt - 30), ['close.time'])
  add('sealed-during-sales', 'It was sealed before sales closed.', sealedAt(open.close - 1), ['close.time'])
  add('sealed-twice', 'It was sealed a second time with another root.', sealedTwice(), ['close.once'])
  add('witness-missing', 'It needed a witness and has none.', witnessedAt(null), ['close.witnesses'])
  add('witness-too-late', 'Its witness signed it half a minute before its round.', witnessedAt(dueAt - 30), [
    'close.witnesses',
  ])

  add(
    'witness-dated-before-sealing',
    'Its witness signed it more than a minute before it was made.',
    witnessedAt(open.close + 4 - 61),
    ['close.witnesses'],
  )
  add('witness-named-twice', 'Its two witnesses have one key.', oneKeyTwice(), ['log.readable'], 'open')

  // Beacon, numbers, prizes.
  const wrongSignature = operator.signatureOf(open.round + 1n)
  add(
    'beacon-signature-wrong',
    'The beacon is said to have given the signature of the next round.',
    { ...bundle, beacon: { round: open.round, signature: wrongSignature } },
    ['beacon.signature'],
  )
  add(
    'beacon-round-wrong',
    'The next round was used.',
    { ...bundle, beacon: { round: open.round + 1n, signature: wrongSignature } },
    ['beacon.signature'],
  )
  add(
    'result-signature-wrong',
    'The result holds the signature of the next round.',
    cleverly(
      { ...bundle, beacon: null },
      operator,
      changing('result', () => ({ signature: wrongSignature })),
    ),
    ['beacon.signature'],
  )
  const swapped = changing('result', ({ numbers: [a = 0, b = 0, ...rest] }) => ({ numbers: [b, a, ...rest] }))
  add('numbers-swapped', 'Two numbers stand in the wrong order.', afterwards(bundle, operator, swapped), [
    'numbers.derived',
  ])
  const redrawn = changing('result', ({ numbers }) => ({ numbers: numbers.with(-1, freeNumber(numbers)) }))
  add('number-changed', 'The last number is another one.', afterwards(bundle, operator, redrawn), ['numbers.derived'])
  add(
    'result-too-early',
    'The result was made before the round was due.',
    afterwards(
      bundle,
      operator,
      changing('result', () => ({ time: dueAt - 1 })),
    ),
    ['numbers.result'],
  )
  add('result-twice', 'There are two results.', resultTwice(), ['numbers.result'])
  const moreWinners = changing('result', ({ tiers }) => ({
    tiers: tiers.map((tier) => (tier.kind === 'free' ? { ...tier, winners: tier.winners + 1 } : tier)),
  }))
  add('winners-changed', 'The result counts a winner too many.', afterwards(bundle, operator, moreWinners), [
    'prizes.tiers',
  ])
  const lessPaid = changing('result', ({ tiers }) => ({
    tiers: tiers.map((tier) => (tier.kind === 'fixed' ? { ...tier, satsEach: tier.satsEach - 1n } : tier)),
  }))
  add('amount-changed', 'The fixed prizes are a satoshi short.', afterwards(bundle, operator, lessPaid), [
    'prizes.tiers',
  ])
  const { operator: lavish, draw: second } = freeTickets(12)
  add('free-tickets-not-won', 'More free tickets were used than won.', lavish.bundle(second), ['prizes.free'])

  const inEuros = changing('close', ({ rate }) => ({ rate: { ...rate, currency: 'EUR' } }))
  add('rate-of-another-currency', 'Prizes were turned into bitcoin from euros.', cleverly(bundle, operator, inEuros), [
    'prizes.rate',
  ])

  // Receipts.
  const withReceipt = (receipt: OwnRecord['receipts'][number], username = 'alice'): Bundle => ({
    ...bundle,
    own: { ...EMPTY_OWN, username, receipts: [receipt] },
  })
  const receipt = operator.receipt(draw, 0, closeHash)
  add('receipt-of-another', 'The receipt names another player.', withReceipt(receipt, 'bob'), ['receipts.owner'])
  const resold = operator.sign(textOf(receipt.receipt).replace(/^order .*$/m, 'order another-order'))
  add(
    'entry-in-two-receipts',
    'Two orders have a receipt for the same entries.',
    { ...bundle, own: { ...EMPTY_OWN, username: 'alice', receipts: [receipt, { ...receipt, receipt: resold }] } },
    ['receipts.once'],
  )
  const altered = { ...receipt, receipt: receipt.receipt.replace(/ 0 \d+,/, (start) => start.replace(/\d+,$/, '1,')) }
  add('receipt-altered', 'The receipt was changed after it was signed.', withReceipt(altered), [
    'receipts.signature',
    'receipts.sealed',
  ])
  const [first, ...others] = receipt.entries
  const path = (first?.path ?? []).map((hash) => hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))
  const lost = { ...receipt, entries: first === undefined ? [] : [{ ...first, path }, ...others] }
  add('receipt-path-wrong', 'The path of an entry does not lead to the root.', withReceipt(lost), ['receipts.sealed'])
  add('receipt-not-sealed', 'The operator signed a receipt for an entry and did not seal it.', notSealed(), [
    'receipts.sealed',
  ])
  const ghost = operator.sign(textOf(receipt.receipt).replace(draw.openHash, 'ab'.repeat(32)))
  add(
    'receipt-of-no-draw',
    'The operator signed a receipt for a draw that it never opened.',
    withReceipt({ receipt: ghost, close: null, entries: [] }),
    ['receipts.found'],
  )
  const short = operator.sign(textOf(receipt.receipt).replace(/ 0 \d+,/, ' 0 '))
  add(
    'receipt-line-too-short',
    'The receipt has an entry with five numbers.',
    withReceipt({ ...receipt, receipt: short }),
    ['receipts.lines', 'receipts.sealed'],
  )
  return list
}
