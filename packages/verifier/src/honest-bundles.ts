import type { Bundle } from '@fairball/domain/fairness/bundle'
import { fromHex, toHex } from '@fairball/domain/fairness/bytes'
import { QUICKNET, roundDueAt } from '@fairball/domain/fairness/chain'
import { fixedBytes, fixedPlay, gameOf } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'

import { parseStatementOf } from '@fairball/domain/fairness/statements'

import { drand, example } from '@fairball/domain/fairness/vectors-fixture'
import {
  type ExampleBundle,
  freeTickets,
  LOTTO,
  missedOnce,
  opened,
  postponed,
  settled,
  witnessedDraw,
} from './example-draws.ts'

/** Honest draws of every kind. */
export function honestBundles(): ExampleBundle[] {
  const list: ExampleBundle[] = []
  const add = (name: string, about: string, bundle: Bundle, state: ExampleBundle['state']): void => {
    list.push({ name, about, outcome: state === 'settled' ? 'passed' : 'unchecked', state, failed: [], bundle })
  }
  add('worked-example', WORKED, workedExample(), 'settled')

  const plain = settled()
  add('settled', 'A draw that went as planned.', plain.bundle, 'settled')
  const own = {
    key: toHex(plain.operator.publicKey),
    username: 'alice',
    sights: [{ hash: plain.closeHash, seenAt: plain.operator.openOf(plain.draw).close + 9 }],
    receipts: [plain.operator.receipt(plain.draw, 0, plain.closeHash)],
  }
  add('settled-with-receipt', 'The same, with what a player keeps of it.', { ...plain.bundle, own }, 'settled')

  const claims = { ...own, username: null, receipts: [] }
  add(
    'memory-in-file',
    'The same, with what its file says was seen before.',
    { ...plain.bundle, own: claims },
    'settled',
  )

  const empty = new OperatorFixture()
  const nobody = empty.open(1, [])
  empty.settle(nobody)
  add('settled-without-entries', 'A draw that nobody played.', empty.bundle(nobody), 'settled')

  const { operator: generous, draw: second } = freeTickets(1)
  add(
    'settled-with-free-ticket',
    'A second draw, played with a free ticket won in the first.',
    generous.bundle(second),
    'settled',
  )

  for (const key of ['bitcoin-hero', 'super-game']) {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [fixedPlay('alice', 12, gameOf(key))], { game: key })
    operator.settle(draw)
    add(`settled-${key}`, `A draw of ${gameOf(key).name}.`, operator.bundle(draw), 'settled')
  }

  const waiting = opened()
  add('open', 'A draw on sale.', waiting.operator.bundle(waiting.draw), 'open')
  waiting.operator.close(waiting.draw)
  add('closed', 'A sealed draw before its round.', waiting.operator.bundle(waiting.draw), 'closed')
  const { round } = waiting.operator.openOf(waiting.draw)
  const beacon = { round, signature: waiting.operator.signatureOf(round) }
  add(
    'drawn',
    'A sealed draw whose round is known, without a result yet.',
    waiting.operator.bundle(waiting.draw, { beacon }),
    'closed',
  )

  for (const times of [1, 2]) {
    const { operator, draw } = opened()
    const last = postponed(operator, draw, times)
    operator.result(draw, operator.close(draw, { round: last.round, time: last.time + 300 }), {
      time: last.time + 1300,
    })
    add(
      `postponed-${times === 1 ? 'once' : 'twice'}`,
      'A draw that was not sealed in time at first.',
      operator.bundle(draw),
      'settled',
    )
  }

  const missed = opened()
  const { time } = postponed(missed.operator, missed.draw, 2)
  missed.operator.append({ type: 'void', open: missed.draw.openHash, reason: 'outage' }, time + 1000)
  add('void-outage', 'A draw that was not sealed in time three times.', missed.operator.bundle(missed.draw), 'void')

  const { operator: idle, draw: unwanted } = missedOnce()
  add('void-at-first-miss', 'A draw given up when it was not sealed in time once.', idle.bundle(unwanted), 'void')

  const silent = opened()
  silent.operator.close(silent.draw)
  const weekLater = silent.operator.openOf(silent.draw).start + 7 * 86_400
  silent.operator.append({ type: 'void', open: silent.draw.openHash, reason: 'beacon' }, weekLater + 5)
  add('void-beacon', 'A sealed draw whose round never came.', silent.operator.bundle(silent.draw), 'void')

  const { operator: seen, draw: witnessed, witness } = witnessedDraw()
  const line = witness.line(seen.noteOf(seen.settle(witnessed)), seen.openOf(witnessed).close + 20)
  add('witnessed', 'A draw that needs a witness, and has it.', seen.bundle(witnessed, { witnesses: [line] }), 'settled')

  add('sealed-again-for-witnesses', 'A draw whose first seal lacked its witness.', sealedAgain(), 'settled')

  const alone = new OperatorFixture()
  const deserted = alone.open(1, [], { witness: seen.openOf(witnessed).witness })
  alone.close(deserted)
  const countedAt = roundDueAt(alone.openOf(deserted).round, alone.chain) - 45
  alone.append({ type: 'void', open: deserted.openHash, reason: 'outage' }, countedAt)
  add('void-unwitnessed', 'A draw that nobody was in, sealed without its witness.', alone.bundle(deserted), 'void')

  const renewed = opened()
  renewed.operator.changeKey(fixedBytes('second key'))
  renewed.operator.settle(renewed.draw)
  add('key-changed', 'A draw settled with a new key of its operator.', renewed.operator.bundle(renewed.draw), 'settled')
  return list
}

const WORKED =
  'Operator, seed, quicknet round, plays and rules of the worked example (fairness section 11) in a whole log; its hashes, and so its numbers, are others.'

function workedExample(): Bundle {
  const keySeed = fromHex(example.operator.ed25519_private_seed)
  const operator = new OperatorFixture({ name: example.operator.name, chain: QUICKNET, keySeed, time: 1_720_000_000 })
  // A free ticket has to be won before it is used: in an earlier draw, on another genuine round.
  const round = drand.rounds.find((known) => known.round === 12_040_883)
  const rules = example.rules.text
  const earlier = operator.open(16, [fixedPlay('player-zz81mm', 20, LOTTO)], { startAt: round?.time ?? 0, rules })
  operator.result(earlier, operator.close(earlier), { signature: round?.signature ?? '' })
  const playOf = (player: string, free: number) => ({
    username: player,
    secret: fromHex(example.players.find((known) => known.player === player)?.secret ?? ''),
    lines: example.entries.filter((entry) => entry.player === player).map(({ numbers }) => numbers),
    free,
  })
  const plays = [playOf('player-zz81mm', 1), playOf('player-k3x9qd', 0), playOf("O'Hara_7", 0)]
  const open = parseStatementOf('open', example.open.text)
  const seed = fromHex(example.seed.seed)
  const draw = operator.open(17, plays, { startAt: open.start, time: open.time, seed, rules })
  const { stake, pool, bankroll, floor, rate, time } = parseStatementOf('close', example.close.text)
  const close = operator.close(draw, { stake, pool, bankroll, floor, rate, time })
  operator.result(draw, close, { signature: example.beacon.signature })
  return operator.bundle(draw)
}

function sealedAgain(): Bundle {
  const { operator, draw, witness } = witnessedDraw()
  operator.close(draw)
  const { round } = operator.openOf(draw)
  const time = roundDueAt(round, operator.chain) - 55
  const next = operator.postpone(draw, 'witness', time)
  const close = operator.close(draw, { round: next, time: time + 300 })
  operator.result(draw, close, { time: time + 1300 })
  return operator.bundle(draw, { witnesses: [witness.line(operator.noteOf(close), time + 320)] })
}
